package server

import (
	"bufio"
	"bytes"
	"io"
)

// sseReader reads server-sent events. OpenCode's have data only.
type sseReader struct {
	r    *bufio.Reader
	data []byte
	over bool // the event is longer than maxEvent: it is dropped
}

// maxEvent is how long an event may be, in bytes: a connection's lines are limited.
const maxEvent = 8<<20 - 1<<10

// next gives the data of the next event, valid until the next call. A comment or any other field is skipped.
func (s *sseReader) next() ([]byte, error) {
	s.data, s.over = s.data[:0], false
	for {
		blank, err := s.line()
		switch {
		case err != nil:
			return nil, err
		case !blank:
		case s.over:
			return nil, nil
		default:
			return s.data, nil // empty: something was heard
		}
	}
}

// line reads one line and keeps what it has of data. blank says that there was nothing on it: the event ends.
func (s *sseReader) line() (blank bool, err error) {
	blank = true
	for first, inData := true, false; ; first = false {
		chunk, err := s.r.ReadSlice('\n')
		more := err == bufio.ErrBufferFull
		switch {
		case err == io.EOF:
			return false, io.ErrUnexpectedEOF
		case err != nil && !more:
			return false, err
		case !more:
			chunk = bytes.TrimRight(chunk, "\r\n")
		}
		blank = blank && len(chunk) == 0
		if first {
			if chunk, inData = bytes.CutPrefix(chunk, []byte("data:")); inData {
				chunk = bytes.TrimPrefix(chunk, []byte(" "))
				if len(s.data) > 0 {
					s.data = append(s.data, ' ') // JSON over several lines
				}
			}
		}
		if inData {
			if s.over = s.over || len(s.data)+len(chunk) > maxEvent; !s.over {
				s.data = append(s.data, chunk...)
			}
		}
		if !more {
			return blank, nil
		}
	}
}

// lineReader reads lines of any length.
type lineReader struct {
	r   io.Reader
	buf *bufio.Reader
}

// next gives the next line without its newline, valid until the next call.
func (l *lineReader) next() ([]byte, error) {
	if l.buf == nil {
		l.buf = bufio.NewReaderSize(l.r, 64<<10)
	}
	line, err := l.buf.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}
