package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/lifecycle"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	lastSession = "@last"
	minPrefix   = 4 // shorter ones are typing errors more often than names
)

// resolve finds the session that a person means: a whole id, an unambiguous beginning of one, or @last.
func resolve(ctx context.Context, c *client.Client, name string) (string, error) {
	switch {
	case protocol.ValidSessionID(name):
		return name, nil
	case name == lastSession:
		return newestRoot(ctx, c)
	case len(name) < minPrefix || strings.Trim(name, "0123456789abcdef-") != "":
		return "", exit.WithHint(exit.Usagef("%q names no session: want an id, the first %d or more characters of one, or %s", name, minPrefix, lastSession),
			"ringmaster ls shows the sessions")
	}
	found := ""
	for q := (client.Query{Text: name, Limit: client.MostListed}); ; {
		page, err := c.List(ctx, q)
		if err != nil {
			return "", err
		}
		for _, s := range page.Sessions {
			if !strings.HasPrefix(s.ID, name) {
				continue
			}
			if found != "" {
				return "", exit.Usagef("%s is the beginning of several ids, such as %s and %s", name, found, s.ID)
			}
			found = s.ID
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if found == "" {
		return "", protocol.NewProblem(protocol.CodeSessionNotFound, "No session's id begins with "+name+".", "ringmaster ls shows the sessions")
	}
	return found, nil
}

// newestRoot is the newest session that a person made at this node: none that works for another one or that an MCP host has made, and no other principal's, as
// the administrator sees all of them. Who has a token of their own sees theirs only.
func newestRoot(ctx context.Context, c *client.Client) (string, error) {
	owned := ""
	for q := (client.Query{Limit: client.MostListed}); ; {
		page, err := c.List(ctx, q)
		if err != nil {
			return "", err
		}
		for _, s := range page.Sessions {
			switch {
			case s.Node != "" || s.ParentSessionID != "" || s.SubAgent || s.Spawned || s.Via != "":
			case s.Owner == "":
				return s.ID, nil
			case owned == "":
				owned = s.ID
			}
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if owned == "" {
		return "", exit.WithHint(fmt.Errorf("there is no session yet"), "make one with: ringmaster new --agent AGENT")
	}
	return owned, nil
}

// open finds the daemon, and the session in it that a person means.
func open(ctx context.Context, target *lifecycle.Target, name string) (*client.Client, client.Session, error) {
	c, err := target.Connect(ctx)
	if err != nil {
		return nil, client.Session{}, err
	}
	id, err := resolve(ctx, c, name)
	if err != nil {
		c.Close()
		return nil, client.Session{}, err
	}
	return c, c.Session(id), nil
}

// on has a command do something with the session that its first argument means; args are those behind it.
func on(target *lifecycle.Target, do func(ctx context.Context, session client.Session, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c, session, err := open(cmd.Context(), target, args[0])
		if err != nil {
			return err
		}
		defer c.Close()
		return do(cmd.Context(), session, args[1:])
	}
}
