package journal

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// window reads a file front to back in large pieces, with looks ahead and back.
type window struct {
	file io.ReaderAt
	size int64
	buf  []byte
	at   int64 // where buf begins in the file
}

// bytes gives n bytes at an offset, valid until the next call; io.EOF when the file has fewer.
func (w *window) bytes(at int64, n int) ([]byte, error) {
	if at < 0 || at+int64(n) > w.size {
		return nil, io.EOF
	}
	if at < w.at || at+int64(n) > w.at+int64(len(w.buf)) {
		want := int(min(max(int64(n), int64(large.size)), w.size-at))
		switch {
		case cap(w.buf) >= want:
		case want <= large.size:
			w.buf = large.get()
		default:
			w.close()
			w.buf = make([]byte, want)
		}
		w.buf, w.at = w.buf[:want], at
		if got, err := w.file.ReadAt(w.buf, at); got < want {
			w.buf = w.buf[:0]
			return nil, err
		}
	}
	i := int(at - w.at)
	return w.buf[i : i+n], nil
}

// close gives the buffer back.
func (w *window) close() {
	large.put(w.buf)
	w.buf = nil
}

// line gives the line that begins at an offset, without its newline, valid until the next call; io.EOF when no newline
// follows before end, or none within what an event may be long.
func (w *window) line(at, end int64) ([]byte, error) {
	const most = protocol.MaxEvent + 1
	for n := int64(4 << 10); ; n *= 4 {
		n = min(n, most, end-at)
		if n <= 0 {
			return nil, io.EOF
		}
		b, err := w.bytes(at, int(n))
		if err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			return b[:i], nil
		}
		if n == most || n == end-at {
			return nil, io.EOF
		}
	}
}

// parseLine checks a line for which there is no checksum: it must begin as every event does and be JSON as a whole.
func parseLine(line []byte) (seq uint64, ts int64, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(`{"seq":`))
	if !ok {
		return 0, 0, false
	}
	digits, rest, ok := bytes.Cut(rest, []byte(`,"ts":`))
	if !ok || len(digits) > 20 {
		return 0, 0, false
	}
	seq, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, 0, false
	}
	digits, _, ok = bytes.Cut(rest, []byte(`,"type":"`))
	if !ok || len(digits) > 20 {
		return 0, 0, false
	}
	if ts, err = strconv.ParseInt(string(digits), 10, 64); err != nil {
		return 0, 0, false
	}
	return seq, ts, validSeq(seq) && json.Valid(line)
}
