package journal

import (
	"bytes"
	"fmt"
	"io"
	"sort"
)

// openIndex opens the index of a segment for reading.
func (l *Log) openIndex(s *segment) (io.ReaderAt, func() error, error) {
	if s.index != nil {
		return bytes.NewReader(s.index), func() error { return nil }, nil
	}
	f, err := l.fs.Open(l.path(indexName(s.ordinal)))
	if err != nil {
		return nil, nil, l.readError(s, err)
	}
	return f, f.Close, nil
}

var newline = []byte{'\n'}

// page is how many records the search reads at once when that many are left: one block of a file system.
const page = 4096 / recordSize

// find gives the record of the batch that holds seq, and its position in the index.
func (l *Log) find(s *segment, seq uint64) (at int64, r record, err error) {
	f, done, err := l.openIndex(s)
	if err != nil {
		return 0, r, err
	}
	defer done()
	return l.search(f, s, seq)
}

// search is find in an index that is open. It reads about log2(n/page)+1 small pieces of the index and keeps nothing.
func (l *Log) search(f io.ReaderAt, s *segment, seq uint64) (at int64, r record, err error) {
	buf := small.get()
	defer small.put(buf)
	read := func(at int64, b []byte) ([]byte, error) {
		n, err := f.ReadAt(b, headerSize+at*recordSize)
		if n == len(b) {
			return b, nil
		}
		return nil, l.indexDamage(s, at, fmt.Sprintf("cannot be read: %v", err))
	}
	// The record is the last one of [low, high) that begins at seq or before; marks share the seq of what follows them.
	low, high := int64(0), s.records
	for high-low > page {
		middle := low + (high-low)/2
		b, err := read(middle, buf[:recordSize])
		if err != nil {
			return 0, r, err
		}
		r, ok := decodeRecord(b)
		if !ok {
			return 0, r, l.indexDamage(s, middle, "wrong checksum")
		}
		if r.first <= seq {
			low = middle
		} else {
			high = middle
		}
	}
	b, err := read(low, buf[:(high-low)*recordSize])
	if err != nil {
		return 0, r, err
	}
	n := sort.Search(int(high-low), func(i int) bool {
		r, ok := decodeRecord(b[i*recordSize:])
		return ok && r.first > seq
	})
	if n == 0 {
		return 0, r, l.indexDamage(s, low, "does not hold what it should")
	}
	at = low + int64(n) - 1
	r, ok := decodeRecord(b[(n-1)*recordSize:])
	if !ok || seq < r.first || seq >= r.next() {
		return 0, r, l.indexDamage(s, at, "does not hold what it should")
	}
	return at, r, nil
}

// offset is where the line of seq begins in the segment; seq may be the one after the last.
func (l *Log) offset(s *segment, seq uint64) (int64, error) {
	switch seq {
	case s.first:
		return 0, nil
	case s.next:
		return s.size, nil
	}
	_, r, err := l.find(s, seq)
	if err != nil || r.first == seq {
		return r.offset, err
	}
	f, err := l.fs.Open(l.path(dataName(s.ordinal)))
	if err != nil {
		return 0, l.readError(s, err)
	}
	defer f.Close()
	buf := small.get()
	defer small.put(buf)
	at, skip := r.offset, seq-r.first
	for at < r.end() {
		b := buf[:min(int64(len(buf)), r.end()-at)]
		if n, err := f.ReadAt(b, at); n < len(b) {
			return 0, l.shortData(s, at+int64(n), err)
		}
		if n := uint64(bytes.Count(b, newline)); n < skip {
			skip -= n
			at += int64(len(b))
			continue
		}
		for ; skip > 0; skip-- {
			n := bytes.IndexByte(b, '\n') + 1
			b = b[n:]
			at += int64(n)
		}
		return at, nil
	}
	return 0, l.batchDamage(s, &r, "a batch has fewer lines than its record says")
}
