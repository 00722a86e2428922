package command

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
)

// setting is a command that lists and chooses models or modes.
type setting struct {
	word string // model, mode
	list func(*client.Client, context.Context, string) (client.Choices, json.RawMessage, error)
	set  func(*client.Client, context.Context, string, string, bool) (string, error)
}

func (p *Program) model() *cobra.Command {
	cmd := p.setting(setting{"model", (*client.Client).Models, (*client.Client).SetModel})
	cmd.Use, cmd.Short = "model SESSION [MODEL]", "List the models that a session's agent offers, or choose one"
	cmd.Example = `  ringmaster model @last
  ringmaster model @last gpt-5.2
  ringmaster model @last opus --when-idle`
	return cmd
}

func (p *Program) mode() *cobra.Command {
	cmd := p.setting(setting{"mode", (*client.Client).Modes, (*client.Client).SetMode})
	cmd.Use, cmd.Short = "mode SESSION [MODE]", "List the modes that a session's agent offers, or choose one"
	cmd.Example = `  ringmaster mode @last
  ringmaster mode @last plan`
	return cmd
}

func (p *Program) setting(s setting) *cobra.Command {
	var whenIdle, asJSON bool
	cmd := &cobra.Command{
		Long: `Without a name: what the agent offers, as long as it runs. With one: choose it. The answer says when it takes effect: now, from
the next turn on, when the running turn has ended, or when the agent starts.`,
		Args:              args(1, 2),
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			if len(args) == 2 {
				applied, err := s.set(c, cmd.Context(), id, args[1], whenIdle)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.Out, oneLine(s.word+" "+args[1]+": "+appliedText(applied), 0))
				return err
			}
			list, raw, err := s.list(c, cmd.Context(), id)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(p.Out, raw)
			}
			return p.showChoices(s.word, list)
		},
	}
	cmd.Flags().BoolVar(&whenIdle, "when-idle", false, "not while a turn runs")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the daemon's answer as it is")
	return cmd
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

func (p *Program) showChoices(word string, list client.Choices) error {
	var t table
	found := false
	for _, c := range list.List {
		mark := ""
		switch c.ID {
		case list.Current:
			mark, found = "in force", true
		case list.Pending:
			mark = "chosen"
		}
		t.add(c.ID, mark, c.Label)
	}
	if !found && list.Current != "" {
		t.add(list.Current, "in force", "")
	}
	if err := t.print(p.Out); err != nil {
		return err
	}
	if !list.Known {
		p.say("what else there is, is not known: no agent runs, or it has not said")
	} else if !list.All {
		p.say("the agent may know further ones: choose a " + word + " by any name")
	}
	return nil
}
