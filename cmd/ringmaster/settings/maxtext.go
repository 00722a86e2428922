package settings

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// MaxText is the flag that says how much of one text goes into a log, in KiB.
type MaxText int

// AddTo gives it to a set.
func (m *MaxText) AddTo(f *pflag.FlagSet) {
	f.IntVar((*int)(m), "max-text", adapters.MaxText>>10,
		"KiB of one text that go into a log, 1 to 512; the rest is cut and marked, and in the native lines")
}

// Bytes checks it.
func (m MaxText) Bytes() (int, error) {
	if m < adapters.LeastText>>10 || m > adapters.MostText>>10 {
		return 0, exit.Usagef("--max-text %d: want %d to %d, in KiB", m, adapters.LeastText>>10, adapters.MostText>>10)
	}
	return int(m) << 10, nil
}

// Given are the arguments of a daemon that is started, where the flag was given.
func (m MaxText) Given(cmd *cobra.Command) []string {
	if !cmd.Flags().Changed("max-text") {
		return nil
	}
	return []string{"--max-text", strconv.Itoa(int(m))}
}
