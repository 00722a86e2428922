package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/selftest"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// check is the command selftest.
type check struct {
	con        *console.Console
	target     *lifecycle.Target
	minutes    float64
	durability string
	dir        string
	seed       uint64
	asJSON     bool
}

func newSelftest(con *console.Console, target *lifecycle.Target) *cobra.Command {
	c := &check{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "selftest",
		Short: "Check the promises on this machine and disk",
		Long: `Check the promises on this machine and disk: a daemon of its own with scripted agents is ended with kill -9 again and
again while readers outside write down what they are shown. Afterwards the logs must have all of it, once, under the same
numbers; nothing that was accepted may be lost, no process be left. It also measures what a sync of the disk costs and how
long an event takes from the agent to a reader. Other daemons are left alone.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster selftest
  ringmaster selftest --minutes 10 --dir /var/lib --durability always`,
		RunE: c.run,
	}
	f := cmd.Flags()
	f.Float64Var(&c.minutes, "minutes", 1, "how long")
	f.StringVar(&c.durability, "durability", string(supervisor.DurableInterval), "always, interval or os, as serve has it")
	f.StringVar(&c.dir, "dir", "", "folder on the disk to test; a temporary one is made in it (default: that of the data folder)")
	f.Uint64Var(&c.seed, "seed", 0, "repeats the moments of an earlier run (default: others every time)")
	f.BoolVar(&c.asJSON, "json", false, "the result as JSON")
	_ = cmd.MarkFlagDirname("dir")
	console.CompleteWords(cmd, "durability", settings.Durabilities...)
	return cmd
}

func (c *check) run(cmd *cobra.Command, _ []string) error {
	durability, err := settings.ParseDurability(c.durability)
	if err != nil {
		return err
	}
	if c.minutes <= 0 || c.minutes > 24*60 {
		return exit.Usagef("--minutes %g: want more than 0, and a day at most", c.minutes)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("selftest: %w", err)
	}
	parent, err := c.parent()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(parent, "ringmaster-selftest-")
	if err != nil {
		return fmt.Errorf("selftest: %w", err)
	}
	seed := c.seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	res, err := selftest.Run(cmd.Context(), selftest.Config{
		Program: program, Dir: dir, For: time.Duration(c.minutes * float64(time.Minute)), Durability: durability, Seed: seed,
		Progress: c.progress(),
	})
	if err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	if c.asJSON {
		b, err := json.Marshal(res)
		if err == nil {
			err = console.PrintJSON(c.con.Out, b)
		}
		if err != nil {
			return err
		}
	} else {
		showSelftest(c.con, res)
	}
	if !res.Held() {
		return &exit.Error{Code: exit.Failed, Err: fmt.Errorf(
			"a promise was broken: the logs and what the readers saw are in %s; again with: ringmaster selftest --seed %d --minutes %g --durability %s",
			dir, res.Seed, c.minutes, durability)}
	}
	return os.RemoveAll(dir)
}

// parent is the folder on the disk that is tested.
func (c *check) parent() (string, error) {
	if c.dir != "" {
		info, err := os.Stat(c.dir)
		if err == nil && !info.IsDir() {
			err = errors.New("no folder")
		}
		if err != nil {
			return "", exit.Usagef("--dir: %w", err)
		}
		return filepath.Abs(c.dir)
	}
	folder, err := c.target.Folder()
	if err != nil {
		return "", err
	}
	for parent := folder.Path; ; parent = filepath.Dir(parent) { // the nearest that is there: nothing is made for a test
		if info, err := os.Stat(parent); err == nil && info.IsDir() || parent == filepath.Dir(parent) {
			return parent, nil
		}
	}
}

// progress shows on one line of a terminal what goes on.
func (c *check) progress() func(string) {
	if _, tty := console.Terminal(c.con.Err); !tty {
		return nil
	}
	return func(text string) { _, _ = fmt.Fprintf(c.con.Err, "\r\x1b[K%s", text) }
}

func showSelftest(con *console.Console, r *selftest.Result) {
	if _, tty := console.Terminal(con.Err); tty {
		_, _ = fmt.Fprint(con.Err, "\r\x1b[K")
	}
	style := con.Style()
	line := func(format string, args ...any) { _, _ = fmt.Fprintf(con.Out, format+"\n", args...) }
	for _, promise := range r.Promises {
		if promise.Broken == "" {
			line("%s%-11s %s", style.Good("✓ "), promise.Name, promise.Says)
			continue
		}
		line("%s%-11s %s\n    %s", style.Bad("✗ "), promise.Name, promise.Says, strings.ReplaceAll(promise.Broken, "\n", "\n    "))
	}
	line("")
	line("%-28s %d in %.0f s, durability %s, seed %d", "kill -9", r.Kills, r.Seconds, r.Durability, r.Seed)
	line("%-28s %d, to %d readers; the logs have %d", "events shown", r.Shown, r.Readers, r.Events)
	line("%-28s %d, each sent twice; they made %d turns", "prompts accepted", r.Prompts, r.Turns)
	line("%-28s %d", "processes left", r.Leftover)
	line("%-28s %s", "start after a kill", times(r.Recovery))
	line("%-28s %.0f ms", "end by SIGTERM under load", r.Stop)
	line("%-28s %s", "event to reader", times(r.Delivery))
	line("%-28s %s", "sync of 1 event", times(r.Sync))
	line("%-28s %s", "sync of 64 events", times(r.SyncBatch))
	line("\nhow long events take to readers")
	for _, b := range r.Delivery.Buckets {
		bound := fmt.Sprintf("≤ %g ms", b.UpTo)
		if b.UpTo == 0 {
			bound = "longer"
		}
		line("  %-10s %8d  %s", bound, b.Count, strings.Repeat("▇", (b.Count*40+r.Delivery.Count-1)/r.Delivery.Count))
	}
}

func times(h selftest.Histogram) string {
	if h.Count == 0 {
		return "not measured"
	}
	return fmt.Sprintf("p50 %.3g ms, p99 %.3g ms, longest %.3g ms (%d times)", h.P50, h.P99, h.Max, h.Count)
}
