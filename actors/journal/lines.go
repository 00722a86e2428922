package journal

import (
	"bytes"
	"strconv"
)

// Lines reads the events since < seq <= upTo line by line, for consumers that frame or decode them; errors as for Range.
// Close it.
func (l *Log) Lines(since, upTo uint64) (*Lines, error) {
	r, err := l.Range(since, upTo)
	if err != nil {
		return nil, err
	}
	return &Lines{bytes: r, next: since + 1}, nil
}

// Lines gives one line after another. It is for one goroutine.
//
//	for lines.Next() {
//		use(lines.Seq(), lines.Line())
//	}
//	err := lines.Err()
type Lines struct {
	bytes *Range
	buf   []byte // taken from the pool at the first Next; grows for a line that is longer
	rest  []byte // of buf, not yet given
	line  []byte
	next  uint64 // seq of the next line
	err   error
}

// Next goes to the next line; false at the end and after an error.
func (r *Lines) Next() bool {
	if r.err != nil {
		return false
	}
	for {
		if n := bytes.IndexByte(r.rest, '\n'); n >= 0 {
			if r.line, r.rest = r.rest[:n], r.rest[n+1:]; !Begins(r.line, r.next) {
				r.err = r.bytes.log.Damaged(r.next, "the line is not the event that should follow")
				return false
			}
			r.next++
			return true
		}
		if r.bytes.Size() == 0 {
			return false // ranges end with a newline
		}
		if r.err = r.fill(); r.err != nil {
			return false
		}
	}
}

// Begins says that a line, or its beginning, is what the line of an event begins with.
func Begins(line []byte, seq uint64) bool {
	var b [32]byte
	head := append(strconv.AppendUint(append(b[:0], `{"seq":`...), seq, 10), ',')
	n := min(len(line), len(head))
	return n > 0 && bytes.Equal(line[:n], head[:n])
}

// Damaged is the error of an event whose line is not what was written.
func (l *Log) Damaged(seq uint64, problem string) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	s := &l.segments[max(0, l.holding(seq))]
	return &DamageError{File: l.path(dataName(s.ordinal)), Seq: seq, Problem: problem, Hint: hintBackup}
}

// fill reads on behind what is left, which it moves to the front.
func (r *Lines) fill() error {
	if r.buf == nil {
		r.buf = small.get()
	}
	if len(r.rest) == len(r.buf) {
		grown := make([]byte, 2*len(r.buf))
		copy(grown, r.rest)
		small.put(r.buf)
		r.buf = grown
	} else {
		copy(r.buf, r.rest)
	}
	kept := len(r.rest)
	n, err := r.bytes.Read(r.buf[kept:])
	r.rest = r.buf[:kept+n]
	if n > 0 {
		return nil // an error comes again
	}
	return err
}

// Seq is the number of the line.
func (r *Lines) Seq() uint64 { return r.next - 1 }

// Line is the event without its newline, valid until the next call of Next or Close.
func (r *Lines) Line() []byte { return r.line }

// Err is why Next returned false; nil at the end.
func (r *Lines) Err() error { return r.err }

// Close gives buffer and handle back; it may be repeated.
func (r *Lines) Close() error {
	small.put(r.buf)
	r.buf, r.rest, r.line = nil, nil, nil
	return r.bytes.Close()
}
