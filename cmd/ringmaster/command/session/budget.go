package session

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// budgetHelp is the form of a budget on the command line.
const budgetHelp = "as LIMIT=NUMBER,…: tokens, cost (US dollars), work (a duration such as 90m), turns, calls, children; with session. or tree. in front " +
	"(tree, when absent: the session and all below it); action=warn, pause, interrupt or end; warn=PERCENT"

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
	cmd.Flags().StringVar(&b.set, "set", "", "the limits, "+budgetHelp+"; none: no limits")
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
		if want, err = parseBudget(b.set); err != nil {
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
	row := func(name string, used, limit, below, belowLimit int64, text func(int64) string) {
		of := func(n int64) string {
			if n == 0 {
				return ""
			}
			return text(n)
		}
		t.Add(name, text(used), of(limit), text(below), of(belowLimit))
	}
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	dollars := func(n int64) string { return fmt.Sprintf("$%.4f", float64(n)/1e6) }
	duration := func(n int64) string { return (time.Duration(n) * time.Millisecond).Round(time.Second).String() }
	s := &have.Spent
	row("tokens", s.TotalTokens, own.Tokens, have.Tree.Tokens, tree.Tokens, number)
	row("cost", s.CostMicros, own.CostMicros, have.Tree.CostMicros, tree.CostMicros, dollars)
	row("work", s.WorkMs, own.WorkMs, have.Tree.WorkMs, tree.WorkMs, duration)
	row("turns", s.Turns, own.Turns, have.Tree.Turns, tree.Turns, number)
	row("calls", s.ToolCalls, own.ToolCalls, have.Tree.ToolCalls, tree.ToolCalls, number)
	row("children", s.Children, own.Children, have.Tree.Children, tree.Children, number)
	if action != "" {
		t.Add("at a limit", action)
	}
	for _, m := range have.Marks {
		t.Add(string(m.State), string(m.Scope)+" "+console.OneLine(m.Of, 40)+" "+string(m.Limit)+": "+number(m.Spent)+" of "+number(m.Max))
	}
	return t.Print(b.con.Out)
}

// parseBudget reads a budget of the command line; "none" is one without limits.
func parseBudget(text string) (*resource.NewBudget, error) {
	b := &resource.NewBudget{}
	if text == "none" {
		return b, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if err := setBudget(b, name, value); err != nil {
			return nil, exit.Usagef("budget %q: %v; want limits %s", part, err, budgetHelp)
		}
	}
	return b, nil
}

func setBudget(b *resource.NewBudget, name, value string) (err error) {
	switch name {
	case "action":
		b.Action = protocol.BudgetAction(value)
		return nil
	case "warn":
		b.WarnAt, err = strconv.Atoi(strings.TrimSuffix(value, "%"))
		return err
	}
	scope, limit, is := strings.Cut(name, ".")
	if !is {
		scope, limit = "tree", name
	}
	to := &b.Tree
	switch scope {
	case "session":
		to = &b.Session
	case "tree":
	default:
		return fmt.Errorf("no scope %s", scope)
	}
	if *to == nil {
		*to = &resource.NewLimits{}
	}
	return setLimit(*to, limit, value)
}

func setLimit(l *resource.NewLimits, limit, value string) (err error) {
	number := func(to *int64) {
		if *to, err = strconv.ParseInt(value, 10, 64); err == nil && *to < 1 {
			err = fmt.Errorf("%s is less than 1", value)
		}
	}
	switch limit {
	case "tokens":
		number(&l.Tokens)
	case "turns":
		number(&l.Turns)
	case "calls", "toolCalls":
		number(&l.ToolCalls)
	case "children":
		number(&l.Children)
	case "costMicros":
		number(&l.CostMicros)
	case "cost":
		dollars, bad := strconv.ParseFloat(strings.TrimPrefix(value, "$"), 64)
		if l.CostMicros = (&protocol.Cost{Total: dollars}).Micros(); bad != nil || l.CostMicros < 1 {
			err = fmt.Errorf("%q is no amount of US dollars", value)
		}
	case "work":
		d, bad := time.ParseDuration(value)
		if l.WorkMs = d.Milliseconds(); bad != nil || l.WorkMs < 1 {
			err = fmt.Errorf("%q is no duration", value)
		}
	default:
		err = fmt.Errorf("no limit %q", limit)
	}
	return err
}
