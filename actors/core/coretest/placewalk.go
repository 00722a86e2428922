package coretest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// places is a model that has nodes as well, in a clock of its own. That goes in steps of tick, and leases end between two of them, so that the time that the
// walk itself takes is nothing.
type places struct {
	*model
	now   time.Duration
	nodes map[string]*place
	told  map[string]core.Record // of each session that there is
	made  int                    // records
	quiet string                 // the node that does not beat for a while
}

const tick = 8 * time.Minute

var walkers = []string{"a", "b", "c", "d", "e"}

var leases = []time.Duration{lease, 2*lease + 4*time.Minute}

// place is what the model knows of a node.
type place struct {
	life            core.Owner
	state           core.State
	beats           bool
	lease           time.Duration
	steady, expires time.Duration
}

// walkPlaced lets nodes come, go, claim and release in any order, and compares Core with the model.
func walkPlaced(s *suite) {
	steps := 1000
	if s.Long {
		steps = 6000
	}
	m := &places{
		model: &model{suite: s, random: rand.New(rand.NewPCG(3, 3)), lives: map[string]core.Owner{}, logs: map[string]*log{}, epoch: 1},
		nodes: map[string]*place{}, told: map[string]core.Record{},
	}
	count := map[string]int{}
	for range steps {
		count[m.step()]++
		if m.random.IntN(10) == 0 {
			m.look()
			m.compare(m.session())
		}
	}
	s.Logf("%v", count)
	for _, what := range []string{"declared", "claimed", "claimed lost", "revived", "released", "refused"} {
		if count[what] == 0 {
			s.Errorf("nothing was ever %s: %v", what, count)
		}
	}
}

func (m *places) session() string { return id(1 + m.random.IntN(7)) }

// root is that of a session's family: there are three.
func root(session string) string {
	for n := 1; n <= 7; n++ {
		if session == id(n) {
			return id([]int{1, 1, 3, 3, 3, 6, 6}[n-1])
		}
	}
	panic("no such session")
}

// node is mostly one that is there, in its newest life.
func (m *places) node() core.Owner {
	o := core.Owner{Node: walkers[m.random.IntN(len(walkers))], Incarnation: 5}
	if n := m.nodes[o.Node]; n != nil {
		o = n.life
	}
	switch m.random.IntN(150) {
	case 0:
		o.Incarnation--
	case 1:
		o.Incarnation++ // which Core does not know
	}
	return o
}

// enter is what a call of a life means for the node, and says whether it is heard.
func (m *places) enter(as core.Owner) (*place, bool) {
	n := m.nodes[as.Node]
	if n == nil || n.life.Incarnation < as.Incarnation {
		n = &place{life: as, state: core.StateUp}
		m.nodes[as.Node] = n
	}
	return n, n.life == as && (n.state == core.StateUp || n.state == core.StateDraining)
}

// stands is what a life is told of itself.
func (m *places) stands(as core.Owner) core.State {
	if n := m.nodes[as.Node]; n.life == as {
		return n.state
	}
	return core.StateFollowed
}

// step does one thing, and says what it was.
func (m *places) step() string {
	m.Helper()
	id := m.session()
	l := m.logs[id]
	switch n := m.random.IntN(100); {
	case n < 9:
		by := tick * time.Duration(1+m.random.IntN(3))
		switch m.random.IntN(40) {
		case 0:
			by *= -3
		case 1:
			by *= 9
		}
		m.Turn(by)
		m.now += by
	case n < 45:
		if m.random.IntN(30) == 0 {
			m.quiet = append(walkers, "")[m.random.IntN(len(walkers)+1)]
		}
		if o := m.node(); o.Node != m.quiet {
			m.beats(o)
		}
	case n < 46:
		m.joins(walkers[m.random.IntN(len(walkers))])
	case n < 55:
		return m.declares(m.node())
	case n < 58:
		m.departs(m.node())
	case n < 66 || l == nil:
		m.takes(m.node(), id)
	case n < 68:
		m.notes(id, l)
	case n < 82:
		return m.claims(m.node(), id)
	case n < 88:
		return m.releases(id, l)
	case n < 91:
		m.cuts(id, l)
	default:
		m.appends(id, l)
	}
	return ""
}

func (m *places) joins(node string) {
	m.Helper()
	o := m.join(node)
	if before := m.nodes[o.Node]; before != nil && before.life.Incarnation >= o.Incarnation {
		m.Fatalf("%+v follows %+v", o, before.life)
	}
	m.nodes[o.Node] = &place{life: o, state: core.StateUp}
}

func (m *places) beats(as core.Owner) {
	m.Helper()
	b := beat
	b.Lease = leases[m.random.IntN(2)]
	got, err := m.core.Beat(m.ctx, as, b)
	m.must(err)
	n, heard := m.enter(as)
	if heard {
		if !n.beats || n.expires < m.now || n.steady > m.now {
			n.steady = m.now
		}
		n.beats, n.lease, n.expires = true, b.Lease, m.now+b.Lease
	}
	if want := m.stands(as); got != want {
		m.Fatalf("%+v beats, and is told %+v, want %+v", as, got, want)
	}
	if !heard && m.random.IntN(10) == 0 {
		m.joins(as.Node)
	}
}

func (m *places) declares(as core.Owner) string {
	m.Helper()
	got, err := m.core.Declare(m.ctx, as)
	m.must(err)
	var want []core.Owner
	me := m.nodes[as.Node]
	if me != nil && me.life == as && me.state == core.StateUp && me.beats && me.expires > m.now && me.expires <= m.now+me.lease {
		for _, name := range walkers {
			n := m.nodes[name]
			if n == nil || n == me || !n.beats || n.state == core.StateLeft || n.state == core.StateDead {
				continue
			}
			if n.expires > m.now+n.lease {
				n.expires = m.now + n.lease
			} else if n.expires < me.expires-me.lease && m.now-me.steady >= max(n.lease, me.lease) {
				n.state = core.StateDead
				want = append(want, n.life)
			}
		}
	}
	slices.SortFunc(got, func(a, b core.Owner) int { return cmp.Compare(a.Node, b.Node) })
	if !slices.Equal(got, want) {
		m.Fatalf("%+v declared %+v, want %+v", as, got, want)
	}
	if len(want) > 0 {
		return "declared"
	}
	return ""
}

func (m *places) departs(as core.Owner) {
	m.Helper()
	var got core.State
	var err error
	switch m.random.IntN(3) {
	case 0:
		got, err = m.core.Drain(m.ctx, as)
		if n, heard := m.enter(as); heard {
			n.state = core.StateDraining
		}
	case 1:
		got, err = m.core.Leave(m.ctx, as)
		if n, heard := m.enter(as); heard {
			n.state = core.StateLeft
		}
	default:
		got, err = m.core.Forget(m.ctx, as.Node)
		n := m.nodes[as.Node]
		if n == nil {
			n = &place{}
		} else if n.state == core.StateDead || !n.beats || n.expires < m.now {
			n.state = core.StateLeft
		}
		as = n.life
		if m.nodes[as.Node] == nil {
			if m.must(err); got != "" {
				m.Fatalf("a node that never was is %s", got)
			}
			return
		}
	}
	m.must(err)
	if want := m.stands(as); got != want {
		m.Fatalf("%+v is %s, want %s", as, got, want)
	}
}

// look compares the nodes.
func (m *places) look() {
	m.Helper()
	list, err := m.core.Nodes(m.ctx, true)
	m.must(err)
	if len(list) != len(m.nodes) {
		m.Fatalf("the nodes are %+v, want %d", list, len(m.nodes))
	}
	for _, got := range list {
		n := m.nodes[got.Node]
		has := 0
		for _, l := range m.logs {
			if l.at.Owner.Node == got.Node {
				has++
			}
		}
		ends := time.Duration(0)
		if n.beats {
			ends = n.expires - m.now
		}
		if got.Owner != n.life || got.State != n.state || got.Beats != n.beats || got.Has != has || (got.Ends-ends).Abs() > time.Minute {
			m.Fatalf("the node is %+v, want %+v with %d", got, n, has)
		}
	}
}
