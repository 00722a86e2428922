package core

import (
	"strconv"
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
			s.join(newMember(f.Summary))
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
	if other.shelf.until != 0 {
		t.Errorf("the other one waits until %v at %v", other.shelf.until, s.now)
	}
	if read.shelf.until == 0 || len(s.retention.aside) > 3 {
		t.Errorf("the one that is read waits until %v, and %d stand aside", read.shelf.until, len(s.retention.aside))
	}
	s.now = s.now.Add(asideFor)
	if s.lookAgain(); read.shelf.until != 0 || len(s.retention.aside) != 0 {
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

// TestEndCanBeRead: a session that has just ended is there for a while although there is more than may be; by its age it goes when it is due.
func TestEndCanBeRead(t *testing.T) {
	for _, c := range []struct {
		name string
		rule keep.Rule
		asks bool
		old  time.Duration
		goes bool
	}{
		{"just ended", keep.Rule{Bytes: 1}, false, 0, false},
		{"read for less than a minute", keep.Rule{Bytes: 1}, false, keep.EndedFor - time.Second, false},
		{"read long enough", keep.Rule{Bytes: 1}, false, keep.EndedFor, true},
		{"a clock that was a little ahead", keep.Rule{Bytes: 1}, false, -time.Second, false},
		{"a clock that was far ahead", keep.Rule{Bytes: 1}, false, -time.Hour, true},
		{"too much, as somebody says", keep.Rule{Bytes: 1}, true, time.Second, false},
		{"too old", keep.Rule{For: time.Second}, false, time.Second, true},
		{"too old, as somebody says", keep.Rule{For: time.Second}, true, time.Second, true},
	} {
		configured, inputs := c.rule, []Input{&Retain{}, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500}}}}
		if c.asks {
			configured, inputs[0] = keep.Rule{}, &Collect{Keep: &c.rule}
		}
		s := shelfAt(configured, []Found{endedSince("s1", c.old)}, retainNow)
		all := s.Shelved()
		all[0].Bytes = 500
		if planned := len(keep.Plan(all, &c.rule, retainNow)) > 0; planned != c.goes {
			t.Errorf("%s: it goes by the plan: %v", c.name, planned)
		}
		var got []string
		for _, in := range inputs {
			got = append(got, went(s, retainNow, in)...)
		}
		if len(got) > 0 != c.goes {
			t.Errorf("%s: %v went", c.name, got)
		}
		for range 2 {
			got = append(got, went(s, retainNow.Add(2*keep.EndedFor), &Retain{})...)
		}
		if len(got) != 1 && !c.asks {
			t.Errorf("%s: %v went later", c.name, got)
		}
	}
}

// TestLinesThatStay: a daemon that measures nothing by itself does so for a rule that somebody gives; native lines that the disk does not let go are tried again
// a minute later and not at once, and keep no daemon from its end.
func TestLinesThatStay(t *testing.T) {
	s := shelfAt(keep.Rule{}, []Found{endedSince("s1", 2*time.Hour)}, retainNow)
	rule := &keep.Rule{Bytes: 450}
	drops := func(now time.Time, in Input) (n int) {
		t.Helper()
		s.Step(now, in)
		for decided := s.Decided(); len(decided) > 0; decided = decided[1:] {
			switch e := decided[0].(type) {
			case Measure:
				s.Step(now, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500, Raw: 100}}})
				decided = append(decided, s.Decided()...)
			case DropArchive:
				n++
			case Discarding:
				t.Fatalf("%+v", e)
			default:
			}
		}
		return n
	}
	if n := drops(retainNow, &Collect{Keep: rule}); n != 1 {
		t.Fatalf("%d are dropped", n)
	}
	if n := drops(retainNow, &Dropped{ID: "s1"}) + drops(retainNow, &Collect{Keep: rule}) + drops(retainNow, &Retain{}); n > 0 {
		t.Errorf("%d times more at once", n)
	}
	s.Step(retainNow.Add(asideFor), &Retain{})
	s.Decided()
	if n := drops(retainNow.Add(asideFor), &Collect{Keep: rule}); n != 1 {
		t.Errorf("%d times a minute later", n)
	}
	s.Step(retainNow.Add(asideFor), &Drain{Ticket: 1})
	if s.drain.over {
		t.Error("the daemon has ended before they were")
	}
	s.Step(retainNow.Add(asideFor), &Dropped{ID: "s1", Done: true})
	if !s.drain.over {
		t.Error("the daemon does not end")
	}
}

// TestOneStepIsBounded: however many sessions there are, a step looks at few of them and has few measured.
func TestOneStepIsBounded(t *testing.T) {
	var found []Found
	for i := range 1000 {
		f := endedSince("s"+strconv.Itoa(i), 2*time.Hour)
		asks(f.Summary)
		found = append(found, f)
	}
	s := shelfAt(keep.Rule{For: time.Hour, Bytes: 1 << 40}, found, retainNow)
	s.retention.seen = retainNow
	s.Step(retainNow, &Retain{})
	for _, e := range s.Decided() {
		if m, is := e.(Measure); is && len(m.IDs) != measureTogether {
			t.Errorf("%d are measured", len(m.IDs))
		}
	}
	if n := len(s.retention.aside); n != retainLooks {
		t.Errorf("%d were looked at", n)
	}
}

// TestLargeTreesGoInPieces: a tree of thousands is gone for everybody at once, and its folders are removed a few at a time, also where the daemon ends meanwhile.
func TestLargeTreesGoInPieces(t *testing.T) {
	const all = 5000
	for _, drains := range []bool{false, true} {
		found := []Found{endedSince("s", 2*time.Hour)}
		for i := range all - 1 {
			f := endedSince("s"+strconv.Itoa(i), 3*time.Hour)
			f.Summary.ParentSessionID = "s"
			found = append(found, f)
		}
		s := shelfAt(keep.Rule{For: time.Hour}, found, retainNow)
		s.retention.seen = retainNow
		hidden, most, over := 0, 0, false
		under := map[string]bool{}
		gone := map[string]bool{}
		take := func(in Input) {
			s.Step(retainNow, in)
			for _, e := range s.Decided() {
				switch e := e.(type) {
				case Hide:
					hidden++
				case Remove:
					under[e.ID] = true
				case Close:
					over = true
				default:
				}
			}
			most = max(most, len(under))
		}
		for range 2 { // in the first one the others are put behind the newest
			began := time.Now()
			take(&Retain{})
			t.Logf("%d have gone in %v", hidden, time.Since(began))
		}
		if hidden != all || len(under) != retainTogether {
			t.Fatalf("%d are hidden, and %d are being removed", hidden, len(under))
		}
		if drains {
			take(&Drain{Ticket: 1})
		}
		for len(under) > 0 {
			if over {
				t.Fatal("the daemon has ended before all were gone")
			}
			for id := range under {
				delete(under, id)
				gone[id] = true
				take(&Removed{ID: id, Done: true})
				break
			}
		}
		if most != retainTogether || len(gone) != all || len(s.members.byID) > 0 || over != drains {
			t.Errorf("at most %d at once, %d of %d are gone, %d are left, the daemon has ended: %v", most, len(gone), all, len(s.members.byID), over)
		}
	}
}
