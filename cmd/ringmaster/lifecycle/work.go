package lifecycle

import (
	"context"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
)

// Work is how many sessions of a daemon are in a turn.
type Work int

func (w Work) String() string {
	if w == 1 {
		return "1 session is at work"
	}
	return fmt.Sprintf("%d sessions are at work", int(w))
}

// WorkOf counts the sessions of a daemon, and of no other node, that are in a turn.
func WorkOf(ctx context.Context, c *client.Client) (n Work, err error) {
	active := true
	for q := (client.Query{Active: &active, Limit: client.MostListed}); ; {
		page, err := c.List(ctx, q)
		if err != nil {
			return 0, err
		}
		for _, s := range page.Sessions {
			if s.Node == "" && s.Status.State.Busy() {
				n++
			}
		}
		if q.After = page.Next; q.After == "" {
			return n, nil
		}
	}
}

// UnlessAtWork refuses what would interrupt turns.
func UnlessAtWork(ctx context.Context, c *client.Client, why string) error {
	work, err := WorkOf(ctx, c)
	if err != nil || work == 0 {
		return err
	}
	return exit.WithHint(fmt.Errorf("the daemon runs already, and %s: %s", work, why),
		"wait for them (ringmaster ls --active), or interrupt them with: ringmaster restart --force")
}
