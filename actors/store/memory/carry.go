package memory

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Epochs is store.Log's.
func (l *log) Epochs() (list protocol.Epochs) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := range l.batches {
		if b := &l.batches[i]; len(list) == 0 || list.Newest() < b.epoch {
			list = list.Begin(b.epoch, b.First)
		}
	}
	if len(list) == 0 || list.Newest() < l.epoch {
		list = list.Begin(l.epoch, l.newest()+1)
	}
	return list
}

// Stretch is store.Log's.
func (l *log) Stretch(since, upTo uint64, most store.Most) (store.Stretch, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.lacks(since, upTo); err != nil {
		return store.Stretch{}, err
	}
	st := store.Stretch{First: since + 1, Epoch: l.epoch}
	from := l.holding(since + 1)
	if from < len(l.batches) {
		st.Epoch = l.batches[from].epoch
	}
	events, size := 0, int64(0)
	for i := from; i < len(l.batches) && l.batches[i].First <= upTo && since < upTo; i++ {
		b := &l.batches[i]
		events, size = events+b.Count, size+int64(len(b.Lines))
		if b.epoch != st.Epoch || i > from && (events > most.Events || size > most.Bytes) {
			break
		}
		if b.damaged > 0 {
			return store.Stretch{}, l.damage(b.First, "a batch is not what was written")
		}
		first, next := max(b.First, since+1), min(b.next(), upTo+1)
		lines := b.Lines[:store.Front(b.Lines, int(next-b.First))]
		st.Lines = append(st.Lines, lines[l.offset(first, i):]...)
		st.Add(store.Made{Count: int(next - first), Source: b.Source})
		st.Time = b.Time
	}
	return st, nil
}

// Look is store.Carrier's.
func (s *Store) Look(id string) (store.Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return looked(id, s.logs[id])
}

func looked(id string, l *log) (store.Log, error) {
	if l == nil {
		return nil, fmt.Errorf("memory: look at %s: %w", id, fs.ErrNotExist)
	}
	return l, nil
}

// Adopt is store.Carrier's.
func (s *Store) Adopt(id string, stretches iter.Seq2[store.Stretch, error], _ func(dir string) error) error {
	if s.log(id) != nil {
		return fmt.Errorf("memory: adopt %s: %w", id, fs.ErrExist)
	}
	l := &log{id: id, clean: true}
	next := uint64(0)
	for st, err := range stretches {
		if err == nil {
			err = st.Follows(next, l.epoch)
		}
		if err != nil {
			return err
		}
		if l.epoch = st.Epoch; next == 0 {
			l.dropped = st.First - 1
		}
		for b, err := range st.Batches() {
			if err != nil {
				return err
			}
			b.Lines = bytes.Clone(b.Lines)
			l.batches = append(l.batches, batch{Batch: b, epoch: st.Epoch})
		}
		next = st.Last() + 1
	}
	if next == 0 {
		return &store.BatchError{Problem: "no stretch"}
	}
	l.synced = len(l.batches)
	if err := s.fault(); err != nil {
		return &store.WriteError{Op: "adopt", File: id, Err: err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(l)
	return nil
}

// SetAside is store.Carrier's.
func (s *Store) SetAside(id, name string) error {
	err := s.fault()
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.logs[id]
	switch {
	case err != nil:
	case name == "":
		err = fmt.Errorf("a log without a name: %w", fs.ErrInvalid)
	case l != nil && s.asides[id][name] != nil:
		err = fmt.Errorf("there is another log set aside as %s: %w", name, fs.ErrExist)
	}
	if err != nil {
		return &store.WriteError{Op: "set aside", File: id, Err: err}
	}
	if l == nil {
		return nil
	}
	if s.asides == nil {
		s.asides = map[string]map[string]*log{}
	}
	if s.asides[id] == nil {
		s.asides[id] = map[string]*log{}
	}
	s.asides[id][name] = l
	delete(s.logs, id)
	return nil
}

// Aside is store.Carrier's.
func (s *Store) Aside(id, name string) (store.Log, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return looked(id, s.asides[id][name])
}

// Asides is store.Carrier's.
func (s *Store) Asides(id string) ([]string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.asides[id])), nil
}

// Shelved is store.Carrier's.
func (s *Store) Shelved() (ids []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, has := range s.asides {
		if len(has) > 0 {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// RemoveAside is store.Carrier's.
func (s *Store) RemoveAside(id, name string) error {
	if err := s.fault(); err != nil {
		return &store.WriteError{Op: "remove", File: id, Err: err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.asides[id], name)
	return nil
}
