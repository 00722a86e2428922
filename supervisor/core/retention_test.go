package core

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"

	"pgregory.net/rapid"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// shelfAt is a core at a time with sessions that an earlier daemon left.
func shelfAt(rule keep.Rule, found []Found, now time.Time) *State {
	s := New(Config{SpawnDepth: 3, SpawnLimit: 32, MaxSessions: 10, PassiveAge: time.Hour, Keep: rule}, found)
	s.Step(now, &Begin{})
	s.Decided()
	return s
}

// TestRetentionIsAsPlanned: whatever sessions there are, retention removes what a plan says, in pieces, and nothing that is pinned or asks, nor anything of
// its tree.
//
// Proves: I15.2/planned
func TestRetentionIsAsPlanned(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	rapid.Check(t, func(t *rapid.T) {
		rule := keep.Rule{
			For:   time.Duration(rapid.SampledFrom([]int{0, 20, 200}).Draw(t, "for")) * time.Hour,
			Bytes: rapid.SampledFrom([]int64{0, 1, 500, 2000}).Draw(t, "bytes"),
		}
		var found []Found
		sizes := map[string]Size{}
		for i := range rapid.IntRange(0, 40).Draw(t, "sessions") {
			id := fmt.Sprintf("s%02d", i)
			f := Found{Summary: &session.Summary{
				ID: id, Agent: "pi", Epoch: 1, Seq: 3, Pinned: rapid.IntRange(0, 9).Draw(t, "pinned") == 0,
				Updated: now.Add(-time.Duration(rapid.IntRange(0, 300).Draw(t, "old")) * time.Hour),
				Status:  protocol.Status{State: rapid.SampledFrom([]protocol.State{protocol.StateIdle, protocol.StateTerminated}).Draw(t, "state")},
			}}
			if parent := rapid.IntRange(0, 3*i).Draw(t, "parent"); parent < i {
				f.Summary.ParentSessionID = fmt.Sprintf("s%02d", parent)
			}
			if rapid.IntRange(0, 9).Draw(t, "asks") == 0 {
				f.Summary.Open = []protocol.OpenRequest{{}}
			}
			raw := int64(rapid.IntRange(0, 50).Draw(t, "raw"))
			sizes[id] = Size{ID: id, Raw: raw, Bytes: raw + int64(rapid.IntRange(1, 100).Draw(t, "log"))}
			found = append(found, f)
		}
		s := shelfAt(rule, found, now)
		s.retention.seen = now // that time has passed is no step of the clock
		all := s.Shelved()
		for i := range all {
			all[i].Bytes, all[i].Raw = sizes[all[i].ID].Bytes, sizes[all[i].ID].Raw
		}
		var want []string
		for _, g := range keep.Plan(all, &rule, now) {
			want = append(want, named(g.ID, g.Archive))
		}
		got := went(s, now, &Measured{Sizes: slices.Collect(maps.Values(sizes))})
		for range 3 {
			got = append(got, went(s, now, &Retain{})...)
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("went %v, and was planned %v", got, want)
		}
		stays := map[string]bool{}
		for _, f := range found {
			stays[f.Summary.ID] = f.Summary.Pinned || len(f.Summary.Open) > 0
		}
		for _, id := range got {
			if stays[id] {
				t.Fatalf("%s went", id)
			}
		}
	})
}

// TestEquallyOldLinesAreInOneOrder: of trees that are equally old the plan takes native lines by session, as retention does, and not tree by tree.
func TestEquallyOldLinesAreInOneOrder(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	all := []keep.Shelved{
		{ID: "a", Since: now, Bytes: 10}, {ID: "b", Since: now, Bytes: 10, Raw: 1}, {ID: "c", Parent: "a", Since: now, Bytes: 10, Raw: 5},
	}
	for _, g := range keep.Plan(all, &keep.Rule{Bytes: 29}, now) {
		if g.ID != "b" || !g.Archive {
			t.Errorf("goes first: %+v", g)
		}
	}
}

func named(id string, archive bool) string {
	if archive {
		return id + "'s lines"
	}
	return id
}

// went gives the core an input, carries out what follows at once, and says what went.
func went(s *State, now time.Time, first Input) (list []string) {
	for inputs := []Input{first}; len(inputs) > 0; inputs = inputs[1:] {
		s.Step(now, inputs[0])
		for _, e := range s.Decided() {
			switch e := e.(type) {
			case Discarding:
				list = append(list, e.ID)
			case DropArchive:
				list = append(list, named(e.ID, true))
				inputs = append(inputs, &Dropped{ID: e.ID, Done: true})
			case Remove:
				inputs = append(inputs, &Removed{ID: e.ID, Done: true})
			default:
			}
		}
	}
	return list
}

// TestRetentionCosts: a look for what goes costs the same whether there are a thousand sessions or a hundred thousand, also where most of them must stay.
//
// Proves: I15.2/costs
func TestRetentionCosts(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, change := range map[string]func(*session.Summary){
		"young":           func(*session.Summary) {},
		"old, and in use": func(x *session.Summary) { x.Updated, x.Damage = x.Updated.Add(-2*time.Hour), new(protocol.Damage) },
	} {
		var took []time.Duration
		for _, n := range []int{1000, 100_000} {
			found := make([]Found, n)
			for i := range found {
				found[i].Summary = &session.Summary{
					ID: strconv.Itoa(i), Agent: "pi", Epoch: 1, Seq: 3, Updated: now.Add(-time.Duration(i%1000) * time.Second),
					Status: protocol.Status{State: protocol.StateTerminated},
				}
				change(found[i].Summary)
			}
			s := shelfAt(keep.Rule{For: time.Hour}, found, now)
			s.retention.seen = now
			least := time.Hour
			for range 3 { // in each, 256 are looked at
				began := time.Now()
				s.Step(now, &Retain{})
				least = min(least, time.Since(began))
				s.Decided()
			}
			took = append(took, least)
		}
		t.Logf("%s: %v of 1,000 sessions, %v of 100,000", name, took[0], took[1])
		if took[1] > 20*took[0]+100*time.Microsecond {
			t.Errorf("%s: a look takes %v of 1,000 sessions, and %v of 100,000", name, took[0], took[1])
		}
	}
}

// TestAwakeAreBounded: however many sessions end, few of them keep an actor.
//
// Proves: I15.2/fed
func TestAwakeAreBounded(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := New(Config{MaxSessions: 10_000, PassiveAge: time.Hour}, nil)
	parked := 0
	for i := range maxAwake + 50 {
		sum := session.Summary{ID: fmt.Sprintf("s%04d", i), Agent: "pi", Epoch: 1, Seq: 3, Updated: now.Add(time.Duration(i) * time.Second)}
		x := newMember(&sum)
		x.live, x.stir().life = true, 1
		s.join(x)
		ended := sum
		ended.Seq, ended.Status.State = 4, protocol.StateTerminated
		s.Step(now, &Announced{Summary: ended})
		for _, e := range s.Decided() {
			if p, is := e.(Park); is {
				if want := fmt.Sprintf("s%04d", parked); p.ID != want {
					t.Fatalf("%s was put away, want the oldest, %s", p.ID, want)
				}
				parked++
			}
		}
	}
	if parked != 50 {
		t.Errorf("%d were put away, want 50", parked)
	}
}

// TestAwakeAreBoundedAside: those that have ended just now do not go for bytes, and are not looked at for a minute. Few of them keep an actor all the same;
// one whose actor does not let go, since somebody reads, is not asked again before its minute is over.
//
// Proves: I15.2/fed
func TestAwakeAreBoundedAside(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := New(Config{MaxSessions: 10_000, PassiveAge: time.Hour, Keep: keep.Rule{Bytes: 1}}, nil)
	s.Step(now, &Begin{})
	s.Decided()
	asked := map[string]int{}
	// step does something, and answers whoever is asked to let its actor go; who is read declines.
	const read = "s0000"
	step := func(in Input) {
		for todo := []Input{in}; len(todo) > 0; todo = todo[1:] {
			s.Step(now, todo[0])
			for _, e := range s.Decided() {
				if p, is := e.(Park); is {
					asked[p.ID]++
					todo = append(todo, &Parked{ID: p.ID, Life: 1, Yes: p.ID != read})
					if p.ID != read {
						todo = append(todo, &ActorEnded{ID: p.ID, Life: 1})
					}
				}
			}
		}
	}
	for i := range maxAwake + 50 {
		now = now.Add(10 * time.Millisecond)
		sum := session.Summary{ID: fmt.Sprintf("s%04d", i), Agent: "pi", Epoch: 1, Seq: 3, Updated: now}
		x := newMember(&sum)
		x.live, x.stir().life = true, 1
		s.join(x)
		ended := sum
		ended.Seq, ended.Status.State = 4, protocol.StateTerminated
		step(&Announced{Summary: ended})
		step(&Measured{Sizes: []Size{{ID: sum.ID, Bytes: 1000}}})
		if s.members.byID[sum.ID].shelf.until == 0 {
			t.Fatalf("%s was not put aside: this proves nothing", sum.ID)
		}
	}
	awake := 0
	for _, x := range s.members.byID {
		if x.live {
			awake++
		}
	}
	if awake > maxAwake+1 {
		t.Errorf("%d sessions that have ended have an actor, want %d, and the one that is read", awake, maxAwake)
	}
	if asked[read] != 1 {
		t.Errorf("one that is read was asked %d times", asked[read])
	}
	now = now.Add(2 * asideFor)
	step(&Retain{})
	if asked[read] != 2 {
		t.Errorf("one that was read was asked %d times after its minute, want once more", asked[read])
	}
}
