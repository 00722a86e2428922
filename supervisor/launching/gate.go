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

// enter waits for a place, in the order of who comes, or until asked is closed. The place is free again when leave is called, and after the patience at the
// latest.
func (g gate) enter(ctx context.Context, asked <-chan struct{}) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case g.places <- struct{}{}:
	case <-asked:
		return func() {}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	free := sync.OnceFunc(func() { <-g.places })
	late := time.AfterFunc(patience, free)
	return func() {
		late.Stop()
		free()
	}, nil
}
