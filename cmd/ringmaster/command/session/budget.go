package session

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/limit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// budget is the command of that name.
type budget struct {
	con    *console.Console
	set    string
	asJSON bool
}

// Budget makes the command.
func Budget(con *console.Console, target *lifecycle.Target) *cobra.Command {
	b := &budget{con: con}
	cmd := &cobra.Command{
		Use:   "budget SESSION",
		Short: "Show what a session has used and may use, or say what it may use",
		Long: `Without --set: what the session has used, what it and all below it have used together, and the limits. --set replaces all limits. At a
limit prompts wait (pause), the running turn is interrupted as well (interrupt), the session is ended (end), or the log says it and nothing else (warn).
More room lets prompts that wait go on.`,
		Example: `  ringmaster budget @last
  ringmaster budget @last --set cost=5,action=interrupt
  ringmaster budget @last --set session.turns=20,tree.work=2h,warn=90
  ringmaster budget @last --set none`,
		Args:              console.Args(1, 1),
		ValidArgsFunction: completeSession(target),
		RunE:              on(target, b.run),
	}
	cmd.Flags().StringVar(&b.set, "set", "", "the limits, "+limit.Help+"; none: no limits")
	cmd.Flags().BoolVar(&b.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (b *budget) run(ctx context.Context, session client.Session, _ []string) error {
	var raw json.RawMessage
	var have resource.SessionBudget
	var err error
	if ctx := client.WithRaw(ctx, &raw); b.set == "" {
		have, err = session.Budget(ctx)
	} else {
		var want *resource.NewBudget
		if want, err = limit.Parse(b.set); err != nil {
			return err
		}
		have, err = session.SetBudget(ctx, *want)
	}
	if err != nil {
		return err
	}
	if b.asJSON {
		return console.PrintJSON(b.con.Out, raw)
	}
	limit.Warn(b.con.Err, have.Warnings)
	return b.show(&have)
}

func (b *budget) show(have *resource.SessionBudget) error {
	var own, tree protocol.Limits
	action := ""
	if p := have.Budget; p != nil {
		if p.Session != nil {
			own = *p.Session
		}
		if p.Tree != nil {
			tree = *p.Tree
		}
		if action = string(p.Action); action == "" {
			action = string(protocol.BudgetPause)
		}
	}
	var t console.Table
	t.Add("", "session", "of", "with those below", "of")
	row := func(name string, used, most, below, belowMost int64, text func(int64) string) {
		of := func(n int64) string {
			if n == 0 {
				return ""
			}
			return text(n)
		}
		t.Add(name, text(used), of(most), text(below), of(belowMost))
	}
	s := &have.Spent
	row("tokens", s.TotalTokens, own.Tokens, have.Tree.Tokens, tree.Tokens, limit.Number)
	row("cost", s.CostMicros, own.CostMicros, have.Tree.CostMicros, tree.CostMicros, limit.Dollars)
	row("work", s.WorkMs, own.WorkMs, have.Tree.WorkMs, tree.WorkMs, limit.Duration)
	row("turns", s.Turns, own.Turns, have.Tree.Turns, tree.Turns, limit.Number)
	row("calls", s.ToolCalls, own.ToolCalls, have.Tree.ToolCalls, tree.ToolCalls, limit.Number)
	row("children", s.Children, own.Children, have.Tree.Children, tree.Children, limit.Number)
	if action != "" {
		t.Add("at a limit", action)
	}
	for _, m := range have.Marks {
		t.Add(string(m.State), string(m.Scope)+" "+console.OneLine(m.Of, 40)+" "+string(m.Limit)+": "+limit.Number(m.Spent)+" of "+limit.Number(m.Max))
	}
	return t.Print(b.con.Out)
}
