package cache

import (
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// rewind writes the slot that is not the newest, which speaks of the beginning of the lines alone, and then cuts them. What ends the process between the two
// leaves a file that is longer than its index says, which the next opening cuts.
func (s *Session) rewind(e sync.Rewind) error {
	if s.stuck != nil {
		return s.stuck
	}
	next := slot{s.last + 1, sync.Index{Epoch: e.At.Epoch, Seq: e.At.Seq}}
	var err error
	if next.Length, next.Sum, err = s.beginning(e.At.Seq); err != nil {
		return err
	}
	place := 1 - s.place
	if err := s.folder.write(s.id+indexSuffix, int64(place*slotSize), next.encode(), false); err != nil {
		return err
	}
	s.newest, s.place, s.last = next, place, next.generation
	_ = s.folder.cut(s.id+linesSuffix, next.Length) // gives back the room; what lies behind the index does not count either way
	return nil
}

// beginning measures the lines up to the one with a number. All of them are read once more: a bit that has turned over since the opening would get a checksum
// that is right.
func (s *Session) beginning(seq uint64) (length int64, sum uint32, err error) {
	f, _, err := s.openFile(linesSuffix)
	if err != nil {
		return 0, 0, fmt.Errorf("cache: %w", err)
	}
	if f == nil {
		return 0, 0, ErrUnreadable
	}
	defer f.Close()
	in := protocol.NewLineReader(io.NewSectionReader(f, 0, s.newest.Length), 0)
	var at int64
	var all uint32
	for n, want := uint64(1), uint64(0); ; n++ {
		line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%w: %w", ErrUnreadable, err)
		}
		at += int64(len(line)) + 1
		all = crc32.Update(crc32.Update(all, crc32.IEEETable, line), crc32.IEEETable, newline)
		if n == 1 {
			want = 1 + seq - numberOf(line) // 0 or beyond all lines, where they begin behind seq
		}
		if n == want && numberOf(line) == seq {
			length, sum = at, all
		}
	}
	if length == 0 || at != s.newest.Length || all != s.newest.Sum {
		return 0, 0, fmt.Errorf("%w: there is no line %d, or they are not as they were written", ErrUnreadable, seq)
	}
	return length, sum, nil
}

// numberOf gives the number of a line; 0: it is no event.
func numberOf(line []byte) uint64 {
	e, err := protocol.Decode(line)
	if err != nil {
		return 0
	}
	return e.Seq
}

var newline = []byte{'\n'}
