package elsewhere

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// takeTime bounds how long somebody who wants a change of a session waits until the session is here.
const takeTime = 20 * time.Second

// comes says that a session may come here when somebody wants a change of it: no node is known to be at it, and its files are here.
func comes(e *Elsewhere, x *entry) bool { return x.isFree() && fits(e, x) || wasHere(e, x) }

// wasHere says that retention has taken a session from this node, which is its node still, and that Core has it as it was.
func wasHere(e *Elsewhere, x *entry) bool {
	return e.cfg.Take != nil && e.cfg.Retired != nil && x.sum.Node == e.Instance() &&
		e.cfg.Retired(x.at.Session, protocol.Cursor{Epoch: x.at.Epoch, Seq: x.at.Head})
}

// fits says that a session could be here: its files are.
func fits(e *Elsewhere, x *entry) bool {
	return e.cfg.Take != nil && slices.Contains(e.cfg.Workspaces, x.in)
}

// anew asks Core whose a session is, where what is known would have a change of it be refused: it may have been given away a moment ago.
func anew(ctx context.Context, e *Elsewhere, x *entry) *entry {
	if x.isFree() || !fits(e, x) {
		return x
	}
	if now := latest(ctx, e, x); now != nil {
		return now
	}
	return x
}

// latest asks Core whose a session is, and whether that node is silent; nil: there is no such session. Where Core does not answer it is what was known. The
// list may be half a minute old while nobody looks at it; whether a session is given at last, Core says when it is to be taken.
func latest(ctx context.Context, e *Elsewhere, was *entry) *entry {
	c := e.reach.core.Load()
	if c == nil {
		return was
	}
	if e.reach.failure() != nil { // as in find
		e.asked.Store(e.cfg.Now().UnixMilli())
		return was
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	id := was.at.Session
	at, err := (*c).Positions(ctx, []string{id})
	switch {
	case err != nil:
		return was
	case at[0].Session == "":
		return nil
	}
	e.known.move(id, at[0])
	x := *was
	x.moveTo(at[0])
	if x.may != core.FailoverAuto || x.sum.Node == roster.Nobody {
		return &x
	}
	nodes, err := (*c).Nodes(ctx, false)
	if err != nil {
		return &x
	}
	for i := range nodes {
		if nodes[i].Node == x.sum.Node {
			x.sum.Unreachable = nodes[i].IsSilent()
		}
	}
	return &x
}

// pass has a session come here of which somebody wants a change, and passes the message on to it; false: the session does not come.
func pass(e *Elsewhere, x *entry, m session.Message) bool {
	u, asks := m.(ask.Undeliverable)
	if !asks || !fits(e, x) && !wasHere(e, x) {
		return false
	}
	id := x.at.Session
	go func() { // ends with Take, which ends with its context
		ctx, cancel := context.WithTimeout(e.ctx, takeTime)
		defer cancel()
		x := anew(ctx, e, x)
		if !comes(e, x) {
			u.Undelivered(x.refusal(e.Instance()))
			return
		}
		err := e.cfg.Take(ctx, id, false)
		if err == nil {
			var ref session.Ref
			if ref, err = e.Supervisor.FindAgain(ctx, id); err == nil {
				ref.Send(m)
				return
			}
		}
		u.Undelivered(problem(err))
	}()
	return true
}

// problem is what a client is told where a session did not come.
func problem(err error) error {
	var p *protocol.Problem
	if errors.As(err, &p) {
		return p
	}
	return protocol.NewProblem(protocol.CodeUnavailable, "The session is on its way to this node, and was not here in time.", "Ask again in a moment.")
}

// mostRetired bounds the sessions that wait to be listed again. Where there are more, all of the list is read.
const mostRetired = 1000

// RetiredFrom says that retention has taken a session from this node, which Core may have. It does not wait.
func RetiredFrom(e *Elsewhere) func(id string) {
	return func(id string) {
		select {
		case e.retired <- id:
		default:
			e.missed.Store(true)
		}
	}
}

// Moved says that a session has come to this node, or is not on it any more.
func (e *Elsewhere) Moved(id string) {
	e.mirrors.stop(e.Engine(), id)
	if e.isHere(id) || e.cfg.Removing(id) {
		e.known.remove(id)
		return
	}
	ctx, cancel := context.WithTimeout(e.ctx, lookTime)
	defer cancel()
	switch _, err := inCore(ctx, e, id, true); {
	case isNotFound(err):
		e.known.remove(id)
	case err != nil: // the list was read while the session was here, and does not tell of it again
		e.missed.Store(true)
		e.hasten()
	}
}
