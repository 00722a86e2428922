package cache

import (
	"fmt"
	"io"
	"iter"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Line is a stored line.
type Line struct {
	Event protocol.Event
	Bytes []byte // without the newline; good until the next line
}

// Lines goes through the stored lines that a Read is about, up to the last one or the first error. Any error is the machine's input Unreadable.
func (s *Session) Lines(r sync.Read) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		if err := s.lines(r, yield); err != nil {
			yield(Line{}, err)
		}
	}
}

func (s *Session) lines(r sync.Read, yield func(Line, error) bool) error {
	f, _, err := s.openFile(linesSuffix)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if f == nil {
		return ErrUnreadable
	}
	defer f.Close()
	in := protocol.NewLineReader(io.NewSectionReader(f, r.From, s.newest.Length-r.From), 0)
	last := r.After
	for {
		line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		e, err := protocol.Decode(line)
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", ErrUnreadable, in.Line(), err)
		}
		if last > 0 && e.Seq != last+1 {
			return fmt.Errorf("%w: line %d has the number %d behind %d", ErrUnreadable, in.Line(), e.Seq, last)
		}
		last = e.Seq
		if !yield(Line{e, line}, nil) {
			return nil
		}
	}
	if last != s.newest.Seq {
		return fmt.Errorf("%w: they end with the number %d, not with %d", ErrUnreadable, last, s.newest.Seq)
	}
	return nil
}
