// Package coldtest is what shows that nobody can tell whether events are in rows or in objects: a Core that moves them all the time, which must pass the suite
// of package coretest, and a suite of its own about compactors that fight.
package coldtest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// eager is a Core of which whatever was appended goes into objects at once, or three appends later.
type eager struct {
	core.Core
	store objects.Store
	calls atomic.Int64
	moved *atomic.Int64
}

// Of opens a store that is open.
func Of(s objects.Store) func() (objects.Store, error) {
	return func() (objects.Store, error) { return s, nil }
}

// Eager joins a Core and a store, and moves events all the time; moved counts the segments.
func Eager(c core.Core, s objects.Store, moved *atomic.Int64) core.Core {
	return &eager{Core: cold.Join(c, Of(s)), store: s, moved: moved}
}

func (e *eager) Append(ctx context.Context, batches []core.Batch) ([]core.Answer, error) {
	answers, err := e.Core.Append(ctx, batches)
	c := &cold.Compactor{Core: e.Core, Store: e.store, Full: 1 << 20, Rest: time.Nanosecond}
	switch e.calls.Add(1) % 6 {
	case 0, 1, 2:
		c.Full = 1 // a segment for each row
	case 3, 4:
		return answers, err // the next one has several
	}
	r, _ := c.Pass(ctx) // what has kept it from moving something is not what is asked here
	e.moved.Add(int64(r.Segments))
	return answers, err
}
