package session

import (
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/session/core"
)

func (a *shell) summary() Summary {
	s := a.core.Summary()
	s.ID = a.cfg.ID
	if a.ring != nil { // a cursor of an event that is not shown yet would be beyond the log for its readers
		s.Seq = min(s.Seq, a.ring.Head())
	}
	s.ReadOnly = a.broken != nil || a.damage != nil
	s.Damage = DamageOf(a.damage)
	return s
}

// look answers Describe. Like every answer it waits until the events of the steps before it are shown. Only while the journal does not
// work, which may last, it is answered at once and may be ahead of the log.
func (a *shell) look(m *Describe) {
	d := a.describe()
	n := len(a.commits)
	if n == 0 || a.broken != nil {
		m.Send(d)
		return
	}
	last := &a.commits[n-1]
	d.Seq = last.seq
	last.looks = append(last.looks, look{func() { m.Send(d) }, m.Fail})
}

func (a *shell) describe() Description {
	d := a.core.Description()
	d.Summary = a.summary()
	head := a.ring.Head()
	for r := range a.readers {
		d.Readers = append(d.Readers, r.Info(head))
	}
	sort.Slice(d.Readers, func(i, j int) bool { return d.Readers[i].Since.Before(d.Readers[j].Since) })
	return d
}

// join gives a reader. Like every answer a frame waits until the events that it has are shown.
func (a *shell) join(m *Join) {
	if a.journal == nil {
		m.Fail(a.refusal())
		return
	}
	r := m.NewReader(a.self, a.cfg.ID, a.ring, a.journal.Log(), a.core.Epochs(), a.cfg.Now())
	r.Damage, r.Beginning = DamageOf(a.damage), beginning(a.cfg, a.journal.Log())
	switch n := len(a.commits); {
	case !m.Frame:
		a.readers[r] = struct{}{}
	case a.broken != nil: // what is shown ends before what the core knows
	case n > 0:
		r.Frame = core.FrameOf(a.core)
		last := &a.commits[n-1]
		last.looks = append(last.looks, look{func() { m.Send(r) }, m.Fail})
		return
	default:
		r.Frame = core.FrameOf(a.core)
	}
	m.Send(r)
}
