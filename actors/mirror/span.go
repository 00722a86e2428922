package mirror

import (
	"cmp"
	"errors"
	"io"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// A reader holds one chunk of lines while its client takes them, and between two chunks nothing of Core, however slow it is. Each chunk is a question to Core,
// and what is at its borders is read twice: rows have up to a third of a MiB, frames of objects up to one. So the first readers have large chunks. Where
// many read at once, one that comes then has smaller ones: thousands that do not read are not to cost thousands of large ones.
const (
	chunkSmall  = 16 << 10 // bytes of lines, and what a row may have more
	bytesOfLine = 200      // where nothing is known of the log yet
	fewEvents   = 256      // are read to be counted: that is one question to Core in the place of two
)

// rank is how many readers have chunks of a size.
type rank struct {
	chunk   int
	most    int64
	readers atomic.Int64
}

// ranks are tried one after another; a reader for which none has room has small chunks.
var ranks = []*rank{{chunk: 4 << 20, most: 12}, {chunk: 1 << 20, most: 52}}

// unknown is the size of a range that was not counted yet.
const unknown = -1

// span is a range of a log in Core.
type span struct {
	log      *log
	at, upTo uint64   // the last event of rest, and of the range
	rest     [][]byte // lines of rows, read and not given yet
	held     int      // bytes of rest
	size     int64    // bytes that are left; unknown
	chunk    int      // bytes of a chunk; 0: none was read yet
	rank     *rank    // nil: small chunks, or none was read yet
	line     int64    // bytes of a line, as far as is known
	guessed  bool     // a part of it comes from the session's node, which has not counted it
	err      error
}

// IsExact says that Size is what it says; else it is more than 0 as long as something is left.
func (s *span) IsExact() bool { return !s.guessed }

// Size asks Core at the first call. Where that fails it is 1, and Read says why.
func (s *span) Size() int64 {
	if s.size == unknown && !s.guessed && s.held == 0 && s.upTo-s.at <= fewEvents {
		if s.fill(); s.err != nil {
			return 1
		}
		if s.at == s.upTo {
			s.size = int64(s.held)
		}
	}
	if s.guessed {
		return int64(s.held) + int64(s.upTo-s.at)*max(cmp.Or(s.line, bytesOfLine), 1)
	}
	if s.size == unknown {
		if s.at == s.upTo && s.held == 0 {
			s.size = 0
			return 0
		}
		n, err := s.log.bytes(s.at, s.upTo)
		if _, lacks := lacking(err, s.at); lacks {
			if s.guessed = s.log.tail.Load() != nil; s.guessed {
				return s.Size()
			}
			err = s.log.notYet(err)
		}
		if err != nil {
			s.err = err
			return 1
		}
		s.size = n + int64(s.held)
		s.line = n / int64(s.upTo-s.at)
	}
	return s.size
}

// Whole counts, and reads the first chunk.
func (s *span) Whole() error {
	if s.Size(); s.err == nil && s.held == 0 {
		s.fill()
	}
	return s.err
}

// fill reads the next chunk; none is left at the end.
func (s *span) fill() {
	if s.at == s.upTo || s.err != nil {
		return
	}
	if s.chunk == 0 {
		s.begin()
	}
	begun := s.at
	events := max(uint64(int64(s.chunk)/max(cmp.Or(s.line, bytesOfLine), 1)), 1) // about as many as a chunk has: Core sends no more
	s.err = s.log.rows(s.at, min(s.upTo, s.at+events), func(r store.Stretch) bool {
		s.rest, s.held = append(s.rest, r.Lines), s.held+len(r.Lines)
		s.at = r.Last()
		return s.held < s.chunk
	})
	switch {
	case s.err == nil && s.at == begun:
		s.err = errShort
	case s.at > begun:
		s.line = int64(s.held) / int64(s.at-begun)
	}
}

var errShort = errors.New("there are fewer bytes of the log than was said")

// begin chooses the size of the chunks.
func (s *span) begin() {
	s.chunk = chunkSmall
	for _, r := range ranks {
		if r.readers.Add(1) <= r.most {
			s.rank, s.chunk = r, r.chunk
			return
		}
		r.readers.Add(-1)
	}
}

func (s *span) Read(p []byte) (n int, err error) {
	if s.held == 0 {
		s.fill()
	}
	for n < len(p) && s.held > 0 {
		n += s.give(copy(p[n:], s.rest[0]))
	}
	switch {
	case n > 0:
		return n, nil
	case s.err != nil:
		return 0, s.err
	}
	return 0, io.EOF
}

// WriteTo writes row by row.
func (s *span) WriteTo(w io.Writer) (total int64, err error) {
	for {
		if s.held == 0 {
			s.fill()
		}
		if s.held == 0 {
			return total, s.err
		}
		n, err := w.Write(s.rest[0])
		s.give(n)
		if total += int64(n); err != nil {
			return total, err
		}
	}
}

// give notes that the first bytes of rest were given.
func (s *span) give(n int) int {
	if s.rest[0] = s.rest[0][n:]; len(s.rest[0]) == 0 {
		s.rest[0], s.rest = nil, s.rest[1:]
	}
	s.held -= n
	if s.size != unknown {
		s.size -= int64(n)
	}
	return n
}

func (s *span) Close() error {
	s.rest, s.held, s.upTo = nil, 0, s.at
	if s.rank != nil {
		s.rank.readers.Add(-1)
	}
	s.rank, s.chunk = nil, chunkSmall
	return nil
}
