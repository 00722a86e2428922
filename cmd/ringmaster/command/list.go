package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

func (p *Program) list() *cobra.Command {
	var q client.Query
	var active, ended, asJSON bool
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List sessions, newest first; what waits for an answer before all",
		Long: `List sessions, newest first. A session that works for another one stands below it, and a family in which something waits for an
answer stands before all others, marked with a ?; also where it would be on a later page. A session without a title is called by its first
prompt. --json gives one page as the daemon does.`,
		Args: args(0, 0),
		Example: `  ringmaster ls
  ringmaster ls --active --agent pi
  ringmaster ls --label team:core --json | jq '.sessions[].id'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if active && ended {
				return usagef("--active and --ended exclude each other")
			}
			if active || ended {
				q.Active = &active
			}
			c, err := p.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer c.Close()
			page, raw, err := c.List(cmd.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			list := page.Sessions
			if q.After == "" {
				if list, err = withWaiting(cmd.Context(), c, q, list); err != nil {
					return err
				}
			}
			var t table
			t.add("  ID", "AGENT", "STATE", "TURNS", "EVENTS", "AGE", "TITLE")
			for _, row := range familyRows(list) {
				s, mark := row.SessionSummary, "  "
				if waitsForSomebody(&s.Status) {
					mark = "? "
				}
				t.add(mark+strings.Repeat("  ", row.depth)+shortID(s.ID), s.Agent, stateText(&s.Status), strconv.Itoa(s.Turns), strconv.FormatUint(s.Seq, 10),
					ago(p.Now(), s.CreatedAt), titleText(s))
			}
			if err := t.print(p.Out); err != nil {
				return err
			}
			if len(t.rows) == 1 {
				p.say("no session is there, or none like that; make one with: ringmaster run --agent AGENT PROMPT")
			}
			if page.Next != "" {
				p.say(strconv.Itoa(page.Total) + " sessions in all; for the next page add: --after " + page.Next)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&q.Agent, "agent", "", "only sessions of this agent")
	f.StringVar(&q.Owner, "owner", "", "only sessions of this owner")
	f.StringSliceVar(&q.States, "state", nil, "only sessions in one of these states")
	f.StringArrayVar(&q.Labels, "label", nil, "only sessions with this label, as KEY:VALUE; may be repeated")
	f.StringVarP(&q.Text, "query", "q", "", "only sessions with this in their title, working directory or id")
	f.BoolVar(&active, "active", false, "only sessions that have not ended")
	f.BoolVar(&ended, "ended", false, "only sessions that have ended")
	f.IntVarP(&q.Limit, "limit", "n", 50, "sessions of one page")
	f.StringVar(&q.After, "after", "", "the page after this one, as the page before said")
	f.BoolVar(&asJSON, "json", false, "the daemon's answer as it is")
	completeAgent(cmd)
	_ = cmd.RegisterFlagCompletionFunc("state", cobra.FixedCompletions(states, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// states are what --state takes.
var states = []string{
	string(protocol.StateStarting), string(protocol.StateIdle), string(protocol.StateQueued), string(protocol.StateResponding),
	string(protocol.StateRetrying), string(protocol.StateCompacting), string(protocol.StateRunningTool), string(protocol.StateAwaitingApproval),
	string(protocol.StateAwaitingInput), string(protocol.StateInterrupting), string(protocol.StateCompleted), string(protocol.StateTerminated),
	string(protocol.StateFailed),
}

func stateText(s *protocol.Status) string {
	text := string(s.State)
	if s.ToolName != "" {
		text += " " + s.ToolName
	}
	if s.QueuedPrompts > 0 {
		text += " +" + strconv.Itoa(s.QueuedPrompts)
	}
	if s.Stalled {
		text += " (stalled)"
	}
	return text
}

func titleText(s *resource.SessionSummary) string {
	if s.Title != "" {
		return s.Title
	}
	if s.FirstPrompt != "" {
		return s.FirstPrompt
	}
	return s.Cwd
}
