package store

import (
	"bytes"
	"fmt"
	"iter"
)

// Stretch is a run of batches of one epoch: their lines, and what else it takes to make a log of them elsewhere. One without events says in which epoch
// the event First is, or will be.
type Stretch struct {
	First   uint64 // seq of the first line
	Epoch   uint64 // of all its events
	Time    int64  // Unix milliseconds of its newest batch
	Sources []Made // in order; their Counts add up to the lines
	Lines   []byte // each with its newline, exactly as /log serves them
}

// Made is a run of lines and the adapter's batch that they were made of. Lines without a source are told together, whatever batches they came in.
type Made struct {
	Count  int // lines
	Source Source
}

// Count is how many events the stretch has.
func (s *Stretch) Count() (n int) {
	for _, m := range s.Sources {
		n += m.Count
	}
	return n
}

// Last is the seq of its newest event; First-1 of an empty one.
func (s *Stretch) Last() uint64 { return s.First - 1 + uint64(s.Count()) }

// Follows says why a log does not go on with the stretch, as a *BatchError; next is the event that comes next and epoch the log's newest. A log that has
// not begun, with next 0, begins with any.
func (s *Stretch) Follows(next, epoch uint64) error {
	switch {
	case s.First == 0 || s.Epoch == 0:
		return &BatchError{"a stretch without its first event or its epoch"}
	case next > 0 && s.First != next:
		return &BatchError{fmt.Sprintf("the stretch begins with event %d, the next one is %d", s.First, next)}
	case s.Epoch < epoch:
		return &BatchError{fmt.Sprintf("the stretch is of epoch %d, and the log of epoch %d", s.Epoch, epoch)}
	}
	return nil
}

// Batches are what a log appends of the stretch: a batch for each run of its Sources. A *BatchError ends them where these do not add up to the lines.
func (s *Stretch) Batches() iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		next, rest := s.First, s.Lines
		for _, m := range s.Sources {
			size := Front(rest, m.Count)
			b := Batch{First: next, Count: m.Count, Lines: rest[:size], Time: s.Time, Source: m.Source}
			if err := b.Check(next); err != nil {
				yield(Batch{}, err)
				return
			}
			if !yield(b, nil) {
				return
			}
			next, rest = next+uint64(m.Count), rest[size:]
		}
		if len(rest) > 0 {
			yield(Batch{}, &BatchError{"the stretch has more lines than its Sources"})
		}
	}
}

// Front is how many bytes the first n of some lines take; all of them where there are no more.
func Front(lines []byte, n int) (size int) {
	for ; n > 0; n-- {
		at := bytes.IndexByte(lines[size:], '\n')
		if at < 0 {
			return len(lines)
		}
		size += at + 1
	}
	return size
}

// Add takes a run of lines in at the end of the Sources.
func (s *Stretch) Add(m Made) {
	if n := len(s.Sources); n > 0 && m.Source == (Source{}) && s.Sources[n-1].Source == m.Source {
		s.Sources[n-1].Count += m.Count
		return
	}
	s.Sources = append(s.Sources, m)
}

// Most bounds a Stretch. Each batch counts as a whole, also one of which the stretch has a part, and the first one is there whatever it counts: so a
// stretch may exceed both by one batch.
type Most struct {
	Events int
	Bytes  int64
}

// Carrier is a Store whose logs can be carried elsewhere, and made of what was carried.
type Carrier interface {
	Store
	// Look gives the reading side of a log that nobody has open for writing, without opening it: nothing is repaired, and lines are checked when
	// they are read. Of a log that was not closed in order, the end may be there that an opening would cut. Errors are those of Stat, and a *DamageError
	// where the log has no place that can be told without reading what is damaged.
	Look(id string) (Log, error)
	// Adopt makes a log of stretches, of which the first may begin with any event and epoch; each further one begins where the one before has
	// ended, in the same epoch or a later one. The log has its events, sources and epochs, survives a loss of power when Adopt returns, and was then closed
	// in order. Until then there is none: an Adopt that did not come to its end leaves nothing that counts. An error of the sequence ends it and is returned
	// as it is; where there is a log already the error is fs.ErrExist, a stretch that does not follow, or none at all, is a *BatchError, others are
	// *WriteError.
	//
	// beside, where it is not nil, puts files beside the log before there is one. It is given their folder, and its error ends Adopt and is
	// returned as it is. A Store without folders does not call it.
	Adopt(id string, stretches iter.Seq2[Stretch, error], beside func(dir string) error) error
	// SetAside takes a log away, with everything that is kept beside it under the session's id, and keeps it under another name; the writer must be
	// closed, and its readers have to look for it there. It survives a loss of power when SetAside returns, and may be repeated: then the log may be gone.
	// Remove takes what was set aside as well. An error is a *WriteError; fs.ErrExist is in it where there is another log of that name, fs.ErrInvalid where
	// no file can have the name.
	SetAside(id, name string) error
	// Aside gives the reading side of a log that was set aside, as Look does.
	Aside(id, name string) (Log, error)
	// Asides are the names of what was set aside of a session, in their order; none where nothing was. An error is a *ReadError.
	Asides(id string) ([]string, error)
	// Shelved are the ids of the sessions of which something was set aside, in any order. An error is a *ReadError.
	Shelved() ([]string, error)
	// RemoveAside removes what was set aside under a name. What is gone is no error.
	RemoveAside(id, name string) error
}
