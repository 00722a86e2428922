package session

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// show is the command of that name.
type show struct {
	con    *console.Console
	asJSON bool
	entry  string
}

// Show makes the command.
func Show(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &show{con: con}
	cmd := &cobra.Command{
		Use:   "show SESSION",
		Short: "Show one session: its state, queue, open requests, readers and usage; or the whole text of an entry",
		Args:  console.Args(1, 1),
		Example: `  ringmaster show @last
  ringmaster show 3f2a --json
  ringmaster show @last --entry e7 > output.txt`,
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, s.run),
	}
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "the daemon's answer as it is")
	cmd.Flags().StringVar(&s.entry, "entry", "", "the whole text of this entry, also where the log has only its beginning")
	return cmd
}

func (s *show) run(ctx context.Context, session client.Session, _ []string) error {
	if s.entry != "" {
		text, err := session.EntryText(ctx, s.entry)
		if err != nil {
			return err
		}
		defer func() { _ = text.Close() }()
		return copyText(s.con.Out, text)
	}
	var raw json.RawMessage
	d, err := session.Show(client.WithRaw(ctx, &raw))
	if err != nil {
		return err
	}
	if s.asJSON {
		return console.PrintJSON(s.con.Out, raw)
	}
	return showDetail(s.con.Out, &d)
}

func showDetail(w io.Writer, d *resource.SessionDetail) error {
	var t console.Table
	row := func(name, value string) {
		if value != "" {
			t.Add(name, value)
		}
	}
	row("session", d.ID)
	row("title", d.Title)
	row("agent", d.Agent+" "+d.AgentVersion)
	row("owner", d.Owner)
	row("native id", d.NativeSessionID)
	if d.Node != "" {
		is := ": this one reads what Core has"
		if d.Unreachable {
			is = ", which is not to be reached" + is
		}
		row("node", d.Node+is)
	}
	row("cwd", d.Cwd)
	if d.SubAgent {
		row("sub-agent of", d.ParentSessionID)
	} else {
		row("parent", d.ParentSessionID)
	}
	row("model", withPending(d.Model, d.PendingModel))
	row("mode", withPending(d.Mode, d.PendingMode))
	row("state", stateText(&d.Status))
	if d.LastTurn.Failed() {
		row("last turn", "failed: "+cmp.Or(d.LastTurn.Error, "its agent was lost"))
		row("hint", d.LastTurn.Hint)
	}
	row("error", d.EndError)
	row("hint", d.EndHint)
	row("created", d.CreatedAt.Format(time.RFC3339))
	row("updated", d.UpdatedAt.Format(time.RFC3339))
	row("turns", strconv.Itoa(d.Turns))
	row("cursor", d.Cursor)
	row("tokens", fmt.Sprintf("%d in (%d cached), %d out", d.Usage.InputTokens, d.Usage.CachedInputTokens, d.Usage.OutputTokens))
	if d.Cost > 0 {
		row("cost", fmt.Sprintf("$%.4f", d.Cost))
	}
	for _, m := range d.Marks {
		row("budget", fmt.Sprintf("%s: %d of %d %s", m.State, m.Spent, m.Max, m.Limit))
	}
	switch {
	case d.Damage != nil:
		row("damage", d.Damage.String())
		row("hint", d.Damage.Hint)
	case d.ReadOnly:
		row("journal", "takes no events: it is damaged, or the disk refuses")
	}
	for _, k := range slices.Sorted(maps.Keys(d.Labels)) {
		row("label", k+":"+d.Labels[k])
	}
	if d.Policy != nil {
		for i, r := range policyRows(d.Policy) {
			name := ""
			if i == 0 {
				name = "policy"
			}
			if r[0] == "mode" || r[0] == "deadline" {
				r[1] = r[0] + " " + r[1]
			}
			t.Add(name, r[1])
		}
	}
	for i, q := range d.Queue {
		name := ""
		if i == 0 {
			name = "queue"
		}
		t.Add(name, q.PromptID+"  "+console.OneLine(q.Text, 60))
	}
	for _, r := range d.Requests {
		t.Add("waits", fmt.Sprintf("%s  %s  %s", r.RequestID, r.Kind, console.OneLine(r.Title, 60)))
		t.Add("", "ringmaster answer "+console.ShortID(d.ID)+" "+r.RequestID+" "+terminal.AnswerFlags(&r))
	}
	for _, r := range d.Readers {
		t.Add("reader", fmt.Sprintf("%s at %d, %d behind", r.Name, r.Seq, r.Behind))
	}
	return t.Print(w)
}

// withPending adds what was chosen and is not in force yet.
func withPending(now, pending string) string {
	if pending == "" {
		return now
	}
	return strings.TrimSpace(now + " (chosen: " + pending + ")")
}
