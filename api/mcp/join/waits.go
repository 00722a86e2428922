package join

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

// Waits are what calls that wait have in common.
type Waits struct {
	door     *control.Door
	tasks    *task.Tasks
	callers  *caller.Callers
	requests *form.Requests
	client   func(c *call.Call) *client.Client // of the old era; nil: a call of the new one
	asks     func(x *client.Client, id string) // has the client's user asked what a session asks
}

// New waits for sessions behind a door.
func New(
	d *control.Door, t *task.Tasks, c *caller.Callers, q *form.Requests, of func(c *call.Call) *client.Client, asks func(x *client.Client, id string),
) *Waits {
	return &Waits{d, t, c, q, of, asks}
}

// Open takes up a session that is waited for; prompt is empty where it is the session's rest. close must follow.
func (s *Waits) Open(ctx context.Context, ask *Inquiry, id, prompt string) (*Joined, error) {
	f, err := feed.Open(ctx, s.door, id, "mcp")
	if err != nil {
		return nil, err
	}
	return &Joined{waits: s, Feed: f, who: ask.call.Who, ask: ask, prompt: prompt}, nil
}

// Waive takes back an agent's wish to be told of a prompt whose end it learns here.
func (s *Waits) Waive(ctx context.Context, j *Joined) {
	prompt, over := j.settled()
	if prompt == "" || !over || j.who.Scope != access.Agent {
		return
	}
	s.door.Waive(access.With(ctx, access.Daemon), j.who.Session, j.Feed.ID, prompt)
}

// AwaitAll returns when all sessions have come to rest, or one where that is enough or where it needs the caller, or the time is over.
func AwaitAll(ctx context.Context, list []*Joined, one bool, wait time.Duration) error {
	some, enough := context.WithTimeout(ctx, wait)
	defer enough()
	failures := make(chan error, len(list))
	var wg sync.WaitGroup
	for _, j := range list {
		wg.Go(func() { // ends with the session's rest, or the context
			switch err := j.rest(some); {
			case err == nil && (one || j.needsInput() || !j.Gone && j.needed()):
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
