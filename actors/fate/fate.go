// Package fate is what can befall a place that is made for tests, as a database or an object store inside the process is: it is away, it is silent, and calls
// fail before or behind their work. Places have one, which is their lock as well.
package fate

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
)

// Fate is what befalls the calls of a place. The zero value is a good one.
type Fate struct {
	mu            sync.Mutex
	away, silent  bool
	before, after func(op string) error
	change        chan struct{} // closed when the fate changes; nil: nobody waits for that
}

// ErrClosed is why a call fails behind the end of its way to the place.
var ErrClosed = errors.New("closed")

var errUnreachable = errors.New("connection refused")

// Leave has calls fail at once, as where nothing can be reached, until Return.
func (f *Fate) Leave() { f.befall(func() { f.away, f.silent = true, false }) }

// FallSilent has calls wait until Return, or the end of their context.
func (f *Fate) FallSilent() { f.befall(func() { f.away, f.silent = false, true }) }

// Return ends Leave and FallSilent.
func (f *Fate) Return() { f.befall(func() { f.away, f.silent = false, false }) }

// Disturb asks both functions at each call, with its name: an error of before fails the call without having carried it out, one of after fails it
// afterwards, so that its caller does not know. nil: no more. They must not call the place.
func (f *Fate) Disturb(before, after func(op string) error) {
	f.befall(func() { f.before, f.after = before, after })
}

// Sometimes fails one call of twelve with an error, in an order that the seed gives.
func Sometimes(seed uint64, err error) func(op string) error {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(seed, 0))
	return func(string) error {
		mu.Lock()
		defer mu.Unlock()
		if random.IntN(12) == 0 {
			return err
		}
		return nil
	}
}

func (f *Fate) befall(change func()) {
	f.Hold(func() {
		change()
		if f.change != nil {
			close(f.change)
			f.change = nil
		}
	})
}

// Hold does something with the lock held, whatever befalls calls.
func (f *Fate) Hold(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// Do carries out a call with the lock held, as the place's fate has it; closed is when the way to the place has ended.
func (f *Fate) Do(ctx context.Context, closed <-chan struct{}, op string, act func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.reach(ctx, closed); err != nil {
		return err
	}
	if f.before != nil {
		if err := f.before(op); err != nil {
			return err
		}
	}
	if err := act(); err != nil {
		return err
	}
	if f.after != nil {
		return f.after(op)
	}
	return nil
}

// reach waits, for a holder of the lock, while the place is silent.
func (f *Fate) reach(ctx context.Context, closed <-chan struct{}) error {
	for {
		select {
		case <-closed:
			return ErrClosed
		default:
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case f.away:
			return errUnreachable
		case !f.silent:
			return nil
		}
		if f.change == nil {
			f.change = make(chan struct{})
		}
		change := f.change
		f.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-closed:
		case <-change:
		}
		f.mu.Lock()
	}
}
