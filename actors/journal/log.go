package journal

import (
	"path/filepath"
	"sort"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// segment is the part of one segment's description that is kept in memory; the places of its events are looked up in the index file.
type segment struct {
	ordinal uint64
	first   uint64 // seq of the first event
	next    uint64 // seq after the last event
	epoch   uint64
	size    int64  // bytes that count
	records int64  // records of the index that count
	index   []byte // instead of the index file, when that could not be repaired

	unread int64 // so many bytes at its front were not checked when the journal was opened
}

// Log is the reading side of a journal, for any number of goroutines. Every read takes the position where it stops, which
// the session has published: the journal itself does not know what readers may see.
type Log struct {
	fs  disk.FS
	dir string

	mu       sync.RWMutex // held for memory only, never during a file operation
	segments []segment

	verifying sync.Mutex // one goroutine at a time checks what Open has left unread
}

func (l *Log) path(name string) string { return filepath.Join(l.dir, name) }

// Bounds are the oldest event that is kept and the newest that was appended; oldest is newest+1 when there is none.
// The newest may be ahead of what is published.
func (l *Log) Bounds() (oldest, newest uint64) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.segments[0].first, l.segments[len(l.segments)-1].next - 1
}

// Epoch is the epoch of the newest event.
func (l *Log) Epoch() uint64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.segments[len(l.segments)-1].epoch
}

// Epochs are the epochs of the events that are kept (store.Log). An epoch that got no event before the next one began is not among them.
func (l *Log) Epochs() (list protocol.Epochs) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for i := range l.segments {
		s := &l.segments[i]
		switch n := len(list); {
		case n > 0 && list[n-1].Epoch == s.epoch:
		case n > 0 && list[n-1].First == s.first:
			list[n-1].Epoch = s.epoch
		default:
			list = list.Begin(s.epoch, s.first)
		}
	}
	return list
}

// Bytes is the size of all kept events as /log serves them.
func (l *Log) Bytes() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	var n int64
	for i := range l.segments {
		n += l.segments[i].size
	}
	return n
}

// last is the segment that grows. The caller holds Journal.mu, which every change of the segments holds too: so mu of Log is not needed.
func (l *Log) last() *segment { return &l.segments[len(l.segments)-1] }

func (l *Log) add(s segment) {
	l.mu.Lock()
	l.segments = append(l.segments, s)
	l.mu.Unlock()
}

func (l *Log) grow(r record) {
	l.mu.Lock()
	s := l.last()
	s.records++
	s.size = r.end()
	s.next = r.next()
	l.mu.Unlock()
}

// drop forgets the segments of which every event is older than seq, if there are any.
func (l *Log) drop(seq uint64) bool {
	n := 0
	for n < len(l.segments)-1 && l.segments[n].next <= seq {
		n++
	}
	if n == 0 {
		return false
	}
	l.mu.Lock()
	l.segments = append([]segment(nil), l.segments[n:]...) // a copy: the dropped ones are not to be kept alive
	l.mu.Unlock()
	return true
}

// forget drops every batch after the event newest.
func (l *Log) forget(newest uint64) error {
	if oldest, now := l.Bounds(); newest > now || newest+1 < oldest {
		return &BeyondError{Newest: now}
	}
	i := l.holding(newest + 1)
	s := l.segments[i]
	if newest+1 < s.next {
		at, r, err := l.find(&s, newest+1)
		if err != nil {
			return err
		}
		if r.first != newest+1 {
			return &BatchError{Problem: "the published event is not the last one of a batch"}
		}
		s.size, s.next, s.records = r.offset, r.first, at
	}
	l.mu.Lock()
	l.segments = append(l.segments[:i], s)
	l.mu.Unlock()
	return nil
}

// holding is the position of the last segment that begins at seq or before.
func (l *Log) holding(seq uint64) int {
	return sort.Search(len(l.segments), func(i int) bool { return l.segments[i].first > seq }) - 1
}
