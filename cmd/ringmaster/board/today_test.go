package board

import (
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// What was spent before today is asked for while there is a daemon to ask, and one that comes back is asked for what the one before could not say.
func TestSpentIsAskedOfADaemonThatIsThere(t *testing.T) {
	s := newStage(t, 80, 24, Options{})
	old := s.session(1, "old", protocol.StateIdle)
	old.CreatedAt, old.UpdatedAt = s.now.Add(-48*time.Hour), s.now
	old.Spent = protocol.Spent{CostMicros: 5_000_000, TotalTokens: 9}
	list := desk.Listed{Sessions: []resource.SessionSummary{old}}
	asks := func(when string, want int) (w desk.ReadSpent) {
		t.Helper()
		got := wished[desk.ReadSpent](s)
		if len(got) != want {
			t.Fatalf("%s: %+v", when, got)
		}
		if want > 0 {
			w = got[0]
		}
		return w
	}
	answer := func(w desk.ReadSpent) desk.SpentBefore {
		return desk.SpentBefore{Session: w.Session, Since: w.Since, Err: "no"}
	}
	s.news(list)
	asks("before the list is read as a whole", 0)
	s.news(desk.Connection{Up: true})
	w := asks("the list is current", 1)
	gone := answer(w)
	gone.Away = true
	s.news(gone)
	asks("nobody has answered", 0)
	s.news(desk.Connection{Why: "no daemon answers"}, list)
	asks("the daemon is away", 0)
	for range 3 {
		s.news(desk.Connection{Up: true})
		w = asks("it is back", 1)
		s.news(answer(w))
		w = asks("it could not say", 1)
		s.news(answer(w))
		asks("it could not say twice", 0)
	}
	s.news(desk.Connection{Up: true})
	for range 3 {
		w = asks("nobody was asked", 1)
		s.news(desk.Done{Wish: w, Err: "too much is on its way"})
		asks("at once", 0)
		s.news(list)
	}
	w = asks("the list has changed", 1)
	s.misses("today")
	s.news(desk.SpentBefore{Session: w.Session, Since: w.Since, Before: protocol.Spent{CostMicros: 4_000_000, TotalTokens: 8}})
	s.sees("$ 1.00 today")
}
