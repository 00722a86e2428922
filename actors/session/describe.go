package session

import "sort"

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
	last.looks = append(last.looks, look{m, d})
}

func (a *shell) describe() Description {
	d := a.core.Description()
	d.Summary = a.summary()
	head := a.ring.Head()
	for r := range a.readers {
		seq := r.seq.Load()
		d.Readers = append(d.Readers, ReaderInfo{Name: r.Name, Seq: seq, Behind: head - min(head, seq), Since: r.joined})
	}
	sort.Slice(d.Readers, func(i, j int) bool { return d.Readers[i].Since.Before(d.Readers[j].Since) })
	return d
}
