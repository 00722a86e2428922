package placement

import (
	"context"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// mover has sessions move. One goroutine does all of it; others leave it word.
type mover struct {
	*hand
	taker  *taker
	giver  *giver
	claims *claimer
	tidier *tidier
	done   chan struct{}

	late  map[string]bool // sessions that others have, and that were not gone in their time; of the goroutine
	word  chan struct{}   // one slot: there may be something to do
	asked chan *asking

	mu     sync.Mutex
	fenced map[string]core.Position // sessions that others have now
}

const mostAsked = 100

func newMover(ctx context.Context, cfg *Config, g *gate, beat chan<- struct{}) *mover {
	h := &hand{Node: cfg.Node, ctx: ctx, cfg: cfg, gate: g}
	t := newTaker(h)
	return &mover{
		hand: h, taker: t, giver: &giver{hand: h, back: t.owes, given: map[string]uint64{}, parted: map[string]uint64{}},
		claims: &claimer{t, beat}, tidier: &tidier{hand: h},
		done: make(chan struct{}), word: make(chan struct{}, 1), asked: make(chan *asking, mostAsked),
		fenced: map[string]core.Position{}, late: map[string]bool{},
	}
}

func (m *mover) wake() {
	select {
	case m.word <- struct{}{}:
	default:
	}
}

// Fenced says that a session is not this node's any more, as of the position that Core has given. It does not wait.
func (m *mover) Fenced(at core.Position) {
	m.mu.Lock()
	m.fenced[at.Session] = at
	m.mu.Unlock()
	m.wake()
}

// Take has a session go on here, with its family, where Core gives it: one that nobody has, or whose node is gone. revive: also one that stays with its node,
// where that one has left for good. Errors are *protocol.Problem, and that of ctx.
func (m *mover) Take(ctx context.Context, id string, revive bool) error {
	if m.refuses(id) { // at once: the goroutine is at what goes
		return errDraining
	}
	a := &asking{ctx, id, revive, make(chan error, 1)}
	select {
	case m.asked <- a:
	default:
		return &protocol.Problem{Code: protocol.CodeOverloaded, Detail: "Too many sessions are on their way to this node.", Hint: "Ask again in a moment."}
	}
	select {
	case err := <-a.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-m.done:
		return unavailable("The daemon is shutting down.", "Ask again once it runs again, or ask another node.")
	}
}

// run is the mover's goroutine.
func (m *mover) run() {
	defer close(m.done)
	defer m.leave()
	for {
		t := time.NewTimer(m.rest())
		select {
		case <-m.ctx.Done():
			t.Stop()
			return
		case <-m.word:
		case <-t.C:
		case x := <-m.taker.through:
			m.taker.ready = append(m.taker.ready, x)
			if m.taker.land(); !m.taker.more {
				t.Stop()
				continue
			}
		case a := <-m.asked:
			if a.ctx.Err() == nil {
				m.take(a)
			}
			t.Stop()
			continue
		}
		t.Stop()
		if err := m.turn(); err != nil && m.ctx.Err() == nil {
			m.cfg.Log.Warn("sessions that move", zap.Error(err))
		}
	}
}

// leave gives the way to Core back, once nobody makes a log any more.
func (m *mover) leave() {
	m.taker.making.Wait()
	if m.core != nil {
		m.core.Close()
	}
}

// rest is how long there is nothing to do, where nobody says anything.
func (m *mover) rest() time.Duration {
	if m.next.IsZero() {
		return time.Hour
	}
	return max(time.Until(m.next), 0)
}

// turn does what there is to do.
func (m *mover) turn() error {
	m.next, m.taker.more = time.Time{}, false
	m.letGo()
	life, alive, looked := m.gate.is(time.Now())
	if !alive {
		return nil
	}
	if err := m.connect(); err != nil {
		return err
	}
	if !looked {
		if err := m.survey(life); err != nil {
			return err
		}
		m.letGo()
		m.gate.looked(life, time.Now())
	}
	if err := m.giver.release(life); err != nil {
		return err
	}
	m.taker.land()
	m.taker.settleOwed()
	m.tidier.tidy(time.Now())
	if m.giver.isDraining() {
		return m.giver.drain(life)
	}
	return m.claims.claim(life)
}

// take has a session come here that somebody asks for.
func (m *mover) take(a *asking) {
	if m.refuses(a.id) {
		a.done <- errDraining
		return
	}
	m.claims.take(a)
}

// refuses says that a session does not come here since the node drains.
func (m *mover) refuses(id string) bool { return m.giver.isDraining() && !m.Knows(id) }

var errDraining = unavailable("This node is draining, and takes no sessions.", "Ask another node.")
