package journal

import (
	"fmt"
	"io/fs"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Look gives the reading side of a journal that nobody has open (store.Carrier). It reads headers and the last records of the indexes; bytes are checked when
// they are read first. Where those do not tell how far the lines go, as after a loss of power that has taken records, all of it is read as a read-only
// opening reads it, and a *DamageError may come of that.
func (s *Store) Look(id string) (store.Log, error) { return look(s.dir(id), s.opt) }

func look(dir string, opt Options) (store.Log, error) {
	o := opening{j: &Journal{log: Log{fs: opt.FS, dir: dir}}, opt: opt}
	members, _, err := o.members()
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return nil, fmt.Errorf("journal: look at %s: %w", dir, fs.ErrNotExist)
	}
	if o.unchecked(members) {
		return &o.j.log, nil
	}
	opt.ReadOnly = true
	j, _, err := Open(dir, opt, nil) // it has no files open
	if err != nil {
		return nil, err
	}
	return &j.log, nil
}

// unchecked makes the segments of what headers and records say; false: they do not tell.
func (o *opening) unchecked(members []member) bool {
	l := &o.j.log
	for i := range members {
		m := &members[i]
		if !m.ok {
			return false
		}
		var s segment
		var ok bool
		if i+1 < len(members) {
			s, ok = o.believed(m, &members[i+1].head)
		} else {
			s, ok = o.end(m)
		}
		if !ok {
			return false
		}
		l.segments = append(l.segments, s)
	}
	return true
}

// end describes the last segment by the record that ends where its lines do. Behind it there may be records of appends that were interrupted, but none that
// knows of more.
func (o *opening) end(m *member) (s segment, ok bool) {
	s = segment{ordinal: m.ordinal, first: m.head.first, next: m.head.first, epoch: m.head.epoch, size: max(m.data, 0), unread: max(m.data, 0)}
	n := (m.index - headerSize) / recordSize
	for at := n - 1; at >= max(0, n-spare); at-- {
		r, ok := o.recordAt(m, at)
		switch {
		case ok && r.synced > m.data:
			return s, false
		case ok && r.end() == m.data:
			s.next, s.records = r.next(), at+1
			return s, true
		}
	}
	return s, m.data == 0 && n == 0
}
