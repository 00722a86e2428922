package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cursorFlag is the value of a flag that takes a cursor.
type cursorFlag struct{ protocol.Cursor }

func (c *cursorFlag) String() string {
	if c.Start() {
		return ""
	}
	return c.Cursor.String()
}

func (c *cursorFlag) Set(text string) (err error) {
	c.Cursor, err = protocol.ParseCursor(text)
	return err
}

func (c *cursorFlag) Type() string { return "cursor" }

func (p *Program) tail() *cobra.Command {
	var since cursorFlag
	var asJSON, human, raw bool
	cmd := &cobra.Command{
		Use:   "tail SESSION",
		Short: "Follow a session live",
		Long: `Follow a session live, from its beginning or from a cursor, until it ends. On a terminal the log is shown for people,
with a line per tool and what the agent is doing now; otherwise as JSON lines. Lost connections are taken up again.

Control characters and escape sequences of agents and users are taken out, and what changes the direction of text is
shown escaped; --raw shows texts as the agent wrote them.`,
		Args: args(1, 1),
		Example: `  ringmaster tail @last
  ringmaster tail 3f2a --since 120 --json | jq -r .type`,
		ValidArgsFunction: p.completeSession,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && (human || raw) {
				return usagef("--json excludes --human and --raw")
			}
			opt := screenOptions{raw: raw}
			switch {
			case asJSON:
				opt.form = formJSON
			case human || raw:
				opt.form = formHuman
			}
			c, id, err := p.session(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer c.Close()
			opt.session = shortID(id) // what is copied from a hint must not mean another session later
			return p.follow(cmd.Context(), following{
				client: c, id: id, since: since.Cursor, screen: p.screen(opt),
				signalled: func(context.Context, int) error { return errDone },
			})
		},
	}
	f := cmd.Flags()
	f.Var(&since, "since", "only what follows this cursor")
	f.BoolVar(&asJSON, "json", false, "JSON lines, also on a terminal")
	f.BoolVar(&human, "human", false, "for people, also where there is no terminal")
	f.BoolVar(&raw, "raw", false, "for people, with texts as the agent wrote them")
	cmd.Annotations = map[string]string{ownSignals: ""}
	return cmd
}

// errDone ends a following whose reader has seen enough.
var errDone = &exitError{code: exitOK}
