package core

import (
	"testing"
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// aged is a core with a session that is due, below another one, after a change of it.
func aged(change func(*State, *member)) *State {
	below := endedSince("s2", 2*time.Hour)
	below.Summary.ParentSessionID = "s1"
	s := shelfAt(keep.Rule{For: time.Hour}, []Found{endedSince("s1", 2*time.Hour), below}, retainNow)
	s.retention.seen = retainNow
	x := s.members.byID["s2"]
	change(s, x)
	s.show(x)
	s.Decided()
	return s
}

// about is a change of the summary.
func about(change func(*session.Summary)) func(*State, *member) {
	return func(_ *State, x *member) {
		sum := *x.summary
		change(&sum)
		x.summary = &sum
	}
}

func of(change func(*member)) func(*State, *member) {
	return func(_ *State, x *member) { change(x) }
}

// TestWhatStays: whatever somebody may still need of a session keeps it with its tree, and a plan says so.
func TestWhatStays(t *testing.T) {
	if got := went(aged(of(func(*member) {})), retainNow, &Retain{}); len(got) != 2 {
		t.Fatalf("%v went, where nothing keeps them", got)
	}
	for name, change := range map[string]func(*State, *member){
		"it is pinned":                 about(func(x *session.Summary) { x.Pinned = true }),
		"it asks":                      about(func(x *session.Summary) { x.Open = []protocol.OpenRequest{{}} }),
		"prompts wait":                 about(func(x *session.Summary) { x.Status.QueuedPrompts = 1 }),
		"it was found damaged":         about(func(x *session.Summary) { x.Damage = new(protocol.Damage) }),
		"it is damaged":                of(func(x *member) { x.damaged = true }),
		"a newer build wrote it":       of(func(x *member) { x.unread = true }),
		"somebody asks for it":         of(func(x *member) { x.stir().found = []Ticket{1} }),
		"somebody writes to it":        of(func(x *member) { x.stir().letters = []Letter{{}} }),
		"it is on its way elsewhere":   of(func(x *member) { x.stir().sealed = new(sealed) }),
		"it is to be deleted":          of(func(x *member) { x.stir().listed = []*Delete{{}} }),
		"its making is asked again":    of(func(x *member) { x.stir().repeats = []Ticket{1} }),
		"it is being made":             of(func(x *member) { x.making = true }),
		"its maker waits":              of(func(x *member) { x.stir().creating = 1 }),
		"its log is to be looked at":   of(func(x *member) { x.stale = true }),
		"its news are to be told":      of(func(x *member) { x.untold = true }),
		"it was left at work":          of(func(x *member) { x.open = true }),
		"it is being taken up":         of(func(x *member) { x.opening = true }),
		"a process is left":            of(func(x *member) { x.process = true }),
		"it has an agent":              of(func(x *member) { x.linked = 1 }),
		"an agent is being started":    of(func(x *member) { x.wanted = 1 }),
		"it has not ended, and is up":  func(s *State, x *member) { about(idle)(s, x); s.members.lives(x, true) },
		"it is up, and is being made":  func(s *State, x *member) { s.members.lives(x, true); x.making = true },
		"it is up, and asks":           func(s *State, x *member) { s.members.lives(x, true); about(asks)(s, x) },
		"it is up, and is taken up":    func(s *State, x *member) { s.members.lives(x, true); x.opening = true },
		"it is up, an agent is wanted": func(s *State, x *member) { s.members.lives(x, true); x.wanted = 1 },
		"it is up, its maker waits":    func(s *State, x *member) { s.members.lives(x, true); x.stir().creating = 1 },
	} {
		s := aged(change)
		s.Step(retainNow, &Retain{})
		for _, e := range s.Decided() {
			switch e.(type) {
			case Discarding, Park:
				t.Errorf("%s: %+v", name, e)
			default:
			}
		}
		for _, x := range s.Shelved() {
			if x.ID == "s2" && x.Stays == "" {
				t.Errorf("%s: a plan has it go", name)
			}
		}
	}
}

func idle(x *session.Summary) { x.Status.State = protocol.StateIdle }
func asks(x *session.Summary) { x.Open = []protocol.OpenRequest{{}} }

// TestWhatIsPutAwayFirst: an actor of a session that has ended, with what it has still at hand, keeps nothing: it is put away, and then the session goes.
func TestWhatIsPutAwayFirst(t *testing.T) {
	for name, change := range map[string]func(x *member){
		"nothing":               func(*member) {},
		"a process":             func(x *member) { x.process = true },
		"an agent":              func(x *member) { x.linked = 1 },
		"was found at work":     func(x *member) { x.open = true },
		"a log to be looked at": func(x *member) { x.stale = true },
	} {
		s := aged(func(s *State, x *member) { s.members.lives(x, true); change(x) })
		s.Step(retainNow, &Retain{})
		parked := 0
		for _, e := range s.Decided() {
			switch e := e.(type) {
			case Discarding:
				t.Errorf("%s: %+v", name, e)
			case Park:
				parked++
			default:
			}
		}
		if parked != 1 {
			t.Errorf("%s: %d are put away", name, parked)
		}
	}
}

// TestSteppedClockMakesNothingOld: while age counts for nothing, what has not ended does not go for the room that it takes either.
func TestSteppedClockMakesNothingOld(t *testing.T) {
	f := endedSince("s1", 30*time.Hour)
	idle(f.Summary)
	s := shelfAt(keep.Rule{Bytes: 1}, []Found{f}, retainNow)
	s.retention.seen = retainNow.Add(-30 * time.Hour)
	got := went(s, retainNow, &Retain{})
	got = append(got, went(s, retainNow, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500}}})...)
	if len(got) > 0 {
		t.Fatalf("%v went", got)
	}
	if got := went(s, retainNow.Add(steadyFor), &Retain{}); len(got) != 1 {
		t.Errorf("%v went an hour later", got)
	}
}

// TestOneThatWasUpGoes: native lines of a session with an actor stay, for they are being written; once it is put away it goes without a pause, and its bytes
// count no more. One that somebody reads is not asked at every look.
func TestOneThatWasUpGoes(t *testing.T) {
	s := shelfAt(keep.Rule{Bytes: 1}, []Found{endedSince("s1", 2*time.Hour)}, retainNow)
	x := s.members.byID["s1"]
	x.stir().life = 1
	s.members.lives(x, true)
	s.show(x)
	went(s, retainNow, &Retain{})
	got := went(s, retainNow, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500, Raw: 100}}})
	got = append(got, went(s, retainNow, &Parked{ID: "s1", Life: 1})...)
	if len(got) > 0 || x.shelf.until == 0 {
		t.Fatalf("%v went while it is read, which is looked at again at %v", got, x.shelf.until)
	}
	now := retainNow.Add(asideFor)
	went(s, now, &Retain{})
	went(s, now, &Parked{ID: "s1", Life: 1, Yes: true})
	if got = went(s, now, &ActorEnded{ID: "s1", Life: 1}); len(got) != 2 || got[0] != "s1's lines" || len(s.members.byID) > 0 || s.retention.total != 0 {
		t.Fatalf("%v went when it was put away, and %d bytes are left", got, s.retention.total)
	}
}

// TestFolderThatStaysIsMeasured: a session whose folder could not be removed takes room still.
func TestFolderThatStaysIsMeasured(t *testing.T) {
	s := shelfAt(keep.Rule{Bytes: 1}, []Found{endedSince("s1", 2*time.Hour)}, retainNow)
	went(s, retainNow, &Retain{})
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

// TestBytesOfWhatIsGone: a session that somebody deletes takes no room any more.
func TestBytesOfWhatIsGone(t *testing.T) {
	s := shelfAt(keep.Rule{Bytes: 1 << 40}, []Found{endedSince("s1", 2*time.Hour)}, retainNow)
	went(s, retainNow, &Retain{})
	went(s, retainNow, &Measured{Sizes: []Size{{ID: "s1", Bytes: 500}}})
	if s.retention.total != 500 {
		t.Fatalf("%d bytes", s.retention.total)
	}
	went(s, retainNow, &Delete{Ticket: 1, ID: "s1"})
	if s.retention.total != 0 || len(s.members.byID) > 0 {
		t.Errorf("%d bytes of %d sessions", s.retention.total, len(s.members.byID))
	}
}
