package access

import (
	"errors"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestSessionsAreMadeAtARate: so many at once and then so many a second, each principal by itself; what makes none costs nothing.
func TestSessionsAreMadeAtARate(t *testing.T) {
	f := newForest()
	g := NewGate(f, 10)
	now := time.Unix(1000, 0)
	g.made.now = func() time.Time { return now }
	makes := func(p *Principal) error {
		_, err := g.Create(With(t.Context(), p), supervisor.NewSession{Agent: "a"})
		return err
	}
	limited := func(err error) bool {
		var p *protocol.Problem
		return errors.As(err, &p) && p.Code == protocol.CodeRateLimited && p.Hint != ""
	}
	agent := &Principal{ID: "k1", Scope: Agent, Session: ann, Owner: "ann"}
	for n := range agentMakesAtOnce {
		if err := makes(agent); err != nil {
			t.Fatalf("%d: %v", n, err)
		}
	}
	if err := makes(&Principal{ID: "k2", Scope: Agent, Session: ann, Owner: "ann"}); !limited(err) { // the next agent of the session
		t.Errorf("one more: %v", err)
	}
	if err := makes(Root); err != nil {
		t.Errorf("another: %v", err)
	}
	now = now.Add(time.Second)
	if err := makes(agent); err != nil {
		t.Errorf("a second later: %v", err)
	}
	if err := makes(agent); !limited(err) {
		t.Errorf("two a second: %v", err)
	}
	now = now.Add(time.Second)
	f.fails = supervisor.NotFound()
	for range 3 {
		if err := makes(agent); !isNotFound(err) {
			t.Errorf("none was made: %v", err)
		}
	}
	f.fails = nil
	if err := makes(agent); err != nil {
		t.Errorf("after those that were not made: %v", err)
	}
}

// TestSessionRate: how many sessions a principal makes in a second, after those at once, is a setting; an agent's is not.
func TestSessionRate(t *testing.T) {
	r := newRate(3)
	now := time.Unix(1000, 0)
	r.now = func() time.Time { return now }
	made := func(p *Principal) (n int) {
		for {
			if _, err := r.take(p); err != nil {
				return n
			}
			n++
		}
	}
	agent := &Principal{ID: "k", Scope: Agent, Session: ann}
	if a, b := made(Root), made(agent); a != makesAtOnce || b != agentMakesAtOnce {
		t.Errorf("at once: %d, an agent %d", a, b)
	}
	now = now.Add(2 * time.Second)
	if a, b := made(Root), made(agent); a != 6 || b != 2 {
		t.Errorf("in two seconds: %d, an agent %d", a, b)
	}
}

func TestRatesAreForgotten(t *testing.T) {
	r := newRate(10)
	now := time.Unix(1000, 0)
	r.now = func() time.Time { return now }
	for n := range 3 * ratesKept {
		if _, err := r.take(&Principal{ID: string(rune('a' + n)), Scope: Owner, Owner: "o"}); err != nil {
			t.Fatal(err)
		}
		if n%ratesKept == 0 {
			now = now.Add(time.Hour)
		}
	}
	if n := len(r.of); n > 2*ratesKept {
		t.Errorf("%d are kept", n)
	}
}

// A clock that is set back takes nothing from who may make sessions.
func TestRateOutlivesTheClock(t *testing.T) {
	r := newRate(10)
	now := time.Unix(1_000_000, 0)
	r.now = func() time.Time { return now }
	for _, step := range []time.Duration{0, -time.Hour} {
		now = now.Add(step)
		if _, err := r.take(Root); err != nil {
			t.Errorf("%v later: %v", step, err)
		}
	}
}
