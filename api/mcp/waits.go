package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/caller"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/task"
)

// waits are what calls that wait have in common.
type waits struct {
	door     *control.Door
	tasks    *task.Tasks
	callers  *caller.Callers
	requests *form.Requests
	client   func(c *call.Call) *client.Client // of the old era; nil: a call of the new one
	asks     func(x *client.Client, id string) // has the client's user asked what a session asks
}

// newWaits waits for sessions behind a door.
func newWaits(d *control.Door, t *task.Tasks, c *caller.Callers, q *form.Requests, of func(c *call.Call) *client.Client, asks func(x *client.Client, id string)) *waits {
	return &waits{d, t, c, q, of, asks}
}

// open takes up a session that is waited for; prompt is empty where it is the session's rest. close must follow.
func (s *waits) open(ctx context.Context, ask *inquiry, id, prompt string) (*joined, error) {
	f, err := feed.Open(ctx, s.door, id, "mcp")
	if err != nil {
		return nil, err
	}
	return &joined{waits: s, feed: f, who: ask.call.Who, ask: ask, prompt: prompt}, nil
}

// waive takes back an agent's wish to be told of a prompt whose end it learns here.
func (s *waits) waive(ctx context.Context, j *joined) {
	prompt, over := j.settled()
	if prompt == "" || !over || j.who.Scope != access.Agent {
		return
	}
	s.door.Waive(access.With(ctx, access.Daemon), j.who.Session, j.feed.ID, prompt)
}

// awaitAll returns when all sessions have come to rest, or one where that is enough or where it needs the caller, or the time is over.
func awaitAll(ctx context.Context, list []*joined, one bool, wait time.Duration) error {
	some, enough := context.WithTimeout(ctx, wait)
	defer enough()
	failures := make(chan error, len(list))
	var wg sync.WaitGroup
	for _, j := range list {
		wg.Go(func() { // ends with the session's rest, or the context
			switch err := j.rest(some); {
			case err == nil && (one || j.needsInput() || !j.gone && j.needed()):
				enough()
			case err != nil && some.Err() == nil:
				failures <- err
				enough()
			}
		})
	}
	wg.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return ctx.Err()
	}
}
