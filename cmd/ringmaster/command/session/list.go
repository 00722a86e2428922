package session

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// list is the command ls.
type list struct {
	con                   *console.Console
	target                *lifecycle.Target
	query                 client.Query
	active, ended, asJSON bool
}

// List makes the command.
func List(con *console.Console, target *lifecycle.Target) *cobra.Command {
	l := &list{con: con, target: target}
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List sessions, newest first; what waits for an answer before all",
		Long: `List sessions, newest first. A session that works for another one stands below it, and a family in which something waits for an
answer stands before all others, marked with a ?; also where it would be on a later page. A session without a title is called by its first
prompt. --json gives one page as the daemon does.`,
		Args: console.Args(0, 0),
		Example: `  ringmaster ls
  ringmaster ls --active --agent pi
  ringmaster ls --label team:core --json | jq '.sessions[].id'`,
		RunE: l.run,
	}
	f := cmd.Flags()
	f.StringVar(&l.query.Agent, "agent", "", "only sessions of this agent")
	f.StringVar(&l.query.Owner, "owner", "", "only sessions of this owner")
	f.StringSliceVar(&l.query.States, "state", nil, "only sessions in one of these states")
	f.StringArrayVar(&l.query.Labels, "label", nil, "only sessions with this label, as KEY:VALUE; may be repeated")
	f.StringVarP(&l.query.Text, "query", "q", "", "only sessions with this in their title, working directory or id")
	f.BoolVar(&l.active, "active", false, "only sessions that have not ended")
	f.BoolVar(&l.ended, "ended", false, "only sessions that have ended")
	f.IntVarP(&l.query.Limit, "limit", "n", 50, "sessions of one page")
	f.StringVar(&l.query.After, "after", "", "the page after this one, as the page before said")
	f.BoolVar(&l.asJSON, "json", false, "the daemon's answer as it is")
	CompleteAgent(cmd)
	console.CompleteWords(cmd, "state", states...)
	return cmd
}

func (l *list) run(cmd *cobra.Command, _ []string) error {
	if l.active && l.ended {
		return exit.Usagef("--active and --ended exclude each other")
	}
	if l.active || l.ended {
		l.query.Active = &l.active
	}
	c, err := l.target.Connect(cmd.Context())
	if err != nil {
		return err
	}
	defer c.Close()
	var raw json.RawMessage
	page, err := c.List(client.WithRaw(cmd.Context(), &raw), l.query)
	if err != nil {
		return err
	}
	if l.asJSON {
		return console.PrintJSON(l.con.Out, raw)
	}
	sessions := page.Sessions
	if l.query.After == "" {
		if sessions, err = withWaiting(cmd.Context(), c, l.query, sessions); err != nil {
			return err
		}
	}
	var t console.Table
	t.Add("  ID", "AGENT", "STATE", "TURNS", "EVENTS", "AGE", "TITLE")
	for _, row := range familyRows(sessions) {
		s, mark := row.SessionSummary, "  "
		if waitsForSomebody(&s.Status) {
			mark = "? "
		}
		t.Add(mark+strings.Repeat("  ", row.depth)+console.ShortID(s.ID), s.Agent, restText(s), strconv.Itoa(s.Turns), strconv.FormatUint(s.Seq, 10),
			console.Ago(l.con.Now(), s.CreatedAt), nodeText(s)+titleText(s))
	}
	if err := t.Print(l.con.Out); err != nil {
		return err
	}
	if t.Len() == 1 {
		l.con.Say("no session is there, or none like that; make one with: ringmaster run --agent AGENT PROMPT")
	}
	if page.Partial {
		l.con.Say("sessions of other nodes may be missing, or as they were a while ago: ringmaster status says how Core is")
	}
	if page.Next != "" {
		l.con.Say(strconv.Itoa(page.Total) + " sessions in all; for the next page add: --after " + page.Next)
	}
	return nil
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

// nodeText says before the title that another node has the session.
func nodeText(s *resource.SessionSummary) string {
	if s.Node == "" {
		return ""
	}
	if s.Unreachable {
		return "(at " + console.ShortID(s.Node) + ", unreachable) "
	}
	return "(at " + console.ShortID(s.Node) + ") "
}

// restText is the state, and that of a session at rest which failed in its newest turn: it has nothing ready.
func restText(s *resource.SessionSummary) string {
	if s.Status.State == protocol.StateIdle && s.LastTurn.Failed() {
		return stateText(&s.Status) + " (turn failed)"
	}
	return stateText(&s.Status)
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
