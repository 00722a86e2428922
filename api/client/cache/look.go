package cache

import (
	"bytes"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Session opens a session and looks at what is stored of it. What was found is the input for the machine of package sync. A session is open once at a time.
func (f *Folder) Session(id string) (*Session, sync.Open, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !protocol.ValidSessionID(id) || f.open[id] {
		return nil, sync.Open{}, fmt.Errorf("cache: session %q is open already, or no session", id)
	}
	s := &Session{folder: f, id: id}
	found, err := s.look()
	if err != nil {
		return nil, sync.Open{}, fmt.Errorf("cache: %w", err)
	}
	if err := f.files.touch(id+linesSuffix, f.options.Now()); err != nil {
		return nil, sync.Open{}, fmt.Errorf("cache: %w", err)
	}
	f.open[id] = true
	return s, found, nil
}

// look measures what is stored of a session, and decides nothing.
func (s *Session) look() (sync.Open, error) {
	found := sync.Open{Cached: true}
	index, err := s.head(indexSuffix, 2*slotSize)
	if err != nil {
		return found, err
	}
	x, place, there := newest(index)
	lines, length, err := s.openFile(linesSuffix)
	if err != nil {
		return found, err
	}
	if lines != nil {
		defer lines.Close()
	}
	found.File.Length = length
	if there {
		s.newest, s.place, s.last = x, place, x.generation
		found.Index = &x.Index
		if length >= x.Length {
			if err := measure(lines, x.Length, &found.File); err != nil {
				return found, err
			}
		}
	}
	found.Checkpoint, err = s.checkpoint()
	return found, err
}

// measure reads the beginning of a file.
func measure(lines io.ReaderAt, length int64, f *sync.File) error {
	m := meter{sum: crc32.NewIEEE()}
	if _, err := io.CopyBuffer(struct{ io.Writer }{&m}, io.NewSectionReader(lines, 0, length), make([]byte, 64<<10)); err != nil {
		return err
	}
	f.Sum, f.Whole = m.sum.Sum32(), m.end == length
	if !f.Whole || m.end-m.begin > protocol.MaxEvent+1 {
		return nil
	}
	last := make([]byte, m.end-m.begin-1)
	if _, err := lines.ReadAt(last, m.begin); err != nil {
		return err
	}
	if e, err := protocol.Decode(last); err == nil {
		f.Seq = e.Seq
	}
	return nil
}

// meter sees a file go by.
type meter struct {
	sum   hash.Hash32
	at    int64
	begin int64 // of the last line that has a newline
	end   int64 // behind its newline
}

func (m *meter) Write(b []byte) (int, error) {
	_, _ = m.sum.Write(b) // never fails
	if last := bytes.LastIndexByte(b, '\n'); last >= 0 {
		m.begin = m.end
		if before := bytes.LastIndexByte(b[:last], '\n'); before >= 0 {
			m.begin = m.at + int64(before) + 1
		}
		m.end = m.at + int64(last) + 1
	}
	m.at += int64(len(b))
	return len(b), nil
}
