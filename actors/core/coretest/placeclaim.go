package coretest

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// record makes one, of which no two were updated at the same time.
func (m *places) record(session string) core.Record {
	r := record(session)
	m.made++
	r.Root, r.Updated = root(session), r.Updated.Add(time.Duration(m.random.IntN(1000)*10_000+m.made)*time.Second)
	r.Failover = []core.Failover{core.FailoverStay, core.FailoverAuto, core.FailoverAuto}[m.random.IntN(3)]
	return r
}

func (m *places) takes(as core.Owner, id string) {
	m.Helper()
	r := m.record(id)
	got, err := m.core.Take(m.ctx, as, []core.Record{r})
	m.must(err)
	l := m.logs[id]
	if _, heard := m.enter(as); heard && (l == nil || l.at.Owner.Node == as.Node) {
		if l == nil {
			l = &log{at: core.Position{Session: id, Epoch: 1, Oldest: 1}, began: 1, starts: protocol.Epochs{{Epoch: 1, First: 1}}}
			m.logs[id] = l
		}
		m.told[id] = r
		m.give(l, as, got[0].Lease)
	}
	if l == nil {
		l = &log{}
	}
	if got[0] != l.at {
		m.Fatalf("%+v took %+v, want %+v", as, got[0], l.at)
	}
}

// give has a session be somebody's, with a lease that there never was.
func (m *places) give(l *log, as core.Owner, lease core.Lease) {
	m.Helper()
	if slices.Contains(m.leases, lease) || !protocol.ValidSessionID(string(lease)) {
		m.Fatalf("the lease %s comes back", lease)
	}
	m.leases = append(m.leases, lease)
	l.at.Owner, l.at.Lease = as, lease
}

func (m *places) notes(id string, l *log) {
	m.Helper()
	n := core.Note{Lease: m.lease(l), Record: m.record(id)}
	m.must(m.core.Note(m.ctx, []core.Note{n}))
	if n.Lease == l.at.Lease {
		m.told[id] = n.Record
	}
}

func (m *places) releases(id string, l *log) string {
	m.Helper()
	as, h := l.at.Owner, core.Handed{Session: id, Lease: m.lease(l), Head: l.at.Head}
	if m.random.IntN(6) == 0 {
		h.Head++
	}
	if m.random.IntN(6) == 0 {
		as = m.node()
	}
	got, err := m.core.Release(m.ctx, as, []core.Handed{h})
	m.must(err)
	taken := l.at.Owner != core.Owner{} && as == l.at.Owner && h.Lease == l.at.Lease && h.Head == l.at.Head
	if taken {
		m.give(l, core.Owner{}, got[0].At.Lease)
	}
	if got[0] != (core.Answer{Taken: taken, At: l.at}) {
		m.Fatalf("%+v of %+v was answered with %+v, want %v at %+v", h, as, got[0], taken, l.at)
	}
	if taken {
		return "released"
	}
	return ""
}

// able says whether a node may claim.
func (m *places) able(as core.Owner) bool {
	n := m.nodes[as.Node]
	return n != nil && n.life == as && n.state == core.StateUp && n.beats && n.expires > m.now
}

// why is what should keep a node from a session; "": nothing.
func (m *places) why(as core.Owner, id string, revive bool) core.Why {
	l := m.logs[id]
	if l == nil {
		return core.WhyUnknown
	}
	if !m.able(as) {
		return core.WhyUnable
	}
	if l.at.Owner == (core.Owner{}) {
		return ""
	}
	has := m.nodes[l.at.Owner.Node]
	isOver := has.state == core.StateDead || has.state == core.StateLeft
	isLate := has.life != l.at.Owner && has.beats && has.expires > m.now && m.now-has.steady > has.lease
	if has.life.Node == as.Node {
		return core.WhyOwn
	}
	if !isOver && !isLate {
		return core.WhyHeld
	}
	if m.told[id].Failover == core.FailoverAuto || revive && has.state == core.StateLeft {
		return ""
	}
	return core.WhyStay
}

func (m *places) claims(as core.Owner, one string) string {
	m.Helper()
	var want core.Want
	switch m.random.IntN(4) {
	case 0:
		want.Families = m.random.IntN(3)
	case 1, 2:
		want.Sessions, want.Revive = []string{one}, true
	default:
		want.Sessions = []string{one, m.session()}
	}
	found := m.found(as, want)
	var others []core.Refusal
	for _, id := range want.Sessions {
		if why := m.why(as, id, want.Revive); why != "" {
			r := core.Refusal{Session: id, Why: why}
			if l := m.logs[id]; l != nil {
				r.At = l.at
			}
			others = append(others, r)
		}
	}
	got, err := m.core.Claim(m.ctx, as, want)
	m.must(err)
	if len(got.Taken) != len(found) || !slices.Equal(got.Others, others) {
		m.Fatalf("%+v claimed %+v by %+v, want %v and %+v", as, got, want, found, others)
	}
	what := "refused"
	for _, c := range got.Taken {
		if what = m.claimed(as, c, found); want.Revive && m.told[c.At.Session].Failover == core.FailoverStay && c.Lost {
			what = "revived"
		}
	}
	return what
}

// found are the sessions that should be claimed.
func (m *places) found(as core.Owner, want core.Want) (list []string) {
	var roots []string
	for _, id := range want.Sessions {
		if m.logs[id] != nil {
			roots = append(roots, root(id))
		}
	}
	if want.Sessions == nil {
		var free []string
		for id := range m.logs {
			if m.why(as, id, false) == "" {
				free = append(free, id)
			}
		}
		slices.SortFunc(free, func(a, b string) int { return m.told[b].Updated.Compare(m.told[a].Updated) })
		for _, id := range free {
			if r := root(id); !slices.Contains(roots, r) && (want.Families == 0 || len(roots) < want.Families) {
				roots = append(roots, r)
			}
		}
	}
	for id := range m.logs {
		if slices.Contains(roots, root(id)) && m.why(as, id, want.Revive) == "" {
			list = append(list, id)
		}
	}
	return list
}

// claimed notes a session that was claimed.
func (m *places) claimed(as core.Owner, c core.Claimed, found []string) string {
	m.Helper()
	id := c.At.Session
	l := m.logs[id]
	if !slices.Contains(found, id) || c.Had != l.at.Owner || c.Lost != (l.at.Owner != core.Owner{}) || c.Record.Root != root(id) ||
		c.Record.Failover != m.told[id].Failover {
		m.Fatalf("%+v claimed %+v of %+v, want %v", as, c, l.at, found)
	}
	what := "claimed"
	if c.Lost {
		if c.At.Epoch <= l.at.Epoch {
			m.Fatalf("behind epoch %d comes %+v", l.at.Epoch, c)
		}
		l.begin(c.At.Epoch, l.at.Head+1)
		m.epoch = max(m.epoch, c.At.Epoch)
		what = "claimed lost"
	}
	m.give(l, as, c.At.Lease)
	if c.At != l.at {
		m.Fatalf("claimed at %+v, want %+v", c.At, l.at)
	}
	return what
}
