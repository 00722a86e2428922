package daemon

import (
	"sync"
	"time"
)

// defaultPassiveAge is the supervisor's.
const defaultPassiveAge = 15 * time.Minute

// idle looks whether a daemon has still something to do.
type idle struct {
	ended chan struct{} // closed when it has not

	mu     sync.Mutex // guards the rest
	over   bool       // stop was called, or ended is closed
	halt   chan struct{}
	halted chan struct{}
}

func newIdle() *idle { return &idle{ended: make(chan struct{})} }

// looks is how often is looked, of the time that has to pass.
const looks = 20

// watch looks from now on, in the place of what was looked before; after 0 it does not. quiet says since when there is nothing to do; zero:
// there is.
func (i *idle) watch(after time.Duration, quiet func() time.Time) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rest()
	if after <= 0 || i.over {
		return
	}
	halt, halted := make(chan struct{}), make(chan struct{})
	i.halt, i.halted = halt, halted
	go func() { // ends with rest, or when there is nothing to do
		defer close(halted)
		look := time.NewTicker(max(after/looks, time.Millisecond))
		defer look.Stop()
		for {
			select {
			case <-look.C:
			case <-halt:
				return
			}
			if since := quiet(); !since.IsZero() && time.Since(since) >= after {
				close(i.ended)
				return
			}
		}
	}()
}

// rest ends the looking. Once it has found something it does not begin again.
func (i *idle) rest() {
	if i.halt == nil {
		return
	}
	close(i.halt)
	<-i.halted
	i.halt = nil
	select {
	case <-i.ended:
		i.over = true
	default:
	}
}

func (i *idle) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.rest()
	i.over = true
}

// Idle is closed when nobody has asked the daemon for anything for Config's IdleExit, and all its sessions rest. It ends itself then, where
// its caller so wishes.
func (d *Daemon) Idle() <-chan struct{} { return d.idle.ended }

// quiet is since when there is nothing to do; zero: there is.
func (d *Daemon) quiet() time.Time {
	if h := d.super.Health(); h.Live > 0 || h.Agents > 0 {
		return time.Time{}
	}
	if asked := d.api.LastAsked(); asked.After(d.began) {
		return asked
	}
	return d.began
}
