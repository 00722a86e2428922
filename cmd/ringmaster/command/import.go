package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/session"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/conversion"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// importLog is the command import.
type importLog struct {
	con         *console.Console
	name, start string
}

func newImport(con *console.Console, _ *lifecycle.Target) *cobra.Command {
	i := &importLog{con: con}
	cmd := &cobra.Command{
		Use:   "import --agent AGENT FILE…|-",
		Short: "Make canonical logs of an agent's recorded lines",
		Long: `Make canonical logs of what was recorded of an agent: its native lines, or records of the form
{"t_ms":165,"dir":"out","data":{…}}. They go through the same translator and session core as a running agent's, and come
out on standard output as NDJSON; several sessions in one recording, or several files, one log after the other. The same
input gives the same bytes. A broken record is skipped, noted in the log and told on standard error; a native line that
the agent should not have written is noted in the log, as that of a running agent is. No daemon is needed.`,
		Args: console.Args(1, -1),
		Example: `  ringmaster import --agent pi recording.jsonl > log.ndjson
  pi --mode rpc < commands.jsonl | ringmaster import --agent pi -`,
		RunE: i.run,
	}
	cmd.Flags().StringVarP(&i.name, "agent", "a", "", "the agent whose lines they are")
	cmd.Flags().StringVar(&i.start, "start", "1970-01-01T00:00:00Z", "when the recording began; the times of the log count from here")
	_ = cmd.MarkFlagRequired("agent")
	session.CompleteAgent(cmd)
	return cmd
}

func (i *importLog) run(cmd *cobra.Command, files []string) error {
	began, err := time.Parse(time.RFC3339, i.start)
	if err != nil {
		return exit.Usagef("--start: want a time such as 2026-01-31T12:00:00Z")
	}
	agent, err := findAgent(daemon.Agents(datafolder.Folder{}, i.con.Version), i.name)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(i.con.Out, 64<<10)
	for _, file := range files {
		if err := i.convert(cmd.Context(), out, file, conversion.Options{Agent: agent, Start: began}); err != nil {
			_ = out.Flush() // the error of a broken output would be told already
			return err
		}
	}
	return out.Flush()
}

// convert makes logs of one file.
func (i *importLog) convert(ctx context.Context, w io.Writer, file string, opt conversion.Options) error {
	in := i.con.Input(ctx)
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return exit.WithHint(fmt.Errorf("import: %w", err), "name files that can be read, or - for standard input")
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	stats, err := conversion.Convert(w, in, opt)
	if stats.Skipped > 0 {
		_, _ = fmt.Fprintf(i.con.Err, "ringmaster: import %s: lines skipped: %d; the first: %v\n", file, stats.Skipped, stats.First)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("import %s: %w", file, err)
	switch {
	case errors.Is(err, conversion.ErrEmpty):
		return exit.WithHint(err, "a recording has one record per line, or the lines that "+opt.Agent.Name()+" wrote on its standard output")
	case errors.Is(err, conversion.ErrForeign):
		return exit.WithHint(err, "--agent says whose lines they are; this was read as lines of "+opt.Agent.Name())
	default:
		return exit.WithHint(err, "what was read before is on standard output")
	}
}

func findAgent(list []adapters.Agent, name string) (adapters.Agent, error) {
	var names []string
	for _, a := range list {
		if a.Name() == name {
			return a, nil
		}
		names = append(names, a.Name())
	}
	return nil, &exit.Error{Code: exit.NoAgent, Err: exit.WithHint(fmt.Errorf("there is no agent %q", name), "there are: "+strings.Join(names, ", "))}
}
