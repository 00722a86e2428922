package process

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"
)

// DefaultMaxLine is the longest line that a Framer takes when no limit is given, in bytes: far above anything that an
// agent was seen to say (Pi repeats all messages of a run in one line), far below what hurts.
const DefaultMaxLine = 8 << 20

const (
	smallBuffer = 4 << 10  // while the agent says little
	largeBuffer = 64 << 10 // one full pipe
	headBytes   = 256      // of a line that was too long
	maxEmpty    = 100      // reads in a row that give neither bytes nor an error
)

// Frame is one native line.
type Frame struct {
	// Line is the line without its newline (LF, or CR LF), valid UTF-8: invalid bytes are replaced by U+FFFD. It is
	// valid until the next call. Nil when TooLong is set.
	Line []byte
	// Partial says that the input ended without a newline.
	Partial bool
	// TooLong is set for a line over the limit, in place of the line.
	TooLong *TooLong
}

// TooLong describes a line that was dropped because it was over the limit.
type TooLong struct {
	Bytes int64  // its length without the LF
	Head  string // its first bytes, valid UTF-8
}

// Framer reads lines with a limit. Only LF ends a line: U+2028 and other separators are text. A line over the limit is
// read over and gives one TooLong; the next line is intact. The frames depend on the bytes alone, not on the pieces in
// which they arrive.
//
// Memory: 4 KiB while it waits for the next line, 64 KiB while there is more to read, plus the limit while a longer line is in work, plus what an
// invalid line needs to be replaced. A Framer is not safe for concurrent use.
type Framer struct {
	src   io.Reader
	limit int
	buf   []byte // buf[start:end] is read and not given out
	start int
	end   int
	seen  int    // buf[start:start+seen] has no newline
	small []byte // buf while the source says little
	more  bool   // the last read filled the buffer: the source has more, most likely
	err   error
	skip  *TooLong // a line over the limit is being read over
}

// NewFramer frames what src says. A limit of zero or less means DefaultMaxLine.
func NewFramer(src io.Reader, limit int) *Framer {
	if limit <= 0 {
		limit = DefaultMaxLine
	}
	small := make([]byte, min(smallBuffer, limit+2))
	return &Framer{src: src, limit: limit, buf: small, small: small}
}

// Next returns the next line. It blocks until there is one. After the last line it returns the error of the source,
// io.EOF at its end; a line that was begun before the error is returned first, as Partial.
func (f *Framer) Next() (Frame, error) {
	for {
		if frame, ok := f.scan(); ok {
			return frame, nil
		}
		if f.err != nil {
			if frame, ok := f.rest(); ok {
				return frame, nil
			}
			f.release()
			return Frame{}, f.err
		}
		f.fill()
	}
}

// Buffered says that Next would return without reading: a caller that batches goes on while it is true.
func (f *Framer) Buffered() bool {
	return bytes.IndexByte(f.buf[f.start+f.seen:f.end], '\n') >= 0
}

// scan looks for a whole line in the buffer.
func (f *Framer) scan() (Frame, bool) {
	i := bytes.IndexByte(f.buf[f.start+f.seen:f.end], '\n')
	if i < 0 {
		f.seen = f.end - f.start
		f.cut()
		return Frame{}, false
	}
	line := f.buf[f.start : f.start+f.seen+i]
	f.start += len(line) + 1
	f.seen = 0
	if f.skip != nil {
		long := f.skip
		f.skip = nil
		long.Bytes += int64(len(line))
		return Frame{TooLong: long}, true
	}
	return f.frame(line, false), true
}

// cut begins to read over the line when it is longer than the limit; a CR at its end may belong to the newline.
func (f *Framer) cut() {
	if f.skip == nil && f.seen <= f.limit+1 {
		return
	}
	if f.skip == nil {
		f.skip = &TooLong{Head: head(f.buf[f.start:f.end])}
	}
	f.skip.Bytes += int64(f.seen)
	f.start, f.end, f.seen = 0, 0, 0
}

// rest returns what was begun and never ended.
func (f *Framer) rest() (Frame, bool) {
	if f.skip != nil {
		long := f.skip
		f.skip = nil
		return Frame{TooLong: long, Partial: true}, true
	}
	line := f.buf[f.start:f.end]
	f.start, f.end, f.seen = 0, 0, 0
	if len(line) == 0 {
		return Frame{}, false
	}
	return f.frame(line, true), true
}

func (f *Framer) frame(line []byte, partial bool) Frame {
	if n := len(line); !partial && n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	if len(line) > f.limit {
		return Frame{TooLong: &TooLong{Bytes: int64(len(line)), Head: head(line)}, Partial: partial}
	}
	if !utf8.Valid(line) {
		line = bytes.ToValidUTF8(line, []byte("\uFFFD"))
	}
	return Frame{Line: line, Partial: partial}
}

// fill reads once, behind what is there.
func (f *Framer) fill() {
	if f.start == f.end {
		f.start, f.end = 0, 0
		f.fit()
	}
	if f.end == len(f.buf) {
		f.room()
	}
	for range maxEmpty {
		n, err := f.src.Read(f.buf[f.end:])
		f.end += n
		f.err = err
		if n > 0 || err != nil {
			f.more = f.end == len(f.buf)
			return
		}
	}
	f.err = io.ErrNoProgress
}

// room makes space in the full buffer: by a larger one while it is small, else by moving the line to the front. Eightfold steps and a last one straight
// to the limit keep old and new together close to the limit.
func (f *Framer) room() {
	size := len(f.buf) * 8
	switch {
	case len(f.buf) < largeBuffer:
		size = largeBuffer
	case f.start > 0:
		f.end = copy(f.buf, f.buf[f.start:f.end])
		f.start = 0
		return
	case size >= f.limit/4:
		size = f.limit + 2 // the newline, or CR and one byte more that proves the line too long
	}
	f.use(min(size, f.limit+2))
}

// fit changes the empty buffer: a large one is worth it while the source has more, and before a read that may wait for long there is none. Sessions are
// many, and most of them wait.
func (f *Framer) fit() {
	want := len(f.small)
	if f.more {
		want = min(largeBuffer, f.limit+2)
	}
	if len(f.buf) != want {
		f.use(want)
	}
}

// use puts a buffer of another size in the place of this one, with what is in it.
func (f *Framer) use(size int) {
	next := f.small
	switch size {
	case len(f.small):
	case largeBuffer:
		next = *larges.Get().(*[]byte)
	default:
		next = make([]byte, size)
	}
	n := copy(next, f.buf[f.start:f.end])
	f.release()
	f.buf, f.start, f.end = next, 0, n
}

// larges are buffers that are read into by one Framer after the other.
var larges = sync.Pool{New: func() any {
	b := make([]byte, largeBuffer)
	return &b
}}

// release gives the buffer to others, if it is of the size that others use. The lines in it are not valid any more: Next was called.
func (f *Framer) release() {
	if b := f.buf; len(b) == largeBuffer {
		larges.Put(&b)
	}
	f.buf = nil
}

// head is the beginning of a line, valid UTF-8.
func head(line []byte) string {
	line = line[:min(len(line), headBytes)]
	for i := 1; i <= utf8.UTFMax && i <= len(line); i++ {
		if tail := line[len(line)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				line = line[:len(line)-i]
			}
			break
		}
	}
	return string(bytes.ToValidUTF8(line, []byte("\uFFFD")))
}
