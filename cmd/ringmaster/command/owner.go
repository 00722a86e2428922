package command

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/command/limit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// owner is the command of that name.
type owner struct {
	con          *console.Console
	target       *lifecycle.Target
	set          string
	anew, asJSON bool
}

// newOwner makes the command.
func newOwner(con *console.Console, target *lifecycle.Target) *cobra.Command {
	o := &owner{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "owner [OWNER]",
		Short: "Show what all sessions of an owner have used and may use, or say what they may use",
		Long: `Owners are those of tokens (ringmaster token create --owner). Without OWNER: the owners that have a budget. --set replaces all limits of one,
which count what its sessions use together, from its first budget on: deleted sessions stay counted, and another limit goes on counting.
--anew counts from now on; a job that sets the budget with --anew on the first of each month makes it one of a month.`,
		Example: `  ringmaster owner
  ringmaster owner ann --set cost=100,action=interrupt
  ringmaster owner ann --set cost=100 --anew
  ringmaster owner ann --set none`,
		Args: console.Args(0, 1),
		RunE: o.run,
	}
	cmd.Flags().StringVar(&o.set, "set", "", "the limits, as LIMIT=NUMBER,…: tokens, cost (US dollars), work (a duration such as 90m), turns, "+
		"calls, children; action=warn, pause, interrupt or end; warn=PERCENT; none: no budget")
	cmd.Flags().BoolVar(&o.anew, "anew", false, "with --set: what was used before does not count")
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (o *owner) run(cmd *cobra.Command, args []string) error {
	if o.set == "" && o.anew || o.set != "" && len(args) == 0 {
		return exit.Usagef("--set needs an owner, and --anew needs --set")
	}
	var want *resource.NewOwnerBudget
	if o.set != "" && o.set != "none" {
		var err error
		if want, err = parseOwnerBudget(o.set); err != nil {
			return err
		}
		want.Anew = o.anew
	}
	c, err := o.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	var raw json.RawMessage
	ctx, budgets := client.WithRaw(cmd.Context(), &raw), c.OwnerBudgets()
	var list []resource.OwnerBudget
	switch {
	case len(args) == 0:
		list, err = budgets.List(ctx)
	case o.set == "none":
		return budgets.Remove(ctx, args[0])
	default:
		list = make([]resource.OwnerBudget, 1)
		if want != nil {
			list[0], err = budgets.Set(ctx, args[0], *want)
		} else {
			list[0], err = budgets.Of(ctx, args[0])
		}
	}
	switch {
	case err != nil:
		return err
	case o.asJSON:
		return console.PrintJSON(o.con.Out, raw)
	}
	for i := range list {
		limit.Warn(o.con.Err, list[i].Warnings)
	}
	return o.show(list)
}

func (o *owner) show(list []resource.OwnerBudget) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(o.con.Out, "no owner has a budget")
		return err
	}
	var t console.Table
	t.Add("OWNER", "SINCE", "LIMIT", "USED", "OF", "STATE", "AT A LIMIT")
	for i := range list {
		b := &list[i]
		since, action := "-", ""
		var l protocol.Limits
		if b.Limits != nil {
			l = *b.Limits
			if action = string(b.Action); action == "" {
				action = string(protocol.BudgetPause)
			}
		}
		if b.Since != nil {
			since = b.Since.Format("2006-01-02 15:04")
		}
		states := map[protocol.BudgetLimit]string{}
		for _, m := range b.Marks {
			states[m.Limit] = string(m.State)
		}
		for _, row := range []struct {
			name      string
			of        protocol.BudgetLimit
			used, max int64
			text      func(int64) string
		}{
			{"tokens", protocol.LimitTokens, b.Spent.Tokens, l.Tokens, limit.Number},
			{"cost", protocol.LimitCost, b.Spent.CostMicros, l.CostMicros, limit.Dollars},
			{"work", protocol.LimitWork, b.Spent.WorkMs, l.WorkMs, limit.Duration},
			{"turns", protocol.LimitTurns, b.Spent.Turns, l.Turns, limit.Number},
			{"calls", protocol.LimitToolCalls, b.Spent.ToolCalls, l.ToolCalls, limit.Number},
			{"children", protocol.LimitChildren, b.Spent.Children, l.Children, limit.Number},
		} {
			most := "-"
			if row.max > 0 {
				most = row.text(row.max)
			} else if b.Limits != nil {
				continue // what is not bounded is of no interest beside what is
			}
			t.Add(console.OneLine(b.Owner, 40), since, row.name, row.text(row.used), most, states[row.of], action)
		}
	}
	return t.Print(o.con.Out)
}

// parseOwnerBudget reads the budget of an owner as it stands on the command line.
func parseOwnerBudget(text string) (*resource.NewOwnerBudget, error) {
	b := &resource.NewOwnerBudget{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		var err error
		switch name {
		case "action":
			b.Action = protocol.BudgetAction(value)
		case "warn":
			b.WarnAt, err = strconv.Atoi(strings.TrimSuffix(value, "%"))
		default:
			err = limit.Set(&b.Limits, name, value)
		}
		if err != nil {
			return nil, exit.Usagef("budget %q: %v; the command's --help has the limits", part, err)
		}
	}
	return b, nil
}
