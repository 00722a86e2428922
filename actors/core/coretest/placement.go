package coretest

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// lease is that of most nodes here. What a test needs in real time is little beside it: it is the place's clock that is turned.
const lease = time.Hour

// beat is what most nodes say of themselves.
var beat = core.Beat{Lease: lease, Address: "10.0.0.1:7", Key: "k1", Workspaces: []string{"shop", "blog"}, Agents: `{"pi":{}}`, Build: "v1"}

// up joins and beats.
func (s *suite) up(nodes ...string) (list []core.Owner) {
	s.Helper()
	for _, node := range nodes {
		o := s.join(node)
		s.beats(core.StateUp, o)
		list = append(list, o)
	}
	return list
}

// beats expects a state in answer to each beat.
func (s *suite) beats(want core.State, nodes ...core.Owner) {
	s.Helper()
	for _, o := range nodes {
		if is := s.beat(o); is != want {
			s.Errorf("%+v is %s, want %s", o, is, want)
		}
	}
}

func (s *suite) beat(as core.Owner) core.State {
	s.Helper()
	is, err := s.core.Beat(s.ctx, as, beat)
	s.must(err)
	return is
}

// pass lets time pass, while some nodes beat without a hole.
func (s *suite) pass(d time.Duration, beating ...core.Owner) {
	s.Helper()
	for ; d > 0; d -= lease / 4 {
		s.Turn(min(d, lease/4))
		for _, o := range beating {
			s.beat(o)
		}
	}
}

// declares expects that a node declares others dead.
func (s *suite) declares(as core.Owner, want ...core.Owner) {
	s.Helper()
	got, err := s.core.Declare(s.ctx, as)
	s.must(err)
	slices.SortFunc(got, func(a, b core.Owner) int { return int(a.Node[0]) - int(b.Node[0]) })
	if !slices.Equal(got, want) {
		s.Errorf("%+v declared %+v, want %+v", as, got, want)
	}
}

// node gives one of the nodes.
func (s *suite) node(name string) core.Node {
	s.Helper()
	list, err := s.core.Nodes(s.ctx, true)
	s.must(err)
	bare, err := s.core.Nodes(s.ctx, false)
	s.must(err)
	for i, n := range list {
		if b := bare[i]; b.Node != n.Node || b.State != n.State || b.Beats != n.Beats || b.Has != 0 {
			s.Errorf("without its sessions counted it is %+v, and %+v with them", b, n)
		}
		if i > 0 && list[i-1].Node >= n.Node {
			s.Errorf("%q stands behind %q", n.Node, list[i-1].Node)
		}
		if n.Node == name {
			return n
		}
	}
	s.Fatalf("no node %q in %+v", name, list)
	return core.Node{}
}

// state expects a node's.
func (s *suite) state(node string, want core.State) {
	s.Helper()
	if n := s.node(node); n.State != want {
		s.Errorf("%s is %s, want %s", node, n.State, want)
	}
}

// nobodies are no lives of nodes.
var nobodies = []core.Owner{{}, {Node: "a"}, {Incarnation: 1}, {Node: "a", Incarnation: 1 << 63}}

func beats(s *suite) {
	if list, err := s.core.Nodes(s.ctx, true); err != nil || len(list) != 0 {
		s.Errorf("an empty place has %+v, %v", list, err)
	}
	a, other := s.join("a"), s.join("B")
	if n := s.node("a"); !reflect.DeepEqual(n, core.Node{Owner: a, State: core.StateUp}) {
		s.Errorf("a node that has joined is %+v", n)
	}
	s.beats(core.StateUp, a)
	s.take(a, id(1), id(2))
	n := s.node("a")
	if n.Ends > lease || n.Ends < lease-time.Minute {
		s.Errorf("the lease ends in %v", n.Ends)
	}
	n.Ends = 0
	if want := (core.Node{Owner: a, State: core.StateUp, Beats: true, Beat: beat, Has: 2}); !reflect.DeepEqual(n, want) {
		s.Errorf("the node is %+v, want %+v", n, want)
	}
	s.Turn(2 * lease)
	if n := s.node("a"); n.Ends > -lease || n.Ends < -lease-time.Minute || n.State != core.StateUp {
		s.Errorf("a silent node is %+v", n)
	}

	odd := core.Beat{Lease: 1500*time.Microsecond + 1, Address: "\x00\xff", Key: "k\x00", Workspaces: []string{"", "\x00"}, Agents: "{\x00\xff", Build: "'"}
	_, err := s.core.Beat(s.ctx, other, odd)
	s.must(err)
	n = s.node("B")
	n.Ends = 0
	if want := (core.Node{Owner: other, State: core.StateUp, Beats: true, Beat: odd.Kept()}); !reflect.DeepEqual(n, want) || n.Lease != 1500*time.Microsecond {
		s.Errorf("the node is %+v, want %+v", n, want)
	}
	next := s.join("B")
	if n := s.node("B"); n.Beats || n.Ends != 0 || n.Owner != next {
		s.Errorf("a new life is %+v", n)
	}
	s.beats(core.StateFollowed, other)
	if n := s.node("B"); n.Beats {
		s.Errorf("an earlier life was heard: %+v", n)
	}
	unheard := core.Owner{Node: "B", Incarnation: next.Incarnation + 5} // a Core that went back does not know it
	s.beats(core.StateUp, unheard, core.Owner{Node: "c", Incarnation: 7})
	if n := s.node("B"); n.Owner != unheard || !n.Beats {
		s.Errorf("it is not there again: %+v", n)
	}
	if again := s.join("B"); again.Incarnation <= unheard.Incarnation {
		s.Errorf("%+v follows %+v", again, unheard)
	}
	s.beats(core.StateFollowed, unheard, next)

	for _, lease := range []time.Duration{0, -1, time.Microsecond - 1, core.MaxLease + 1, math.MaxInt64} {
		_, err := s.core.Beat(s.ctx, a, core.Beat{Lease: lease})
		if refused := fails[*core.RefusedError](s, err); refused.Op != "beat" {
			s.Errorf("refused as %v", refused)
		}
	}
	for _, as := range nobodies {
		for op, call := range map[string]func() error{
			"beat":    func() error { _, err := s.core.Beat(s.ctx, as, beat); return err },
			"declare": func() error { _, err := s.core.Declare(s.ctx, as); return err },
			"drain":   func() error { _, err := s.core.Drain(s.ctx, as); return err },
			"leave":   func() error { _, err := s.core.Leave(s.ctx, as); return err },
			"claim":   func() error { _, err := s.core.Claim(s.ctx, as, core.Want{}); return err },
		} {
			if refused := fails[*core.RefusedError](s, call()); refused.Op != op {
				s.Errorf("%s as %+v is refused as %v", op, as, refused)
			}
		}
	}
}

func holdings(s *suite) {
	a, b := s.up("a", "b")[0], s.join("b")
	s.has(a)
	s.has(core.Owner{Node: "new", Incarnation: 3})
	p := s.take(a, id(1), id(2), id(3))
	theirs := s.take(b, id(4))
	s.has(a, p...)
	s.has(b, theirs...)
	again := s.take(a, id(2))[0]
	s.has(a, p[0], again, p[2])
	next := s.up("a")[0] // which has taken nothing yet
	s.has(next)
	s.has(a, p[0], again, p[2])
	q := s.take(next, id(3), id(1))
	s.has(next, q...)
	if gone, err := s.core.Remove(s.ctx, id(3), q[0].Lease); !gone || err != nil {
		s.Fatal(gone, err)
	}
	s.has(next, q[1])
}

// has expects that a life of a node has sessions, with just these leases.
func (s *suite) has(as core.Owner, at ...core.Position) {
	s.Helper()
	has, want := map[string]core.Lease{}, map[string]core.Lease{}
	for p, err := range s.core.Held(s.ctx, as.Node) {
		s.must(err)
		if p.Owner == as {
			has[p.Session] = p.Lease
		}
	}
	for _, p := range at {
		want[p.Session] = p.Lease
	}
	if !maps.Equal(has, want) {
		s.Errorf("%+v has %v, want %v", as, has, want)
	}
}

func departures(s *suite) {
	o := s.up("a", "b")
	a, b := o[0], o[1]
	become := func(call func(core.Owner) (core.State, error), as core.Owner, want core.State) {
		s.Helper()
		if got, err := call(as); got != want || err != nil {
			s.Errorf("%+v is %s, %v, want %s", as, got, err, want)
		}
	}
	drain := func(as core.Owner) (core.State, error) { return s.core.Drain(s.ctx, as) }
	leave := func(as core.Owner) (core.State, error) { return s.core.Leave(s.ctx, as) }
	for range 2 {
		become(drain, a, core.StateDraining)
		s.beats(core.StateDraining, a)
		s.take(a, id(1))
		s.state("a", core.StateDraining)
	}
	for range 2 {
		become(leave, a, core.StateLeft)
		s.beats(core.StateLeft, a)
	}
	become(drain, a, core.StateLeft)
	at, err := s.core.Take(s.ctx, a, []core.Record{record(id(1)), record(id(2))})
	if err != nil || at[0].Owner != a || at[1] != (core.Position{}) {
		s.Errorf("a node that has left takes %+v, %v", at, err)
	}
	s.append(&at[0], made("", 1, 1, 1)) // its lease holds until somebody takes the session
	next := s.up("a")[0]
	s.state("a", core.StateUp)
	become(drain, a, core.StateFollowed)
	become(leave, a, core.StateFollowed)
	s.state("a", core.StateUp)
	s.take(next, id(1))
	become(leave, b, core.StateLeft)

	unheard := core.Owner{Node: "b", Incarnation: b.Incarnation + 1}
	become(drain, unheard, core.StateDraining)
	if n := s.node("b"); n.Owner != unheard || n.Beats {
		s.Errorf("a life that Core had forgotten is %+v", n)
	}
	unheard.Incarnation++
	become(leave, unheard, core.StateLeft)
	unheard.Incarnation++
	s.take(unheard, id(3))
	s.state("b", core.StateUp)
}

func forgotten(s *suite) {
	o := s.up("a", "b", "c")
	s.join("d")
	forget := func(node string, want core.State) {
		s.Helper()
		if got, err := s.core.Forget(s.ctx, node); got != want || err != nil {
			s.Errorf("%q is %s, %v, want %s", node, got, err, want)
		}
	}
	for _, nobody := range []string{"", "z", "\x00"} {
		forget(nobody, "")
	}
	forget("a", core.StateUp) // its lease is running
	_, err := s.core.Drain(s.ctx, o[1])
	s.must(err)
	forget("b", core.StateDraining)
	forget("d", core.StateLeft) // which does not beat
	s.pass(2*lease, o[2])
	s.declares(o[2], o[0], o[1])
	forget("a", core.StateLeft)
	forget("a", core.StateLeft)
	s.beats(core.StateLeft, o[0])
	s.beats(core.StateDead, o[1])
	s.up("a")
	forget("a", core.StateUp)
	s.Turn(2 * lease)
	forget("a", core.StateLeft) // silent, and not declared dead
	s.beats(core.StateUp, o[2])
}
