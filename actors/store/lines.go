package store

import (
	"bytes"
	"strconv"
	"sync"
)

// LinesOf reads the events since < seq <= upTo of a log line by line, for consumers that frame or decode them; errors as for Log.Range.
// Close it.
func LinesOf(log Log, since, upTo uint64) (*Lines, error) {
	r, err := log.Range(since, upTo)
	if err != nil {
		return nil, err
	}
	return &Lines{log: log, bytes: r, next: since + 1}, nil
}

// Lines gives one line after another. It is for one goroutine.
//
//	for lines.Next() {
//		use(lines.Seq(), lines.Line())
//	}
//	err := lines.Err()
type Lines struct {
	log   Log
	bytes Range
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
				r.err = r.log.Damaged(r.next, "the line is not the event that should follow")
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

// Begins says that a line, or the beginning of one, can be that of the event with this seq.
func Begins(line []byte, seq uint64) bool {
	var b [32]byte
	head := append(strconv.AppendUint(append(b[:0], `{"seq":`...), seq, 10), ',')
	n := min(len(line), len(head))
	return n > 0 && bytes.Equal(line[:n], head[:n])
}

// fill reads on behind what is left, which it moves to the front.
func (r *Lines) fill() error {
	if r.buf == nil {
		r.buf = lineBuffers.get()
	}
	if len(r.rest) == len(r.buf) {
		grown := make([]byte, 2*len(r.buf))
		copy(grown, r.rest)
		lineBuffers.put(r.buf)
		r.buf = grown
	} else {
		copy(r.buf, r.rest)
	}
	kept := len(r.rest)
	n, err := r.bytes.Read(r.buf[kept:])
	r.rest = r.buf[:kept+n]
	if n > 0 {
		return nil // an error comes again with the next read
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
	lineBuffers.put(r.buf)
	r.buf, r.rest, r.line = nil, nil, nil
	return r.bytes.Close()
}

// lineBuffers are for readers of lines, which may wait for a slow client with the buffer in hand; one holds about 30 events.
var lineBuffers buffers

const lineBuffer = 8 << 10 // bytes

// buffers is a pool of byte slices of one size.
type buffers struct {
	pool sync.Pool // of *[]byte, so that putting one back does not allocate twice
}

func (p *buffers) get() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, lineBuffer)
}

// put takes a buffer back; one of another size is left to the garbage collector.
func (p *buffers) put(b []byte) {
	if cap(b) == lineBuffer {
		b = b[:lineBuffer]
		p.pool.Put(&b)
	}
}
