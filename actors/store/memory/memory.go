// Package memory is a store.Store without files, for tests of what stands above a log. It keeps the same rules as the journal, and lets a
// test bring about what befalls a disk: the end of the process, a loss of power, a disk that refuses, an event that is not as it was.
package memory

import (
	"bytes"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Store is what a disk is to the journal: it outlives its writers. The zero value is empty and ready for use.
type Store struct {
	mu     sync.Mutex
	logs   map[string]*log
	asides map[string]map[string]*log // logs that were set aside, by session and name
	broken error                      // what writes and syncs fail with; nil: they do not
}

var _ store.Carrier = (*Store)(nil)

// Break has every Create, Append, Sync and Recover fail with err from now on; nil: not any more.
func (s *Store) Break(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = err
}

// Kill gives what the end of the process would leave: all that was appended. Writers of this store go on without any effect on it.
func (s *Store) Kill() *Store { return s.left(func(l *log) int { return len(l.batches) }) }

// PowerLoss gives what a loss of power could leave: all that was synced, and of the batches behind it as many as random chooses; a nil random
// loses all of them.
func (s *Store) PowerLoss(random *rand.Rand) *Store {
	return s.left(func(l *log) int {
		if random == nil {
			return l.synced
		}
		return l.synced + random.IntN(len(l.batches)-l.synced+1)
	})
}

func (s *Store) left(keeps func(*log) int) *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := &Store{logs: map[string]*log{}, asides: map[string]map[string]*log{}}
	for id, logs := range s.asides {
		left.asides[id] = maps.Clone(logs)
	}
	for id, l := range s.logs {
		l.mu.RLock()
		n := keeps(l)
		left.logs[id] = &log{
			id: id, dropped: l.dropped, batches: slices.Clone(l.batches[:n]), synced: n, epoch: l.epoch, clean: l.clean && n == len(l.batches),
		}
		l.mu.RUnlock()
	}
	return left
}

// Damage makes the line of an event another one, as a disk does that gives back what was not written.
func (s *Store) Damage(id string, seq uint64) {
	l := s.log(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	i := l.holding(seq)
	b := &l.batches[i]
	b.Lines = bytes.Clone(b.Lines)
	b.Lines[l.offset(seq, i)+len(`{"`)] ^= 1
	b.damaged = seq
}

func (s *Store) log(id string) *log {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logs[id]
}

func (s *Store) fault() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// Create is store.Store's.
func (s *Store) Create(id string) (store.Writer, error) {
	if err := s.fault(); err != nil {
		return nil, &store.WriteError{Op: "create", File: id, Err: err}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.logs[id] != nil {
		return nil, fmt.Errorf("memory: create %s: %w", id, fs.ErrExist)
	}
	l := &log{id: id, epoch: 1, clean: true}
	s.keep(l)
	return &writer{store: s, log: l}, nil
}

// keep takes a new log in, for a holder of the lock.
func (s *Store) keep(l *log) {
	if s.logs == nil {
		s.logs = map[string]*log{}
	}
	s.logs[l.id] = l
}

// Open is store.Store's. Of how, a hole after a loss of power cannot be: what is lost is the end.
func (s *Store) Open(id string, how store.Opening, visit func(line []byte) error) (store.Writer, store.Recovery, error) {
	l := s.log(id)
	if l == nil {
		return nil, store.Recovery{}, fmt.Errorf("memory: open %s: %w", id, fs.ErrNotExist)
	}
	w := &writer{store: s, log: l}
	damage := l.check(how.Least)
	if damage != nil {
		w.log = l.before(damage.Seq)
		w.refuses = &store.WriteError{Op: "append", File: id, Err: fmt.Errorf("%w: %w", store.ErrReadOnly, damage)}
	} else if how.ReadOnly {
		w.refuses = &store.WriteError{Op: "append", File: id, Err: store.ErrReadOnly}
	}
	rec, err := w.log.replay(&how, visit)
	if err != nil {
		return nil, rec, err
	}
	rec.Clean = rec.Clean && damage == nil
	if damage != nil {
		return w, rec, damage
	}
	return w, rec, nil
}

// Stat is store.Store's.
func (s *Store) Stat(id string) (store.Info, error) {
	l := s.log(id)
	if l == nil {
		return store.Info{}, fmt.Errorf("memory: stat %s: %w", id, fs.ErrNotExist)
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	info := store.Info{Newest: l.newest(), Epoch: l.epoch, Bytes: l.bytes(), Segments: 1, Records: int64(len(l.batches)), Clean: l.clean}
	if n := len(l.batches); n > 0 {
		info.Time, info.Modified = l.batches[n-1].Time, l.batches[n-1].Time
	}
	return info, nil
}

// Spans is store.Store's.
func (s *Store) Spans(id string) iter.Seq2[store.Span, error] {
	return func(yield func(store.Span, error) bool) {
		l := s.log(id)
		if l == nil {
			return
		}
		l.mu.RLock()
		batches := slices.Clone(l.batches)
		l.mu.RUnlock()
		for i := range batches {
			b := &batches[i]
			if b.Source != (store.Source{}) && !yield(store.Span{Source: b.Source, First: b.First, Last: b.next() - 1}, nil) {
				return
			}
		}
	}
}

// Remove is store.Store's.
func (s *Store) Remove(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.logs, id)
	delete(s.asides, id)
	return nil
}
