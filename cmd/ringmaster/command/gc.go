package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/settings"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// gc is the command gc.
type gc struct {
	con            *console.Console
	target         *lifecycle.Target
	dryRun, asJSON bool
	keepFor        time.Duration
	keepBytes      settings.Size
}

func newGC(con *console.Console, target *lifecycle.Target) *cobra.Command {
	g := &gc{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "gc",
		Short: "Remove what need not be kept: sessions that are old, or too many",
		Long: `Remove what the daemon need not keep, now, by its own --keep-for and --keep-bytes or by those that are given here: the oldest first, native lines
before logs. Sessions that work, that wait for an answer, that somebody reads or that are pinned (ringmaster pin) stay, with those above and below them.
--dry-run says what would go and why, and removes nothing.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster gc --dry-run --keep-for 720h
  ringmaster gc --keep-bytes 20GiB
  ringmaster gc --dry-run --json`,
		RunE: g.run,
	}
	cmd.Flags().BoolVar(&g.dryRun, "dry-run", false, "say what would go, and remove nothing")
	cmd.Flags().DurationVar(&g.keepFor, "keep-for", 0, "keep sessions for so long after their newest event, instead of by the daemon's rule")
	cmd.Flags().Var(&g.keepBytes, "keep-bytes", "keep so much of all sessions together, such as 20GiB, instead of by the daemon's rule")
	cmd.Flags().BoolVar(&g.asJSON, "json", false, "one JSON object a line: each that goes, and then the sum")
	return cmd
}

func (g *gc) run(cmd *cobra.Command, _ []string) error {
	if g.keepFor < 0 {
		return exit.Usagef("--keep-for is not negative")
	}
	in := resource.NewCollection{DryRun: g.dryRun, KeepBytes: int64(g.keepBytes)}
	if g.keepFor > 0 {
		in.KeepFor = g.keepFor.String()
	}
	c, err := g.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	done, err := c.Collect(cmd.Context(), in)
	if err != nil {
		return err
	}
	if g.asJSON {
		return g.lines(&done)
	}
	return g.show(&done)
}

// lines prints each that goes as a JSON line, and then the sum, without them.
func (g *gc) lines(done *resource.Collection) error {
	line := func(v any) error {
		b, err := json.Marshal(v)
		if err == nil {
			_, err = fmt.Fprintln(g.con.Out, console.EscapeControls(string(b)))
		}
		return err
	}
	for i := range done.Going {
		if err := line(&done.Going[i]); err != nil {
			return err
		}
	}
	sum := *done
	sum.Going = []resource.Going{}
	return line(&sum)
}

func (g *gc) show(done *resource.Collection) error {
	var t console.Table
	now := g.con.Now()
	for i := range done.Going {
		x := &done.Going[i]
		t.Add(console.ShortID(x.SessionID), strings.ReplaceAll(x.What, "_", " "), x.Reason, sized(x.Bytes), console.Ago(now, x.Since))
	}
	if err := t.Print(g.con.Out); err != nil {
		return err
	}
	if more := done.Sessions + done.Archives - len(done.Going); more > 0 {
		g.con.Say(fmt.Sprintf("and %d more", more))
	}
	for _, why := range slices.Sorted(maps.Keys(done.Stays)) {
		g.con.Say(fmt.Sprintf("%d stay in any case: %s", done.Stays[why], why))
	}
	if done.KeepFor == "" && done.KeepBytes == 0 {
		g.con.Say("nothing goes: the daemon keeps everything, and neither --keep-for nor --keep-bytes is given")
		return nil
	}
	verb := "would go"
	if done.Begun {
		verb = "go now, in the background"
	}
	_, err := fmt.Fprintf(g.con.Out, "%d sessions, and the native lines of %d others, %s: %s of %s\n",
		done.Sessions, done.Archives, verb, sized(done.Freed), sized(done.Total))
	return err
}

// sized is a number of bytes for people.
func sized(n int64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB"}
	x, i := float64(n), 0
	for ; x >= 1024 && i < len(units)-1; i++ {
		x /= 1024
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}
