package memory

import (
	"bytes"
	"hash/crc32"
	"io"
	"slices"
	"sort"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// batch is one that was appended, with a copy of its lines.
type batch struct {
	store.Batch
	epoch   uint64
	damaged uint64 // the event that is not as it was; 0: none
}

func (b *batch) next() uint64 { return b.First + uint64(b.Count) }

// log is one session's log, of which readers have the same.
type log struct {
	id string

	mu      sync.RWMutex
	dropped uint64 // the newest event that was given up
	batches []batch
	synced  int // of batches, so many survive a loss of power
	epoch   uint64
	clean   bool // closed in order, or never written
}

var _ store.Log = (*log)(nil)

// The methods with a small letter are for holders of the lock.

func (l *log) newest() uint64 {
	if n := len(l.batches); n > 0 {
		return l.batches[n-1].next() - 1
	}
	return l.dropped
}

func (l *log) bytes() (n int64) {
	for i := range l.batches {
		n += int64(len(l.batches[i].Lines))
	}
	return n
}

// epochAt is the epoch of the first n batches.
func (l *log) epochAt(n int) uint64 {
	switch {
	case n == len(l.batches):
		return l.epoch
	case n > 0:
		return l.batches[n-1].epoch
	}
	return l.batches[0].epoch
}

// holding is the position of the batch that has an event.
func (l *log) holding(seq uint64) int {
	return sort.Search(len(l.batches), func(i int) bool { return l.batches[i].next() > seq })
}

// offset is where the line of an event begins in the batch at position i.
func (l *log) offset(seq uint64, i int) int {
	b := &l.batches[i]
	at := 0
	for range seq - b.First {
		at += bytes.IndexByte(b.Lines[at:], '\n') + 1
	}
	return at
}

// lacks says why the events since < seq <= upTo cannot be read.
func (l *log) lacks(since, upTo uint64) error {
	switch newest := l.newest(); {
	case since > upTo || upTo > newest:
		return &store.BeyondError{Newest: min(newest, upTo)}
	case since < l.dropped:
		return &store.GoneError{Oldest: l.dropped + 1}
	}
	return nil
}

// check finds what is not as it was written.
func (l *log) check(least uint64) *store.DamageError {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := range l.batches {
		if l.batches[i].damaged > 0 {
			return l.damage(l.batches[i].First, "a batch is not what was written")
		}
	}
	if l.newest() < least {
		return l.damage(l.newest()+1, "the log ends here, and more is known to have been written")
	}
	return nil
}

func (l *log) damage(seq uint64, problem string) *store.DamageError {
	return &store.DamageError{File: l.id, Seq: seq, Problem: problem, Hint: "restore the session from a backup; what precedes the damage can be read"}
}

// before is the log up to the batch that begins with an event.
func (l *log) before(seq uint64) *log {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := l.holding(seq)
	return &log{id: l.id, dropped: l.dropped, batches: slices.Clone(l.batches[:n]), synced: min(l.synced, n), epoch: l.epochAt(n)}
}

// place is where the log stands behind the batch at position i.
func (l *log) place(i int) store.Place {
	b := &l.batches[i]
	p := store.Place{Epoch: b.epoch, Seq: b.next() - 1, Segment: 1, Records: int64(b.next()), Sum: crc32.ChecksumIEEE(b.Lines)}
	for j := range i + 1 {
		p.Bytes += int64(len(l.batches[j].Lines))
		if of := l.batches[j].Source; of != (store.Source{}) {
			p.Last = of
		}
	}
	return p
}

// behind is how many batches lie before a place; 0 where the log does not have it.
func (l *log) behind(p store.Place) int {
	if p.Seq <= l.dropped || p.Seq > l.newest() {
		return 0
	}
	i := l.holding(p.Seq)
	if l.place(i) != p {
		return 0
	}
	return i + 1
}

// replay visits every line, or those behind a place, and says what there is.
func (l *log) replay(how *store.Opening, visit func(line []byte) error) (store.Recovery, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	rec := store.Recovery{Oldest: l.dropped + 1, Newest: l.newest(), Epoch: l.epoch, Clean: l.clean}
	from := l.behind(how.From)
	if from > 0 {
		how.Behind()
	}
	for i := range l.batches {
		b := &l.batches[i]
		if b.Source != (store.Source{}) {
			rec.Last = b.Source
		}
		if visit == nil || i < from {
			continue
		}
		for line := range bytes.Lines(b.Lines) {
			if err := visit(line[:len(line)-1]); err != nil {
				return rec, err
			}
		}
	}
	return rec, nil
}

// Bounds is store.Log's.
func (l *log) Bounds() (oldest, newest uint64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.dropped + 1, l.newest()
}

// Epoch is store.Log's.
func (l *log) Epoch() uint64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.epoch
}

// Bytes is store.Log's.
func (l *log) Bytes() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.bytes()
}

// Damaged is store.Log's.
func (l *log) Damaged(seq uint64, problem string) error { return l.damage(seq, problem) }

// Range is store.Log's.
func (l *log) Range(since, upTo uint64) (store.Range, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.lacks(since, upTo); err != nil {
		return nil, err
	}
	if since == upTo {
		return &stretch{}, nil
	}
	first, last := l.holding(since+1), l.holding(upTo)
	var b []byte
	for i := first; i <= last; i++ {
		lines := l.batches[i].Lines
		if i == last && upTo+1 < l.batches[i].next() {
			lines = lines[:l.offset(upTo+1, i)]
		}
		if i == first {
			lines = lines[l.offset(since+1, i):]
		}
		b = append(b, lines...)
	}
	return &stretch{left: b}, nil
}

// stretch is a store.Range.
type stretch struct{ left []byte }

func (r *stretch) Size() int64  { return int64(len(r.left)) }
func (r *stretch) Whole() error { return nil }

func (r *stretch) Close() error {
	r.left = nil
	return nil
}

func (r *stretch) Read(b []byte) (int, error) {
	if len(r.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

func (r *stretch) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(r.left)
	r.left = r.left[n:]
	return int64(n), err
}
