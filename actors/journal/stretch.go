package journal

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Stretch reads whole batches with what their records say of them, and holds each against its checksum (store.Log). It costs a search in the index of the
// first segment, and of each segment one read of records and one of lines, however long the log is.
func (l *Log) Stretch(since, upTo uint64, most store.Most) (store.Stretch, error) {
	list, err := l.alike(since, upTo, most)
	if err != nil {
		return store.Stretch{}, err
	}
	st := store.Stretch{First: since + 1, Epoch: list[0].epoch}
	if since == upTo {
		return st, nil
	}
	t := taking{upTo: upTo, most: most}
	runs, next := make([]run, 0, len(list)), since+1
	for i := range list {
		r := run{segment: &list[i]}
		more, err := l.take(&r, next, &t)
		if err != nil {
			return store.Stretch{}, err
		}
		if len(r.batches) > 0 {
			runs = append(runs, r)
		}
		if !more {
			break
		}
		next = list[i].next
	}
	if len(runs) == 0 {
		return store.Stretch{}, l.indexDamage(&list[0], 0, "does not hold what it should")
	}
	lines, left := make([]byte, t.bytes), 0
	for i := range runs {
		r := &runs[i]
		if err := l.fill(r, lines[left:left+r.size()]); err != nil {
			return store.Stretch{}, err
		}
		left += r.size()
		for j := range r.batches {
			b := &r.batches[j]
			from, to := max(b.first, since+1), min(b.next(), upTo+1)
			st.Add(store.Made{Count: int(to - from), Source: b.source})
			st.Time = b.time
		}
	}
	first, last := runs[0].batches[0], runs[len(runs)-1].last()
	end := len(lines)
	if upTo+1 < last.next() {
		begin := end - int(last.length)
		end = begin + store.Front(lines[begin:], int(upTo+1-last.first))
	}
	begin := store.Front(lines, int(since+1-first.first))
	st.Lines = lines[begin:end:end]
	return st, nil
}

// alike are the segments that a stretch may be in: of one epoch, from the one with its first event on.
func (l *Log) alike(since, upTo uint64, most store.Most) (list []segment, err error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if err := l.lacks(since, upTo); err != nil {
		return nil, err
	}
	from := l.holding(since + 1)
	bytes := int64(0) // behind the first of them
	for i := from; i < len(l.segments); i++ {
		s := &l.segments[i]
		if i > from && (s.epoch != l.segments[from].epoch || s.first > upTo || bytes > most.Bytes) {
			break
		}
		if list = append(list, *s); i > from {
			bytes += s.size
		}
	}
	return list, nil
}

// run is those batches of a segment that come into a stretch.
type run struct {
	segment *segment
	batches []record
}

func (r *run) last() *record { return &r.batches[len(r.batches)-1] }
func (r *run) size() int     { return int(r.last().end() - r.batches[0].offset) }

// taking counts what a stretch has so far.
type taking struct {
	upTo   uint64
	most   store.Most
	events int
	bytes  int64
}

// takes says whether a batch comes into the stretch, and counts it.
func (t *taking) takes(r *record) bool {
	events, bytes := t.events+int(r.count), t.bytes+int64(r.length)
	if r.first > t.upTo || t.events > 0 && (events > t.most.Events || bytes > t.most.Bytes) {
		return false
	}
	t.events, t.bytes = events, bytes
	return true
}

// take reads the records of the batches of a segment that come into the stretch, from the one on that holds the event next; more is false behind the last
// one that does.
func (l *Log) take(to *run, next uint64, t *taking) (more bool, err error) {
	s := to.segment
	if s.records == 0 {
		return true, nil
	}
	f, done, err := l.openIndex(s)
	if err != nil {
		return false, err
	}
	defer done()
	at, pos := int64(0), int64(0)
	if next != s.first {
		var r record
		if at, r, err = l.search(f, s, next); err != nil {
			return false, err
		}
		next, pos = r.first, r.offset
	}
	buf := small.get()
	defer small.put(buf)
	for at < s.records {
		b := buf[:min(s.records-at, int64(len(buf)/recordSize))*recordSize]
		if n, err := f.ReadAt(b, headerSize+at*recordSize); n < len(b) {
			if errors.Is(err, io.EOF) {
				return false, l.indexDamage(s, at, "cannot be read: the file became shorter")
			}
			return false, l.readError(s, err)
		}
		for ; len(b) > 0; b = b[recordSize:] {
			r, ok := decodeRecord(b)
			if !ok || r.first != next || r.offset != pos {
				return false, l.indexDamage(s, at, "does not hold what it should")
			}
			at, next, pos = at+1, r.next(), r.end()
			if r.isMark() {
				continue
			}
			if !t.takes(&r) {
				return false, nil
			}
			to.batches = append(to.batches, r)
		}
	}
	return true, nil
}

// fill reads the lines of a run and checks them.
func (l *Log) fill(r *run, lines []byte) error {
	f, err := l.fs.Open(l.path(dataName(r.segment.ordinal)))
	if err != nil {
		return l.readError(r.segment, err)
	}
	defer f.Close()
	start := r.batches[0].offset
	n, err := f.ReadAt(lines, start)
	if n < len(lines) && !errors.Is(err, io.EOF) {
		return l.readError(r.segment, err)
	}
	for i := range r.batches {
		b := &r.batches[i]
		if b.end()-start > int64(n) {
			return l.batchDamage(r.segment, b, "the file became shorter")
		}
		of := lines[b.offset-start : b.end()-start]
		if crc32.Checksum(of, castagnoli) != b.sum {
			return l.batchDamage(r.segment, b, "wrong checksum")
		}
		if of[len(of)-1] != '\n' || bytes.Count(of, newline) != int(b.count) {
			return l.batchDamage(r.segment, b, "the batch has not the lines that its record says")
		}
	}
	return nil
}
