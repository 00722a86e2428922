package core

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func testState() *State { return New(Config{SpawnDepth: 3, SpawnLimit: 32}, nil) }

// TestKin: what is kept of all members is what a look at each of them gives, however they come, change and go.
func TestKin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := testState()
		ids := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"})
		summary := func(id string) session.Summary {
			sum := session.Summary{
				ID: id, Agent: rapid.SampledFrom([]string{"pi", "codex"}).Draw(t, "agent"), NativeSessionID: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "native"),
				SubAgent: rapid.Bool().Draw(t, "sub"), Spawned: rapid.Bool().Draw(t, "spawned"),
				Status: protocol.Status{State: rapid.SampledFrom([]protocol.State{protocol.StateIdle, protocol.StateStarting, protocol.StateTerminated}).Draw(t, "state")},
			}
			if parent := ids.Draw(t, "parent"); parent < id { // nobody is below himself
				sum.ParentSessionID = parent
			}
			return sum
		}
		t.Repeat(map[string]func(*rapid.T){
			"comes or changes": func(t *rapid.T) {
				id := ids.Draw(t, "id")
				if x := s.members.byID[id]; x != nil {
					s.told(x, summary(id))
				} else {
					sum := summary(id)
					s.join(newMember(&sum))
				}
			},
			"goes": func(t *rapid.T) {
				if x := s.members.byID[ids.Draw(t, "id")]; x != nil {
					s.leave(x)
				}
			},
			"starts or ends": func(t *rapid.T) {
				if x := s.members.byID[ids.Draw(t, "id")]; x != nil {
					s.members.lives(x, rapid.Bool().Draw(t, "live"))
				}
			},
			"": func(t *rapid.T) { agrees(t, s) },
		})
	})
}

// agrees holds what is kept against a look at all members.
func agrees(t *rapid.T, s *State) {
	active := 0
	natives := map[nativeKey][]string{}
	for _, x := range s.members.byID {
		sum := x.summary
		if !sum.Status.State.Ended() && !sum.SubAgent {
			active++
		}
		if sum.NativeSessionID != "" {
			key := nativeKey{sum.Agent, sum.NativeSessionID}
			natives[key] = append(natives[key], sum.ID)
		}
		var children, below []*member
		for _, other := range s.members.byID {
			if dependent(other) && other.summary.ParentSessionID == sum.ID {
				children = append(children, other)
			}
			if s.members.worksFor(other, x) {
				below = append(below, other)
			}
		}
		same(t, "children of "+sum.ID, namesOf(s.members.childrenOf(sum.ID)), namesOf(children))
		same(t, "members below "+sum.ID, namesOf(s.members.kin.all(x)), namesOf(below))
	}
	var live []*member
	for _, x := range s.members.byID {
		if x.live {
			live = append(live, x)
		}
	}
	same(t, "members with an actor", namesOf(s.members.alive()), namesOf(live))
	if s.members.kin.active != active {
		t.Fatalf("%d are active, want %d", s.members.kin.active, active)
	}
	if len(s.members.kin.native) != len(natives) {
		t.Fatalf("%d native sessions, want %d", len(s.members.kin.native), len(natives))
	}
	for key, want := range natives {
		slices.Sort(want)
		same(t, key.id, namesOf(s.members.kin.native[key]), want)
	}
	if len(s.members.byID) == 0 && len(s.members.kin.below) > 0 {
		t.Fatalf("nobody is there, and %v are parents", slices.Collect(maps.Keys(s.members.kin.below)))
	}
}

func same(t *rapid.T, what string, got, want []string) {
	if !slices.Equal(got, want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func namesOf(list []*member) (ids []string) {
	for _, x := range list {
		ids = append(ids, x.summary.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestKinCosts: what making, ending and deleting a session ask about others costs nothing for those that it has nothing to do with.
func TestKinCosts(t *testing.T) {
	questions := map[string]func(s *State) error{
		"sweep": func(s *State) error {
			s.sweep()
			s.Decided()
			return nil
		},
		"Tenancies":   func(s *State) error { s.Tenancies(0, "ann"); return nil },
		"childrenOf":  func(s *State) error { s.members.childrenOf("7"); return nil },
		"checkParent": func(s *State) error { return s.admission().checkParent(&NewSession{ParentID: "7", Spawned: true}) },
		"checkNative": func(s *State) error {
			if s.members.kin.active < 100 || len(s.members.kin.native[nativeKey{"pi", "n7"}]) != 1 {
				return errors.New("they are not there")
			}
			return nil
		},
	}
	took := map[string][]time.Duration{}
	for _, n := range []int{100, 100_000} {
		s := testState()
		for i := range n {
			s.join(newMember(&session.Summary{ID: strconv.Itoa(i), Agent: "pi", NativeSessionID: "n" + strconv.Itoa(i)}))
		}
		for i := range 3 {
			s.join(newMember(&session.Summary{ID: "c" + strconv.Itoa(i), Agent: "pi", ParentSessionID: "7", Spawned: true}))
		}
		for name, ask := range questions {
			least := time.Hour
			for range 20 {
				began := time.Now()
				for range 100 {
					if err := ask(s); err != nil {
						t.Fatal(err)
					}
				}
				least = min(least, time.Since(began)/100)
			}
			took[name] = append(took[name], least)
		}
	}
	for name, each := range took {
		t.Logf("%s: %v of 100 sessions, %v of 100,000", name, each[0], each[1])
		if each[1] > 20*each[0]+time.Microsecond {
			t.Errorf("%s takes %v of 100 sessions, and %v of 100,000", name, each[0], each[1])
		}
	}
}

// TestDirectoryShows: whatever else is so, the directory gives the actors that take questions, and no others, and nothing of what is being deleted.
// Proves: I12/directory
func TestDirectoryShows(t *testing.T) {
	for _, row := range []struct {
		when string
		x    member
		ends bool // the daemon
		want bool
	}{
		{when: "at work", want: true},
		{when: "passive"},
		{when: "being stopped", x: member{stopping: true}},
		{when: "being put away", x: member{parking: true}},
		{when: "being put away as the daemon ends", x: member{parking: true}, ends: true, want: true},
		{when: "being stopped as the daemon ends", x: member{stopping: true}, ends: true},
	} {
		s, x := testState(), &row.x
		x.busy = &calm
		x.summary = &session.Summary{ID: "s1", Cwd: "/work", Owner: "ann", ParentSessionID: "s0"}
		s.draining, x.live = row.ends, row.when != "passive"
		s.join(x)
		want := Entry{Takes: row.want, Cwd: "/work", Owner: "ann", Parent: "s0"}
		if got := s.Decided(); !slices.Equal(got, []Effect{Show{"s1", want}}) {
			t.Errorf("%s: %+v", row.when, got)
		}
		s.deletes(x, 1)
		if got := s.Decided(); !slices.Equal(got, []Effect{Hide{ID: "s1"}}) {
			t.Errorf("%s, and being deleted: %+v", row.when, got)
		}
		s.leave(x)
		if got := s.Decided(); !slices.Equal(got, []Effect{Hide{ID: "s1"}, Gone{"s1"}}) {
			t.Errorf("%s, and gone: %+v", row.when, got)
		}
		for id := range s.Entries() {
			t.Errorf("%s, and gone: %s", row.when, id)
		}
	}
}
