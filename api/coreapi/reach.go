package coreapi

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	openTime  = 10 * time.Second // bounds the opening of a way to Core
	openAgain = time.Second      // behind one that failed: whoever asks before is told the same
)

// reach is a way to Core that is opened when it is needed.
type reach struct {
	connect func(ctx context.Context) (core.Core, error)

	mu     sync.Mutex
	core   core.Core // nil: it is not open
	err    error     // of the last opening
	failed time.Time // when that was
	closed bool
}

var errClosed = errors.New("the server of Core ends")

func (r *reach) get() (core.Core, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return nil, &core.AwayError{Op: "open", Err: errClosed}
	case r.core != nil:
		return r.core, nil
	case r.err != nil && time.Since(r.failed) < openAgain:
		return nil, r.err
	}
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	c, err := r.connect(ctx)
	if err != nil {
		r.err, r.failed = err, time.Now()
		return nil, err
	}
	r.core, r.err = c, nil
	return c, nil
}

func (r *reach) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	if r.core != nil {
		r.core.Close()
	}
}
