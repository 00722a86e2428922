package roster_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// TestListThenFollow: who takes the list and then what has changed since, at whatever moments, has the list as it is.
func TestListThenFollow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := roster.New()
		want := map[string]string{}
		type reader struct {
			at   uint64
			have map[string]string
		}
		readers := []*reader{{have: map[string]string{}}, {have: map[string]string{}}, {have: map[string]string{}}}
		for n := range rapid.IntRange(1, 200).Draw(t, "steps") {
			id := fmt.Sprint("s", rapid.IntRange(0, 9).Draw(t, "session"))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				r.Remove(id)
				delete(want, id)
			case 1, 2:
				title := fmt.Sprint("title ", n)
				r.Put(&session.Summary{ID: id, Title: title}, nil, false)
				want[id] = title
			case 3:
				x := readers[rapid.IntRange(0, len(readers)-1).Draw(t, "reader")]
				changed, now, ok := r.Since(x.at)
				if !ok {
					t.Fatalf("revision %d is not known", x.at)
				}
				if !slices.IsSortedFunc(changed, func(a, b *roster.Session) int { return int(a.Revision) - int(b.Revision) }) {
					t.Fatal("the changes are not in order")
				}
				for _, s := range changed {
					if delete(x.have, s.ID); !s.Gone {
						x.have[s.ID] = s.Summary().Title
					}
				}
				x.at = now
				if fmt.Sprint(x.have) != fmt.Sprint(want) {
					t.Fatalf("the reader has %v, there is %v", x.have, want)
				}
			}
		}
	})
}

// TestWhoWasAwayForLong lists again: only so many sessions that are gone are remembered.
func TestWhoWasAwayForLong(t *testing.T) {
	r := roster.New()
	r.Put(&session.Summary{ID: "stays"}, nil, false)
	_, first, _ := r.Since(0)
	var late uint64
	for n := range 6000 {
		id := fmt.Sprint("s", n)
		r.Put(&session.Summary{ID: id}, nil, false)
		if n == 5000 {
			_, late, _ = r.Since(0)
		}
		r.Remove(id)
	}
	if _, _, ok := r.Since(first); ok {
		t.Error("the reader of the beginning is told of a part of what is gone")
	}
	changed, now, ok := r.Since(late)
	if !ok || len(changed) != 1000 || !changed[0].Gone {
		t.Errorf("since %d: %d changes, %v", late, len(changed), ok)
	}
	if all, _, _ := r.Since(0); len(all) != 1 || all[0].ID != "stays" {
		t.Errorf("the list has %d sessions", len(all))
	}
	if _, _, ok := r.Since(now + 1); ok {
		t.Error("a revision that was never is known")
	}
}

// TestNamesOfRevisions: another run's are not known.
func TestNamesOfRevisions(t *testing.T) {
	a, b := roster.New(), roster.New()
	if n, ok := a.Named(a.Name(7)); n != 7 || !ok {
		t.Errorf("%s is %d, %v", a.Name(7), n, ok)
	}
	for _, text := range []string{b.Name(7), "", "7", ".7", a.Name(7) + "x", a.Name(0)} {
		if _, ok := a.Named(text); ok {
			t.Errorf("%q is known", text)
		}
	}
}

// TestBellsOfTheList ring for every session, and for one.
func TestBellsOfTheList(t *testing.T) {
	r, s := roster.New(), ring.NewBells()
	all, one := s.New(), s.New()
	r.Put(&session.Summary{ID: "a"}, nil, false)
	r.Hang(all)
	if !r.HangOn("a", one) || r.HangOn("b", one) {
		t.Fatal("a bell hangs on a session that is not there, or not on one that is")
	}
	r.Put(&session.Summary{ID: "b"}, nil, false)
	if got := s.Take(nil); !slices.Equal(got, []*ring.Bell{all}) {
		t.Errorf("%d bells rang for another session", len(got))
	}
	r.Remove("a")
	if got := s.Take(nil); len(got) != 2 {
		t.Errorf("%d bells rang for a session that went", len(got))
	}
	r.Unhang(all)
	r.UnhangFrom("a", one)
	r.Put(&session.Summary{ID: "a"}, nil, false)
	if got := s.Take(nil); len(got) != 0 {
		t.Errorf("%d bells rang that were taken away", len(got))
	}
}

// TestEmptyListHasARevision: who has seen that the list is empty is told of a session that came and went since.
//
// Proves: I13.10/empty
func TestEmptyListHasARevision(t *testing.T) {
	r := roster.New()
	_, empty, _ := r.Since(0)
	r.Put(&session.Summary{ID: "s"}, nil, false)
	r.Remove("s")
	if changed, _, ok := r.Since(empty); !ok || len(changed) != 1 || !changed[0].Gone {
		t.Errorf("since %d: %+v %v", empty, changed, ok)
	}
}

// TestWholeListWhileItChanges: a whole list is read in pieces, between which sessions come, change and go. With what has changed since its revision it is the
// list as it is.
//
// Proves: I15.4/revision
func TestWholeListWhileItChanges(t *testing.T) {
	r := roster.New()
	put := func(n, title int) {
		at := time.UnixMilli(int64(n))
		r.Put(&session.Summary{ID: fmt.Sprint("s", n), Title: fmt.Sprint(title), Created: at}, nil, false)
	}
	for n := range 1500 {
		put(n, 0)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for n := range 10_000 {
			if id := n * 7 % 2000; n%5 == 0 {
				r.Remove(fmt.Sprint("s", id))
			} else {
				put(id, n)
			}
		}
	}()
	type read struct {
		list []*roster.Session
		now  uint64
	}
	var reads []read
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		default:
		}
		list, now, _ := r.Since(0)
		reads = append(reads, read{list, now})
	}
	held := 0
	for i := 0; i < len(reads); i += len(reads)/20 + 1 {
		x := reads[i]
		since, _, ok := r.Since(x.now)
		if !ok {
			continue // more has gone since than is remembered: this reader lists again
		}
		held++
		have := map[string]string{}
		for _, s := range append(slices.Clone(x.list), since...) {
			if delete(have, s.ID); !s.Gone {
				have[s.ID] = s.About().Title
			}
		}
		for n := range 2000 {
			id, want := fmt.Sprint("s", n), ""
			if x := r.Find(id); x != nil {
				want = x.About().Title
			}
			if have[id] != want {
				t.Fatalf("of a list of revision %d, %s is %q, not %q", x.now, id, have[id], want)
			}
		}
	}
	if held == 0 {
		t.Error("no list was followed")
	}
}

// TestHasEnded: the list tells of sessions of other nodes that they have ended, and neither of those that are here nor of those of which nothing is known.
func TestHasEnded(t *testing.T) {
	r := roster.New()
	sum := func(id string, state protocol.State) *session.Summary {
		return &session.Summary{ID: id, Status: protocol.Status{State: state}}
	}
	r.PutAway(sum("ended", protocol.StateTerminated))
	r.PutAway(sum("idle", protocol.StateIdle))
	r.Put(sum("here", protocol.StateTerminated), nil, false)
	r.Put(sum("left", protocol.StateTerminated), nil, false)
	r.Leave("left")
	r.PutAway(sum("gone", protocol.StateTerminated))
	r.RemoveAway("gone")
	for _, id := range []string{"ended", "idle", "here", "left", "gone", "unknown"} {
		if got, want := r.HasEnded(id), id == "ended" || id == "left"; got != want {
			t.Errorf("%s has ended: %t", id, got)
		}
	}
}

// TestSessionsOfOtherNodes: what is known of other nodes' sessions stands beside this node's, and in the place of none of them, also not of one that has gone.
func TestSessionsOfOtherNodes(t *testing.T) {
	r := roster.New()
	sum := func(id, title string) *session.Summary { return &session.Summary{ID: id, Title: title} }
	has := func(id, title string, away bool, here, all int) {
		t.Helper()
		s := r.Find(id)
		if (s == nil) != (title == "") || s != nil && (s.About().Title != title || s.Away != away) || r.Here() != here || r.Len() != all {
			t.Fatalf("%+v; %d here, %d in all", s, r.Here(), r.Len())
		}
	}
	r.PutAway(sum("a", "away"))
	has("a", "away", true, 0, 1)
	r.Put(sum("h", "here"), nil, false)
	r.PutAway(sum("h", "away"))
	has("h", "here", false, 1, 2)
	r.RemoveAway("h")
	has("h", "here", false, 1, 2)
	r.Remove("a")
	has("a", "away", true, 1, 2)
	r.Remove("h")
	r.PutAway(sum("h", "away"))
	has("h", "", false, 0, 1)
	r.Put(sum("h", "again"), nil, false)
	has("h", "again", false, 1, 2)
	r.RemoveAway("a")
	has("a", "", true, 1, 1)
	r.PutAway(sum("a", "back"))
	has("a", "back", true, 1, 2)
	r.Put(sum("a", "here now"), nil, false)
	has("a", "here now", false, 2, 2)
	_, before, _ := r.Since(0)
	r.Leave("a")
	has("a", "here now", true, 1, 2)
	if changed, _, _ := r.Since(before); len(changed) != 1 || changed[0].Gone || changed[0].Summary().Node != roster.Nobody {
		t.Errorf("one that has left: %+v", changed)
	}
	r.Leave("a")
	r.PutAway(sum("a", "there"))
	has("a", "there", true, 1, 2)
	r.Put(sum("a", "here now"), nil, false)
	if changed, _, _ := r.Since(0); len(changed) != 2 {
		t.Errorf("%d sessions are listed", len(changed))
	}
	b := ring.NewBells().New()
	r.HangHere(ring.NewBells().New())
	r.HangOn("a", b)
	if r.IsFollowed() {
		t.Error("nobody follows what others have")
	}
	r.Leave("a")
	if !r.IsFollowed() {
		t.Error("somebody follows a session of another node")
	}
	r.UnhangFrom("a", b)
	if r.IsFollowed() {
		t.Error("nobody follows it")
	}
	r.Hang(b)
	if !r.IsFollowed() {
		t.Error("somebody follows it")
	}
}
