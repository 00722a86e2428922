package launching

import (
	"context"
	"sync"
	"time"
)

const (
	perProcessor = 2               // agents that begin at once unasked: one waits for its disk or its server now and then
	patience     = 5 * time.Second // an agent that is not up by then keeps no other waiting
)

// gate lets a few agents begin at once that nobody asks for. Hundreds that all begin share the processors, so that none is up much before the last one: with
// agents that take a second of a processor, none within the minute that each has.
type gate struct{ places chan struct{} }

func newGate(places int) gate { return gate{make(chan struct{}, places)} }

// Turn is what a start waits with that nobody asks for. Its methods may be called from several goroutines, and when the start waits no longer.
type Turn struct {
	wait   context.Context // done when the start is given up
	giveUp context.CancelFunc
	hasten sync.Once
	asked  chan struct{} // closed when somebody waits for it
}

// NewTurn is given up with life at the latest.
func NewTurn(life context.Context) *Turn {
	t := &Turn{asked: make(chan struct{})}
	t.wait, t.giveUp = context.WithCancel(life)
	return t
}

// GiveUp has a start that waits fail. It must be called, also of one that has begun.
func (t *Turn) GiveUp() { t.giveUp() }

// Hasten has a start that waits begin beside the others.
func (t *Turn) Hasten() { t.hasten.Do(func() { close(t.asked) }) }

// enter waits for a place, in the order of who comes. The place is free again when leave is called, and after the patience at the latest.
func (g gate) enter(t *Turn) (leave func(), err error) {
	if err := t.wait.Err(); err != nil {
		return nil, err
	}
	select {
	case g.places <- struct{}{}:
	case <-t.asked:
		return func() {}, nil
	case <-t.wait.Done():
		return nil, t.wait.Err()
	}
	free := sync.OnceFunc(func() { <-g.places })
	late := time.AfterFunc(patience, free)
	return func() {
		late.Stop()
		free()
	}, nil
}
