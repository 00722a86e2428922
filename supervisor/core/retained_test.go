package core

import (
	"testing"
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

var retainNow = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// endedSince is a session that has ended, as an earlier daemon left it.
func endedSince(id string, old time.Duration) Found {
	return Found{Summary: &session.Summary{
		ID: id, Agent: "pi", Epoch: 1, Seq: 3, Updated: retainNow.Add(-old), Status: protocol.Status{State: protocol.StateTerminated},
	}}
}

// TestCollectIsOver: a rule that somebody has asked for once is over when what was due then has gone, also where somebody deletes a session that is being
// put away for it, where sessions change all the time, and after long idling; what is due later stays.
//
// Proves: I15.2/asked
func TestCollectIsOver(t *testing.T) {
	over := func(t *testing.T, s *State, now time.Time) {
		t.Helper()
		if s.retention.going != 0 || s.retention.asked != nil {
			t.Fatalf("%d are going still, and what was asked for is %v", s.retention.going, s.retention.asked)
		}
		if got := went(s, now.Add(48*time.Hour), &Retain{}); len(got) > 0 {
			t.Fatalf("%v went later", got)
		}
	}
	t.Run("deleted meanwhile", func(t *testing.T) {
		for name, order := range map[string][]Input{
			"parked first": {&Parked{ID: "s1", Life: 1, Yes: true}, &Ended{ID: "s1"}},
			"ended first":  {&Ended{ID: "s1"}, &Parked{ID: "s1", Life: 1, Yes: true}},
		} {
			s := shelfAt(keep.Rule{}, []Found{endedSince("s1", 2*time.Hour), endedSince("s2", 30*time.Minute)}, retainNow)
			for _, in := range append([]Input{&Find{Ticket: 1, ID: "s1"}, &Collect{Keep: &keep.Rule{For: time.Hour}}, &Delete{Ticket: 2, ID: "s1"}}, order...) {
				went(s, retainNow, in)
			}
			if s.retention.going != 1 {
				t.Fatalf("%s: %d are going, want that which is put away", name, s.retention.going)
			}
			went(s, retainNow, &ActorEnded{ID: "s1", Life: 1})
			over(t, s, retainNow)
		}
	})
	t.Run("sessions change", func(t *testing.T) {
		s := shelfAt(keep.Rule{Bytes: 1 << 40}, []Found{endedSince("s1", 2*time.Hour), endedSince("s2", 30*time.Minute)}, retainNow)
		went(s, retainNow, &Retain{})
		went(s, retainNow, &Measured{})
		changed := s.members.byID["s2"]
		changed.shelf.sized, changed.shelf.dirty = false, false
		s.show(changed) // it waits to be measured
		s.Decided()
		got := went(s, retainNow, &Collect{Keep: &keep.Rule{For: time.Hour}})
		if len(got) != 1 || got[0] != "s1" {
			t.Fatalf("%v went", got)
		}
		over(t, s, retainNow)
	})
	t.Run("becomes old meanwhile", func(t *testing.T) {
		s := shelfAt(keep.Rule{}, []Found{endedSince("s1", 2*time.Hour), endedSince("s2", 59*time.Minute)}, retainNow)
		s.retention.seen = retainNow.Add(time.Minute)
		s.Step(retainNow, &Collect{Keep: &keep.Rule{For: time.Hour}})
		s.Decided() // the removal of s1 takes its time
		if got := went(s, retainNow.Add(2*time.Minute), &Retain{}); len(got) > 0 {
			t.Fatalf("%v went, which was not due when it was asked for", got)
		}
	})
	t.Run("after idling", func(t *testing.T) {
		s := shelfAt(keep.Rule{}, nil, retainNow)
		for i := range retainTogether + 5 {
			f := endedSince(string(rune('a'+i)), 300*time.Hour)
			s.join(&member{summary: f.Summary})
		}
		s.retention.seen = retainNow.Add(-200 * time.Hour) // nobody has looked since: nothing is configured
		s.Step(retainNow, &Collect{Keep: &keep.Rule{For: 100 * time.Hour}})
		gone := 0
		for _, e := range s.Decided() {
			if _, is := e.(Discarding); is {
				gone++
			}
		}
		s.Step(retainNow.Add(retainSoon), &Retain{})
		for _, e := range s.Decided() {
			if c, is := e.(ClockStepped); is {
				t.Fatalf("idling counts as a step of the clock: %+v", c)
			}
		}
		if gone != retainTogether {
			t.Fatalf("%d go at once", gone)
		}
	})
}

// TestAsideIsLookedAtAgain: who is put aside again and again keeps nobody else there.
//
// Proves: I15.2/asked
func TestAsideIsLookedAtAgain(t *testing.T) {
	s := shelfAt(keep.Rule{For: time.Hour}, []Found{endedSince("read", 2*time.Hour), endedSince("other", 2*time.Hour)}, retainNow)
	read, other := s.members.byID["read"], s.members.byID["other"]
	s.retention.putAside(retainNow, read)
	s.retention.putAside(retainNow.Add(time.Second), other)
	for i := range 100 { // its reader stays
		s.now = retainNow.Add(time.Duration(i+1) * 50 * time.Second)
		s.retention.putAside(s.now, read)
		s.lookAgain()
	}
	if !other.shelf.until.IsZero() {
		t.Errorf("the other one waits until %v at %v", other.shelf.until, s.now)
	}
	if read.shelf.until.IsZero() || len(s.retention.aside) > 3 {
		t.Errorf("the one that is read waits until %v, and %d stand aside", read.shelf.until, len(s.retention.aside))
	}
	s.now = s.now.Add(asideFor)
	if s.lookAgain(); !read.shelf.until.IsZero() || len(s.retention.aside) != 0 {
		t.Errorf("a minute later it waits until %v, and %d stand aside", read.shelf.until, len(s.retention.aside))
	}
}

// TestMeasuredWhileItGoes: a session that was measured while its folder was going is measured again where the folder stays.
//
// Proves: I15.2/asked
func TestMeasuredWhileItGoes(t *testing.T) {
	s := shelfAt(keep.Rule{Bytes: 1000}, []Found{endedSince("s1", 2*time.Hour)}, retainNow)
	went(s, retainNow, &Retain{})
	s.Step(retainNow, &Delete{Ticket: 1, ID: "s1"})
	s.Step(retainNow, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500}}})
	s.Step(retainNow, &Removed{ID: "s1"})
	s.Decided()
	s.Step(retainNow, &Retain{})
	for _, e := range s.Decided() {
		if m, is := e.(Measure); is && len(m.IDs) == 1 {
			return
		}
	}
	t.Error("it is not measured")
}
