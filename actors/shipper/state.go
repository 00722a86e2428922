package shipper

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// State is safe to call at any time.
func (b *book) State() State {
	now := time.Now()
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.state
	out.Problems = map[Kind]int{}
	for _, w := range b.ways {
		switch {
		case w.problem != nil:
			out.Problems[w.problem.Kind]++
		case !w.since.IsZero():
			out.Waiting++
			out.Lag = max(out.Lag, now.Sub(w.since))
			if w.log != nil && w.shown > w.at.Head {
				out.Behind += w.shown - w.at.Head
			}
		}
	}
	return out
}

// Wrong is why Core is of no use until somebody mends that, in words for everybody; "": it answers, or is merely away.
func (s *State) Wrong() (problem, hint string) {
	var access *core.AccessError
	var schema *core.SchemaError
	var full *core.FullError
	switch {
	case errors.As(s.Err, &access):
		return access.Words(), access.Hint
	case errors.As(s.Err, &schema):
		return schema.Problem(), schema.Hint()
	case errors.As(s.Err, &full):
		return full.Problem(), full.Hint()
	}
	return "", ""
}

func (b *book) count(f func(*State)) {
	b.mu.Lock()
	f(&b.state)
	b.mu.Unlock()
}

// Has says that Core is known to have a session's log up to an event. Where it is not known, the shipper finds out.
func (b *book) Has(id string, seq uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.way(id)
	if !w.has(seq) && w.problem == nil && !w.gone {
		b.enqueue(w)
	}
	return w.has(seq)
}

// Await returns true once Core has a session's log up to an event, and false with the end of ctx or of the session, or where that is not to be expected:
// Core does not answer, or takes nothing of the session.
func (b *book) Await(ctx context.Context, id string, seq uint64) bool {
	done := make(chan bool, 1)
	b.mu.Lock()
	w := b.way(id)
	if w.has(seq) || w.gone || w.problem != nil || !b.state.Up {
		defer b.mu.Unlock()
		return w.has(seq)
	}
	w.awaiting = append(w.awaiting, waiter{seq, done})
	b.enqueue(w) // of one at rest nobody asks else
	b.mu.Unlock()
	select {
	case b.hurry <- struct{}{}:
	default:
	}
	select {
	case ok := <-done:
		return ok
	case <-ctx.Done():
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for n := range w.awaiting {
		if w.awaiting[n].done == done {
			w.awaiting = append(w.awaiting[:n], w.awaiting[n+1:]...)
			break
		}
	}
	return false
}

// heard notes what became of a turn, and says whether that is new: Core answers, or does not, or not for another kind of reason.
func (b *book) heard(err error) (isNew bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	isUp := err == nil
	if isNew = b.state.Up != isUp || b.state.Since.IsZero(); isNew {
		b.state.Up, b.state.Since = isUp, time.Now()
	}
	if refused := new(*core.RefusedError); err == nil && b.state.Err != nil && !errors.As(b.state.Err, refused) { // it may be another one that answers
		b.Doubt()
	}
	isNew = isNew || reflect.TypeOf(b.state.Err) != reflect.TypeOf(err)
	b.state.Err = err
	return isNew
}

// isGone says that a session was removed.
func (b *book) isGone(i *item) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return i.way.gone
}

// drop forgets a session that Core has removed.
func (b *book) drop(i *item) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.ways, i.id)
	delete(b.claimed, i.id)
	i.way.gone = false
}

// was is the problem that was told of a session.
func (b *book) was(i *item) *Problem {
	b.mu.Lock()
	defer b.mu.Unlock()
	return i.way.problem
}

// missing enqueues a session of which Core has otherwise than the log; isLeft: or that is an earlier life's.
func (b *book) missing(id string, has protocol.Cursor, isLeft bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := b.way(id)
	w.known = w.known && w.at.Head == has.Seq && w.at.Epoch == has.Epoch && !isLeft
	b.enqueue(w)
}

// end answers all that wait.
func (b *book) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.ways {
		w.giveUp()
	}
}

// Rejoin says that a life of this node is over, since others have taken it for gone: the node joins again, and takes what is still its own.
func (b *book) Rejoin(life core.Owner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life == life {
		b.life, b.over = core.Owner{}, true
		ring(b.arrived)
	}
}

// anew says that the node is to join again, and forgets where Core stands: what it has said to the life before counts for nothing.
func (b *book) anew() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.over {
		return false
	}
	b.over = false
	for _, w := range b.ways {
		w.known = false
		b.enqueue(w)
	}
	return true
}

// Owns says that a session is this node's, although it is not as of a position that Core gives: Core has forgotten it, since it went back, and is told again.
func (b *book) Owns(p core.Position) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	claimed, ok := b.claimed[p.Session]
	return ok && standing(b.life, &p, claimed) == regain
}

// Forget says that a session is another node's from now on.
func (b *book) Forget(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.ways[id]; w != nil {
		w.giveUp()
		delete(b.ways, id)
	}
	delete(b.claimed, id)
}
