package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"time"
	"unicode/utf8"
)

// ErrFrameTooLong is what SSEReader.Next returns for a frame over the limit. The reader goes on behind that frame, and
// its last event id is that frame's.
var ErrFrameTooLong = errors.New("event stream: frame over the limit")

// SSEFrame is one dispatched frame of an event stream.
type SSEFrame struct {
	ID   string // the last event id after this frame: what a reconnect sends as Last-Event-ID
	Name string // of the "event" field; our server sends none
	Data []byte // the data lines, joined by newlines
}

// SSEReader reads an event stream as the HTML standard says: CR, LF and CRLF line ends, comments, data in several lines,
// a byte order mark, unknown fields. Frames are bounded. It is not safe for concurrent use.
type SSEReader struct {
	in     *bufio.Reader
	limit  int
	begun  bool   // the place of the byte order mark is passed
	skipLF bool   // the last line ended in CR: an LF right after it belongs to it
	line   []byte // the line being read, as far as it is not in the buffer of in
	data   []byte // the frame being read
	name   string
	has    bool   // the frame has a data line
	tooBig bool   // the frame is over the limit
	id     string // of the last frame that was whole
	nextID string // of the frame being read: it counts only when the frame is whole
	retry  time.Duration
}

// NewSSEReader reads frames whose lines and data are at most limit bytes each; 0 means room for MaxEvent.
func NewSSEReader(r io.Reader, limit int) *SSEReader {
	if limit <= 0 {
		limit = MaxEvent + 64
	}
	return &SSEReader{in: bufio.NewReaderSize(r, 32<<10), limit: limit}
}

// LastEventID is the id that a reconnect sends; empty before the first one.
func (r *SSEReader) LastEventID() string { return r.id }

// Retry is the wait that the server asked for; 0 when it did not.
func (r *SSEReader) Retry() time.Duration { return r.retry }

// Next returns the next frame that has data; it is valid until the next call. The error is ErrFrameTooLong, io.EOF at
// the end (a frame without its empty line is dropped, as the standard says) or that of the underlying reader.
func (r *SSEReader) Next() (SSEFrame, error) {
	r.data, r.name, r.has = r.data[:0], "", false
	for {
		line, err := r.readLine()
		switch {
		case err == errLong:
			r.tooBig = true
		case err != nil:
			return SSEFrame{}, err
		case len(line) > 0:
			r.field(line)
		default:
			r.id = r.nextID
			if r.tooBig {
				r.tooBig = false
				return SSEFrame{}, ErrFrameTooLong
			}
			if r.has {
				return SSEFrame{ID: r.id, Name: r.name, Data: r.data[:len(r.data)-1]}, nil
			}
			r.name = ""
		}
	}
}

func (r *SSEReader) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "data":
		if len(r.data)+len(value)+1 > r.limit {
			r.tooBig, r.data = true, nil
		}
		if !r.tooBig {
			r.data = append(append(r.data, value...), '\n')
			r.has = true
		}
	case "event":
		r.name = string(bytes.ToValidUTF8(value, replacement))
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.nextID = string(bytes.ToValidUTF8(value, replacement))
		}
	case "retry":
		if ms, ok := digits(value); ok {
			r.retry = time.Duration(ms) * time.Millisecond
		}
	}
}

var replacement = []byte(string(utf8.RuneError))

// maxRetry bounds what a server can ask for, in milliseconds: one day.
const maxRetry = 24 * 60 * 60 * 1000

// digits reads ASCII digits, nothing else; what is above maxRetry counts as maxRetry.
func digits(b []byte) (int, bool) {
	n := 0
	for _, ch := range b {
		if ch < '0' || ch > '9' {
			return 0, false
		}
		n = min(n*10+int(ch-'0'), maxRetry)
	}
	return n, len(b) > 0
}

// errLong is what readLine returns for a line over the limit, all of which was read.
var errLong = errors.New("line over the limit")

// readLine reads one line without its end; it is valid until the next call. What follows the last line end is no line.
func (r *SSEReader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	long := false
	for {
		if _, err := r.in.Peek(1); err != nil {
			return nil, err
		}
		part, _ := r.in.Peek(r.in.Buffered())
		if r.skipLF {
			r.skipLF = false
			if part[0] == '\n' {
				r.discard(1)
				continue
			}
		}
		end := lineEnd(part)
		text := part
		if end >= 0 {
			text = part[:end]
		}
		if long = long || len(r.line)+len(text) > r.limit; long {
			r.line = nil
		} else if end < 0 || len(r.line) > 0 {
			r.line = append(r.line, text...)
			text = r.line
		}
		if end < 0 {
			r.discard(len(part))
			continue
		}
		r.skipLF = part[end] == '\r'
		r.discard(end + 1) // text stays as it is until the next read
		if long {
			return nil, errLong
		}
		if !r.begun {
			r.begun = true
			text = bytes.TrimPrefix(text, []byte("\ufeff"))
		}
		return text, nil
	}
}

// lineEnd finds the first CR or LF; -1 when there is none.
func lineEnd(b []byte) int {
	end := bytes.IndexByte(b, '\n')
	if end >= 0 {
		b = b[:end]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return end
}

// discard drops bytes that were peeked.
func (r *SSEReader) discard(n int) {
	if _, err := r.in.Discard(n); err != nil {
		panic("protocol: discard of peeked bytes: " + err.Error()) // cannot be: they are in the buffer
	}
}
