package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// AppendLine encodes an event as a line of a log, with its newline, after b.
func AppendLine(b []byte, e *Event) []byte { return append(Append(b, e), '\n') }

// ErrLineTooLong is inside a *LineError for a line over the limit. The reader goes on behind that line.
var ErrLineTooLong = errors.New("line over the limit")

// ErrTornLine is inside a *LineError for a last line without a newline: the log was cut, and the line must not be used.
var ErrTornLine = errors.New("last line has no newline")

// LineError says which line of an NDJSON body could not be read, and why: ErrLineTooLong, ErrTornLine or a *SyntaxError.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// LineReader reads the lines of an NDJSON body (spec §7.1). It holds one line at a time, never more than its limit. It is
// not safe for concurrent use.
type LineReader struct {
	in    *bufio.Reader
	limit int
	long  []byte // a line that does not fit the buffer of in
	line  int
}

// NewLineReader reads lines of at most limit bytes; 0 means MaxEvent.
func NewLineReader(r io.Reader, limit int) *LineReader {
	if limit <= 0 {
		limit = MaxEvent
	}
	return &LineReader{in: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// Next returns the next line that is not empty, without its newline; it is valid until the next call. The error is
// io.EOF at the end, a *LineError, or the error of the underlying reader. After ErrLineTooLong reading goes on.
func (r *LineReader) Next() ([]byte, error) {
	for {
		line, err := r.next()
		if err != nil || len(bytes.TrimRight(line, "\r")) > 0 {
			return line, err
		}
	}
}

func (r *LineReader) next() ([]byte, error) {
	r.line++
	r.long = r.long[:0]
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if err == nil {
			part = part[:len(part)-1]
		}
		if tooLong = tooLong || len(r.long)+len(part) > r.limit; tooLong {
			r.long = nil
		}
		switch {
		case err == nil && tooLong:
			return nil, &LineError{r.line, ErrLineTooLong}
		case err == nil && len(r.long) == 0:
			return part, nil
		case err == nil:
			r.long = append(r.long, part...)
			return r.long, nil
		case err == io.EOF && len(r.long) == 0 && len(part) == 0 && !tooLong:
			return nil, io.EOF
		case err == io.EOF:
			return nil, &LineError{r.line, ErrTornLine}
		case err != bufio.ErrBufferFull:
			return nil, err
		}
		if !tooLong {
			r.long = append(r.long, part...)
		}
	}
}

// Line is the number of the line that Next returned last, from 1.
func (r *LineReader) Line() int { return r.line }

// Event reads and decodes the next line. The errors are those of Next and a *LineError around a *SyntaxError, after which
// reading goes on.
func (r *LineReader) Event() (Event, error) {
	line, err := r.Next()
	if err != nil {
		return Event{}, err
	}
	e, err := Decode(line)
	if err != nil {
		return Event{}, &LineError{r.line, err}
	}
	return e, nil
}

// Events goes through the events of an NDJSON body up to its end or the first error.
func Events(body io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := NewLineReader(body, 0)
		for {
			e, err := r.Event()
			if err == io.EOF || !yield(e, err) || err != nil {
				return
			}
		}
	}
}
