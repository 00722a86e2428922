package needs

import (
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// What was spent today is said when all of it is known: of sessions that were made before, what they have spent since midnight. Where a session tells no cost it is
// said that there is one; and where nothing was spent, nothing is said.
func TestToday(t *testing.T) {
	zone := time.FixedZone("far", 9*3600)
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, zone)
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, zone)
	var r Roster
	var day Today
	put := func(id string, made, changed time.Time, micros, tokens int64) {
		r.Put(resource.SessionSummary{ID: id, CreatedAt: made, UpdatedAt: changed, Spent: protocol.Spent{CostMicros: micros, TotalTokens: tokens}})
		day.Changed()
	}
	says := func(want string) {
		t.Helper()
		if got := day.Words(&r, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	says("")
	put("yesterday", midnight.Add(-time.Hour), midnight.Add(-time.Minute), 9_000_000, 10)
	put("idle", midnight.Add(time.Hour), now, 0, 0)
	says("")
	put("made today", midnight, now, 4_999, 10)
	says("")
	put("made today", midnight, now, 1_250_000, 10)
	says("$ 1.25 today")
	put("older", midnight.Add(-time.Hour), now, 5_000_000, 10)
	says("")
	s, since, is := day.Ask(&r, now)
	if !is || s.ID != "older" || !since.Equal(midnight) {
		t.Fatalf("%+v, %v, %v", s, since, is)
	}
	if _, _, is := day.Ask(&r, now); is {
		t.Error("two are asked for at once")
	}
	day.Have("older", since, protocol.Spent{CostMicros: 4_000_000, TotalTokens: 5})
	says("$ 2.25 today")
	put("older", midnight.Add(-time.Hour), now, 5_500_000, 10)
	says("$ 2.75 today")
	put("free", midnight, now, 0, 10)
	put("far", midnight.Add(-time.Hour), now, 7_000_000, 10)
	for range maxTries {
		says("")
		s, since, _ = day.Ask(&r, now)
		day.Untried(s.ID, since) // is no try
		s, since, _ = day.Ask(&r, now)
		day.Failed(s.ID, since, false)
	}
	if _, _, is := day.Ask(&r, now); is {
		t.Error("it is asked for ever")
	}
	says("$ 2.75 today, 2 unknown")
	day.Again() // the daemon has come back
	says("")
	s, since, _ = day.Ask(&r, now)
	day.Failed(s.ID, since, true)
	day.Again()
	if _, _, is := day.Ask(&r, now); is {
		t.Error("what is too far is asked for again")
	}
	says("$ 2.75 today, 2 unknown")
	r.Put(resource.SessionSummary{ID: "priced", CreatedAt: midnight, UpdatedAt: now, Spent: protocol.Spent{CostMicros: 250_000, EstimatedMicros: 250_000, TotalTokens: 1}})
	day.Changed()
	says("about $ 3.00 today, 2 unknown")
	now = now.Add(24 * time.Hour) // nothing has happened since
	says("")
	put("made today", midnight, now, 1_250_000, 10)
	s, since, is = day.Ask(&r, now)
	day.Have(s.ID, midnight, protocol.Spent{CostMicros: 1}) // late, and of yesterday
	says("")
	if day.Have(s.ID, since, protocol.Spent{CostMicros: 1_000_000}); !is || s.ID != "made today" {
		t.Errorf("%+v", s)
	}
	says("$ 0.25 today")
}

// A session of before today that tells no cost counts where it has used a model today: not where it was only renamed.
func TestTodayOfRenamedSessions(t *testing.T) {
	now := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	midnight := now.Truncate(24 * time.Hour)
	var r Roster
	var day Today
	put := func(id string, made time.Time, spent protocol.Spent) {
		r.Put(resource.SessionSummary{ID: id, CreatedAt: made, UpdatedAt: now, Spent: spent})
		day.Changed()
	}
	says := func(want string) {
		t.Helper()
		if got := day.Words(&r, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	answer := func(id string, before protocol.Spent) {
		t.Helper()
		s, since, is := day.Ask(&r, now)
		if !is || s.ID != id {
			t.Fatalf("%+v, %v", s, is)
		}
		day.Have(id, since, before)
	}
	put("today", midnight, protocol.Spent{CostMicros: 1_000_000, TotalTokens: 1})
	put("renamed", midnight.Add(-time.Hour), protocol.Spent{TotalTokens: 10})
	says("")
	answer("renamed", protocol.Spent{TotalTokens: 10})
	says("$ 1.00 today")
	put("renamed", midnight.Add(-time.Hour), protocol.Spent{TotalTokens: 12}) // and at work
	says("$ 1.00 today, 1 unknown")
	estimated := protocol.Spent{CostMicros: 2_000_000, EstimatedMicros: 2_000_000, TotalTokens: 10}
	put("estimated", midnight.Add(-time.Hour), estimated)
	answer("estimated", estimated)
	says("$ 1.00 today, 1 unknown")
	estimated.TotalTokens++ // with another model, of which nobody knows what it costs
	put("estimated", midnight.Add(-time.Hour), estimated)
	says("$ 1.00 today, 2 unknown")
	estimated.CostMicros += 500_000 // which its agent says in the end
	put("estimated", midnight.Add(-time.Hour), estimated)
	says("$ 1.50 today, 1 unknown")
}
