package api

import (
	"sync"
	"time"
)

// The routes that machines ask all the time: they are no sign that somebody is there.
const (
	healthRoute  = "getHealth"
	metricsRoute = "getMetrics"
)

// activity knows when somebody has last asked for anything.
type activity struct {
	mu   sync.Mutex
	now  int       // requests and streams that are being answered
	last time.Time // one of them began or ended; zero: none has
}

// begin notes a request; its result notes that it was answered.
func (a *activity) begin() (end func()) {
	a.note(1)
	return func() { a.note(-1) }
}

func (a *activity) note(change int) {
	a.mu.Lock()
	a.now += change
	a.last = time.Now()
	a.mu.Unlock()
}

// lastAsked is when somebody last asked for anything: now, while something is being answered; zero, where nobody has.
func (a *activity) lastAsked() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now > 0 {
		return time.Now()
	}
	return a.last
}
