package push

import (
	"context"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// asking has the user of a client of the old era asked what the agent of one session asks, while the client has its stream of notifications
// open. No level is needed for it: it is no log.
type asking struct {
	door   *control.Door
	client *client.Client
	id     string
	feed   *feed.Feed // nil: not opened yet
}

// Asks begins to ask the client of a call what is asked in a session, where that client can be asked.
func (s *Pushes) Asks(x *client.Client, id string) {
	if !x.Forms.Can() {
		return
	}
	x.Asking.Begin(id, func() {
		defer x.Forms.Drop(id)
		a := &asking{door: s.door, client: x, id: id}
		defer a.away()
		if err := a.run(x.Life); err != nil && x.Life.Err() == nil && problem.Of(err).Code == protocol.CodeInternal {
			s.log.Warn("asking ended early", zap.String("session", id), zap.Error(err))
		}
	})
}

// run ends when the session has ended, or when that is not possible.
func (a *asking) run(ctx context.Context) error {
	for {
		turn := a.client.Forms.Next()
		over, err := a.look(ctx)
		if over || err != nil {
			return err
		}
		if a.feed == nil {
			<-turn.Done() // ends with the client
		} else {
			err = a.news(turn)
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && turn.Err() == nil:
			return err
		}
	}
}

// look shows what is open. Without a stream, and without a form to take away, it lets go of the session.
func (a *asking) look(ctx context.Context) (over bool, err error) {
	on := ctx
	if a.client.Stream() == nil {
		on = nil
	}
	if on == nil && !a.client.Forms.Any(a.id) {
		a.away()
		return false, nil
	}
	if err := a.back(ctx); err != nil {
		return false, err
	}
	d, err := a.door.Describe(ctx, a.id)
	if err != nil {
		return false, err
	}
	if over = d.Status.State.Ended() || d.Damage != nil; !over && a.feed.Ended() { // it was revived
		a.away()
		if err := a.back(ctx); err != nil {
			return false, err
		}
	}
	a.feed.At, a.feed.Lost = d.Seq, false
	a.client.Forms.Show(on, a.id, d.Cursor(), d.Requests)
	return over, nil
}

// news returns when a request has opened or is over, or with the context's error.
func (a *asking) news(ctx context.Context) error {
	for found := false; !found; {
		if err := a.feed.Wait(ctx); err != nil {
			return err
		}
		if a.feed.Lost || a.feed.Ended() {
			return nil
		}
		if _, err := a.feed.Read(ctx, func(e *protocol.Event) bool {
			switch e.Payload.(type) {
			case *protocol.RequestOpened, *protocol.RequestResolved, *protocol.SessionEnd:
				found = true
			default:
			}
			return true
		}); err != nil {
			return err
		}
	}
	return nil
}

// back takes the session up.
func (a *asking) back(ctx context.Context) (err error) {
	if a.feed == nil {
		a.feed, err = feed.Open(ctx, a.door, a.id, "mcp form")
	}
	return err
}

func (a *asking) away() {
	if a.feed != nil {
		a.feed.Close()
		a.feed = nil
	}
}
