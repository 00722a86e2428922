package journal

import (
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Store keeps the log of each session in a folder of its own, on the local disk.
type Store struct {
	dir func(id string) string
	opt Options
}

var (
	_ store.Mender  = (*Store)(nil)
	_ store.Carrier = (*Store)(nil)
	_ store.Sharer  = (*Journal)(nil)
)

// In makes the store that keeps the log of a session in the folder dir(id). Of opt the file system, the size of segments and Share count.
func In(dir func(id string) string, opt Options) *Store {
	return &Store{dir: dir, opt: opt.withDefaults()}
}

// Create makes the log of a new session (store.Store).
func (s *Store) Create(id string) (store.Writer, error) { return writer(Create(s.dir(id), s.opt)) }

// Open opens the log of a session (store.Store).
func (s *Store) Open(id string, how store.Opening, visit func(line []byte) error) (store.Writer, Recovery, error) {
	opt := s.opt
	opt.ReadOnly, opt.PowerLoss, opt.Least = how.ReadOnly, how.PowerLoss, how.Least
	opt.From, opt.Behind = how.From, how.Behind
	j, rec, err := Open(s.dir(id), opt, visit)
	w, err := writer(j, err)
	return w, rec, err
}

// writer keeps a nil journal from becoming an interface that is not nil.
func writer(j *Journal, err error) (store.Writer, error) {
	if j == nil {
		return nil, err
	}
	return j, err
}

// Stat reads the end of the last index only. A log whose last index cannot be read has Newest 0: only Open finds out more.
func (s *Store) Stat(id string) (Info, error) { return Stat(s.dir(id), s.opt) }

// Spans reads the indexes only. Where a record of an index is wrong, the rest of that index is passed over.
func (s *Store) Spans(id string) iter.Seq2[Span, error] { return Spans(s.dir(id), s.opt) }

// Remove removes the session's folder with everything in it; see RemovedSuffix.
func (s *Store) Remove(id string) error { return Remove(s.dir(id), s.opt) }
