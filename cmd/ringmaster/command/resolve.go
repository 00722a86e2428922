package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	lastSession = "@last"
	minPrefix   = 4    // shorter ones are typing errors more often than names
	maxListed   = 1000 // sessions of one page
)

// resolve finds the session that a person means: a whole id, an unambiguous beginning of one, or @last.
func resolve(ctx context.Context, c *client.Client, name string) (string, error) {
	switch {
	case protocol.ValidSessionID(name):
		return name, nil
	case name == lastSession:
		return newestRoot(ctx, c)
	case len(name) < minPrefix || strings.Trim(name, "0123456789abcdef-") != "":
		return "", withHint(usagef("%q names no session: want an id, the first %d or more characters of one, or %s", name, minPrefix, lastSession),
			"ringmaster ls shows the sessions")
	}
	found := ""
	for q := (client.Query{Text: name, Limit: maxListed}); ; {
		page, _, err := c.List(ctx, q)
		if err != nil {
			return "", err
		}
		for _, s := range page.Sessions {
			if !strings.HasPrefix(s.ID, name) {
				continue
			}
			if found != "" {
				return "", usagef("%s is the beginning of several ids, such as %s and %s", name, found, s.ID)
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

// newestRoot is the newest session that a person made: none that works for another one or that an MCP host has made, and no other principal's, as
// the administrator sees all of them. Who has a token of their own sees theirs only.
func newestRoot(ctx context.Context, c *client.Client) (string, error) {
	owned := ""
	for q := (client.Query{Limit: maxListed}); ; {
		page, _, err := c.List(ctx, q)
		if err != nil {
			return "", err
		}
		for _, s := range page.Sessions {
			switch {
			case s.ParentSessionID != "" || s.SubAgent || s.Spawned || s.Via != "":
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
		return "", withHint(fmt.Errorf("there is no session yet"), "make one with: ringmaster new --agent AGENT")
	}
	return owned, nil
}

// shortID is what a person reads and copies of an id. Should it ever be the beginning of two, it is refused.
func shortID(id string) string { return id[:min(8, len(id))] }

// session finds daemon and session.
func (p *Program) session(ctx context.Context, name string) (*client.Client, string, error) {
	c, err := p.connect(ctx)
	if err != nil {
		return nil, "", err
	}
	id, err := resolve(ctx, c, name)
	if err != nil {
		c.Close()
		return nil, "", err
	}
	return c, id, nil
}

// completeSession completes the ids of sessions, for shells.
func (p *Program) completeSession(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list := []string{lastSession}
	if c, err := p.find(); err == nil {
		defer c.Close()
		if page, _, err := c.List(cmd.Context(), client.Query{Limit: 100}); err == nil {
			for _, s := range page.Sessions {
				if strings.HasPrefix(s.ID, typed) {
					list = append(list, s.ID+"\t"+oneLine(s.Agent+" "+s.Title, 60))
				}
			}
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
