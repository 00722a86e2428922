package access

import (
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rate limits how fast a principal makes sessions, as a token bucket. Each session costs a folder, a process and a line in every list, also
// when it is deleted at once.
type rate struct {
	now  func() time.Time
	each float64 // sessions a second, of a principal that is no agent

	mu sync.Mutex
	of map[string]*bucket // by share; principals that have made none for long are not in it
}

type bucket struct {
	has   float64 // sessions that may be made
	since time.Time
}

// The rates for principals that are no agents, and for agents. Both are at least one a second, so that the Retry-After of one second is right.
const (
	makesAtOnce                           = 1000
	agentMakesAtOnce, agentMakesPerSecond = 32, 1
	ratesKept                             = 1024 // principals; beyond it those that have all again are forgotten
)

func newRate(each int) *rate {
	return &rate{now: time.Now, each: float64(each), of: map[string]*bucket{}}
}

func (r *rate) ratesOf(p *Principal) (most, each float64) {
	if p.Scope == Agent {
		return agentMakesAtOnce, agentMakesPerSecond
	}
	return makesAtOnce, r.each
}

// take counts the making of one session; back takes the count back where no session was made.
func (r *rate) take(p *Principal) (back func(), err error) {
	most, each := r.ratesOf(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	b := r.of[p.Share()]
	if b == nil {
		if len(r.of) >= ratesKept {
			r.forget(now)
		}
		b = &bucket{most, now}
		r.of[p.Share()] = b
	}
	b.has = min(most, b.has+each*max(0, now.Sub(b.since).Seconds())) // a clock may be set back
	b.since = now
	if b.has < 1 {
		return nil, &protocol.Problem{
			Code: protocol.CodeRateLimited, Detail: "Sessions are made too fast with this token.",
			Hint: "Send further messages to those that are there, or wait a second for each.",
		}
	}
	b.has--
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		b.has++
	}, nil
}

// forget drops buckets that are full again, by the rates of agents, which are the slowest. With mu held.
func (r *rate) forget(now time.Time) {
	for who, b := range r.of {
		if b.has+agentMakesPerSecond*now.Sub(b.since).Seconds() >= makesAtOnce {
			delete(r.of, who)
		}
	}
}
