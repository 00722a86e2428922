package coretest

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// event is one of the model: a line, with what is known of it.
type event struct {
	line   string
	epoch  uint64
	source store.Source
}

// log is what the model knows of a session.
type log struct {
	at     core.Position
	began  uint64
	events []event
	lost   []event
	starts protocol.Epochs
}

// model is what a Core should be: events one by one, and nothing of rows.
type model struct {
	*suite
	random *rand.Rand
	lives  map[string]core.Owner
	logs   map[string]*log
	leases []core.Lease // all that there ever were
	epoch  uint64       // the newest that anybody used
}

// walk applies anything in any order to a Core and a model, and compares.
func walk(s *suite) {
	seeds := uint64(3)
	if s.Long {
		seeds = 12
	}
	for seed := range seeds {
		m := &model{suite: s, random: rand.New(rand.NewPCG(seed, 1)), lives: map[string]core.Owner{}, logs: map[string]*log{}, epoch: 1}
		ids := []string{id(int(seed*10 + 1)), id(int(seed*10 + 2)), id(int(seed*10 + 3))}
		for _, node := range []string{"a", "b"} {
			m.lives[node] = s.join(node)
		}
		for step := range 150 {
			m.step(ids[m.random.IntN(len(ids))])
			if step%10 == 9 {
				for _, id := range ids {
					m.compare(id)
				}
			}
		}
	}
}

func (m *model) step(id string) {
	m.Helper()
	l := m.logs[id]
	switch n := m.random.IntN(20); {
	case n == 0:
		node := m.node()
		o := m.join(node)
		if o.Incarnation <= m.lives[node].Incarnation {
			m.Fatalf("joined as %+v behind %+v", o, m.lives[node])
		}
		m.lives[node] = o
	case n < 4 || l == nil:
		m.takes(id)
	case n == 4 && m.random.IntN(3) == 0:
		lease := m.lease(l)
		gone, err := m.core.Remove(m.ctx, id, lease)
		m.must(err)
		if gone != (lease == l.at.Lease) {
			m.Fatalf("removed: %v", gone)
		}
		if gone {
			delete(m.logs, id)
		}
	case n < 8:
		m.cuts(id, l)
	default:
		m.appends(id, l)
	}
}

func (m *model) node() string { return []string{"a", "b"}[m.random.IntN(2)] }

// lease is mostly the session's.
func (m *model) lease(l *log) core.Lease {
	if m.random.IntN(6) == 0 {
		return m.leases[m.random.IntN(len(m.leases))]
	}
	return l.at.Lease
}

func (m *model) takes(id string) {
	m.Helper()
	node := m.node()
	as := m.lives[node]
	isEarlier := m.random.IntN(5) == 0
	if isEarlier {
		as.Incarnation--
	}
	r := record(id)
	if m.random.IntN(2) == 0 {
		r.First, r.Epoch = 1+m.random.Uint64N(5), m.epoch
	}
	got, err := m.core.Take(m.ctx, as, []core.Record{r})
	m.must(err)
	l := m.logs[id]
	switch {
	case isEarlier:
	case l == nil:
		first, epoch := max(r.First, 1), max(r.Epoch, 1)
		l = &log{
			at:    core.Position{Session: id, Epoch: epoch, Head: first - 1, Oldest: first},
			began: first, starts: protocol.Epochs{{Epoch: epoch, First: first}},
		}
		m.logs[id] = l
		fallthrough
	case l.at.Owner.Node == node:
		for _, old := range m.leases {
			if old == got[0].Lease {
				m.Fatalf("the lease %s comes back", old)
			}
		}
		l.at.Owner, l.at.Lease = as, got[0].Lease
		m.leases = append(m.leases, got[0].Lease)
	}
	want := core.Position{}
	if l != nil {
		want = l.at
	}
	if got[0] != want {
		m.Fatalf("took %+v, want %+v", got[0], want)
	}
}

func (m *model) appends(id string, l *log) {
	m.Helper()
	first, epoch := l.at.Head+1, l.at.Epoch
	switch m.random.IntN(8) {
	case 0:
		first = max(3, first+m.random.Uint64N(5)) - 2
	case 1:
		m.epoch++
		epoch = m.epoch
	case 2:
		epoch = max(1, epoch-1)
	}
	var counts []int
	for range 1 + m.random.IntN(3) {
		counts = append(counts, 1+m.random.IntN(4))
	}
	b := core.Batch{Session: id, Lease: m.lease(l), Stretch: made(strconv.FormatUint(m.random.Uint64(), 10), epoch, first, counts...)}
	taken := b.Lease == l.at.Lease && first == l.at.Head+1 && epoch >= l.at.Epoch
	if taken {
		if epoch > l.at.Epoch {
			l.begin(epoch, first)
		}
		l.events = append(l.events, events(b.Stretch)...)
		l.at.Head = b.Last()
	}
	got, err := m.core.Append(m.ctx, []core.Batch{b})
	m.must(err)
	if got[0] != (core.Answer{Taken: taken, At: l.at}) {
		m.Fatalf("the batch with %d to %d of epoch %d was answered with %+v, want %v at %+v", first, b.Last(), epoch, got[0], taken, l.at)
	}
}

func (l *log) begin(epoch, first uint64) {
	l.at.Epoch, l.began = epoch, first
	l.starts = append(l.starts, protocol.EpochStart{Epoch: epoch, First: first})
}

func (m *model) cuts(id string, l *log) {
	m.Helper()
	cut := core.Cut{Session: id, Lease: m.lease(l), Epoch: l.at.Epoch, First: max(1, l.at.Head+2-min(l.at.Head, m.random.Uint64N(8)))}
	switch m.random.IntN(6) {
	case 0:
	case 1:
		cut.Epoch = max(1, cut.Epoch-1)
	default:
		m.epoch++
		cut.Epoch = m.epoch
	}
	if n := len(l.starts) - 1; cut.Lease == l.at.Lease && n > 0 && cut.Epoch < l.at.Epoch && l.began > l.at.Head && l.starts[n-1].Epoch <= cut.Epoch {
		l.starts = l.starts[:n]
		l.at.Epoch, l.began = l.starts[n-1].Epoch, l.starts[n-1].First
	}
	var taken bool
	switch {
	case cut.Lease != l.at.Lease || cut.First > l.at.Head+1:
	case cut.Epoch == l.at.Epoch:
		taken = l.began == cut.First && l.at.Head == cut.First-1
	case cut.Epoch > l.at.Epoch:
		taken = true
		kept := cut.First - min(l.at.Oldest, cut.First)
		l.lost = append(l.lost, l.events[kept:]...)
		l.events = l.events[:kept:kept]
		l.at.Head, l.at.Oldest = cut.First-1, min(l.at.Oldest, cut.First)
		for len(l.starts) > 0 && l.starts[len(l.starts)-1].First >= cut.First {
			l.starts = l.starts[:len(l.starts)-1]
		}
		l.begin(cut.Epoch, cut.First)
	}
	got, err := m.core.Rewind(m.ctx, cut)
	m.must(err)
	if got != (core.Answer{Taken: taken, At: l.at}) {
		m.Fatalf("%+v was answered with %+v, want %v at %+v", cut, got, taken, l.at)
	}
}

// events takes a stretch apart.
func events(st store.Stretch) (list []event) {
	rest := string(st.Lines)
	for _, made := range st.Sources {
		for range made.Count {
			n := 0
			for rest[n] != '\n' {
				n++
			}
			list = append(list, event{rest[:n], st.Epoch, made.Source})
			rest = rest[n+1:]
		}
	}
	return list
}

// compare holds a session's log against the model, from any event on.
func (m *model) compare(id string) {
	m.Helper()
	l := m.logs[id]
	if l == nil {
		l = &log{}
	}
	m.stands(id, l.at)
	since := max(l.at.Oldest, 1) - 1
	since += m.random.Uint64N(l.at.Head - since + 1)
	var got, lost []event
	for st, err := range m.core.Stretches(m.ctx, id, since, l.at.Head) {
		m.must(err)
		got = append(got, events(st)...)
	}
	for st, err := range m.core.Superseded(m.ctx, id) {
		m.must(err)
		lost = append(lost, events(st)...)
	}
	want := l.events
	if l.at.Oldest > 0 {
		want = want[since-(l.at.Oldest-1):]
	}
	m.same("log", got, want)
	m.same("superseded", lost, l.lost)
	starts := l.starts
	if len(starts) > 0 && starts[0].Epoch == 1 {
		starts = starts[1:]
	}
	m.epochsAre(id, starts...)
}

func (m *model) stands(id string, want core.Position) {
	m.Helper()
	got, err := m.core.Positions(m.ctx, []string{id})
	m.must(err)
	if got[0] != want {
		m.Fatalf("the position of %s is %+v, want %+v", id, got[0], want)
	}
}

func (m *model) same(what string, got, want []event) {
	m.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.Fatalf("the %s is\n%v\nwant\n%v", what, got, want)
	}
}
