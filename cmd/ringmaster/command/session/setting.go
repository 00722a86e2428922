package session

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/console"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
)

// setting is a command that lists and chooses models or modes.
type setting struct {
	con              *console.Console
	target           *lifecycle.Target
	word             string // model, mode
	list             func(client.Session, context.Context) (client.Choices, error)
	set              func(client.Session, context.Context, string, bool) (string, error)
	whenIdle, asJSON bool
}

// Model makes the command.
func Model(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &setting{con: con, target: target, word: "model", list: client.Session.Models, set: client.Session.SetModel}
	cmd := s.command()
	cmd.Use, cmd.Short = "model SESSION [MODEL]", "List the models that a session's agent offers, or choose one"
	cmd.Example = `  ringmaster model @last
  ringmaster model @last gpt-5.2
  ringmaster model @last opus --when-idle`
	return cmd
}

// Mode makes the command.
func Mode(con *console.Console, target *lifecycle.Target) *cobra.Command {
	s := &setting{con: con, target: target, word: "mode", list: client.Session.Modes, set: client.Session.SetMode}
	cmd := s.command()
	cmd.Use, cmd.Short = "mode SESSION [MODE]", "List the modes that a session's agent offers, or choose one"
	cmd.Example = `  ringmaster mode @last
  ringmaster mode @last plan`
	return cmd
}

func (s *setting) command() *cobra.Command {
	cmd := &cobra.Command{
		Long: `Without a name: what the agent offers, as long as it runs. With one: choose it. The answer says when it takes effect: now, from
the next turn on, when the running turn has ended, or when the agent starts.`,
		Args:              console.Args(1, 2),
		ValidArgsFunction: completeSession(s.target),
		RunE:              on(s.target, s.run),
	}
	cmd.Flags().BoolVar(&s.whenIdle, "when-idle", false, "not while a turn runs")
	cmd.Flags().BoolVar(&s.asJSON, "json", false, "the daemon's answer as it is")
	return cmd
}

func (s *setting) run(ctx context.Context, session client.Session, args []string) error {
	if len(args) == 1 {
		applied, err := s.set(session, ctx, args[0], s.whenIdle)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.con.Out, console.OneLine(s.word+" "+args[0]+": "+appliedText(applied), 0))
		return err
	}
	var raw json.RawMessage
	list, err := s.list(session, client.WithRaw(ctx, &raw))
	if err != nil {
		return err
	}
	if s.asJSON {
		return console.PrintJSON(s.con.Out, raw)
	}
	return s.show(list)
}

func appliedText(applied string) string {
	switch applied {
	case "now":
		return "in force now"
	case "next_turn":
		return "from the next turn on"
	case "when_idle":
		return "when the turn has ended"
	case "at_start":
		return "when the agent is ready"
	}
	return applied
}

func (s *setting) show(list client.Choices) error {
	var t console.Table
	found := false
	for _, c := range list.List {
		mark := ""
		switch c.ID {
		case list.Current:
			mark, found = "in force", true
		case list.Pending:
			mark = "chosen"
		}
		t.Add(c.ID, mark, c.Label)
	}
	if !found && list.Current != "" {
		t.Add(list.Current, "in force", "")
	}
	if err := t.Print(s.con.Out); err != nil {
		return err
	}
	if !list.Known {
		s.con.Say("what else there is, is not known: no agent runs, or it has not said")
	} else if !list.All {
		s.con.Say("the agent may know further ones: choose a " + s.word + " by any name")
	}
	return nil
}
