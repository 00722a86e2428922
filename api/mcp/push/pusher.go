package push

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// pusher pushes the log of one session to one client, while that listens.
type pusher struct {
	door    *control.Door
	recents *feed.Recents
	client  *client.Client
	id      string
	since   uint64 // seq after which the client is told

	feed  *feed.Feed
	leave func() // what other feeds have decoded
	view  *protocol.Push
	last  uint64 // seq of the last event that view has seen
}

// run ends when the session has ended and everything was pushed, or when that is not possible.
func (p *pusher) run(ctx context.Context) error {
	defer p.away()
	for {
		out := p.client.Listening(ctx)
		if out == nil {
			return ctx.Err()
		}
		if over, err := p.attend(ctx, out); over || err != nil {
			return err
		}
		if p.client.Stream() == nil {
			p.away()
		}
	}
}

// attend pushes as long as out is the client's stream; over says that there is nothing more to push.
func (p *pusher) attend(ctx context.Context, out *stream.Writer) (over bool, err error) {
	listening, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(out.Life, cancel)()
	for p.client.Stream() == out {
		if err := p.back(ctx); err != nil {
			return false, err
		}
		out.Hold()
		err := p.push(ctx, out)
		over := p.feed.Ended()
		if d := p.feed.Reader.Damage; err == nil && over && d != nil { // what was pushed is not all
			err = sendDamage(ctx, p.client.Session, pushedDamage{protocol.TypeDamage, p.id, d})
		}
		out.Release()
		if err != nil || over {
			return true, err
		}
		if err := p.feed.Wait(listening); err != nil && listening.Err() == nil {
			return false, err
		}
	}
	return false, nil
}

// away lets go of the session: who does not listen keeps nothing of it.
func (p *pusher) away() {
	if p.leave != nil {
		p.leave()
		p.feed.Close()
		p.leave = nil
	}
}

// back takes the session up, also when its log has become another one.
func (p *pusher) back(ctx context.Context) error {
	var err error
	switch {
	case p.feed == nil:
		p.feed, err = feed.Open(ctx, p.door, p.id, "mcp push")
		p.view = protocol.NewPush(p.id)
	case p.leave == nil:
		err = p.feed.Rejoin(ctx)
	case p.feed.Lost:
		p.leave()
	default:
		return nil
	}
	if err == nil {
		p.leave = p.recents.Share(p.feed)
	}
	return err
}

// push pushes what is there, as long as out is the client's stream.
func (p *pusher) push(ctx context.Context, out *stream.Writer) error {
	var failed error
	if p.feed.Lost { // what was pushed is void
		p.feed.At, p.feed.Lost = 0, false
		p.since, p.last, p.view = 0, 0, protocol.NewPush(p.id)
		failed = p.reset(ctx)
	}
	_, err := p.feed.Read(ctx, func(e *protocol.Event) bool {
		if failed == nil {
			failed = p.event(ctx, e)
		}
		return failed == nil && p.client.Stream() == out
	})
	if failed != nil {
		return failed
	}
	return err
}

func (p *pusher) event(ctx context.Context, e *protocol.Event) error {
	if e.Seq != p.last+1 { // retention was faster
		p.view = protocol.NewPush(p.id)
		if e.Seq > p.since+1 {
			if err := p.reset(ctx); err != nil {
				return err
			}
		}
	}
	p.last = e.Seq
	it, ok := p.view.Item(e)
	fresh := e.Seq > p.since
	if !ok || !fresh {
		return nil
	}
	it.Brief(0)
	failpoint.Hit("push/beforePush")
	err := Log(ctx, p.client.Session, it)
	failpoint.Hit("push/afterPush")
	return err
}

// reset tells the client that events are missing (spec §8.4).
func (p *pusher) reset(ctx context.Context) error {
	oldest, newest := p.feed.Reader.Log.Bounds()
	return sendReset(ctx, p.client.Session, pushedReset{protocol.TypeReset, p.id, p.feed.Epoch, oldest, newest})
}
