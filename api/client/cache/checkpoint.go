package cache

import (
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
)

// A state lies behind a slot of its own, whose checksum is that of the state's bytes. It is written in place: one that is torn is none.

// SaveState stores the state of the session as of its last stored line, as a hint for the next Open. It is no error when nothing is stored yet.
func (s *Session) SaveState(state []byte) error {
	if s.stuck != nil {
		return s.stuck
	}
	if s.newest.generation == 0 {
		return nil
	}
	head := slot{1, sync.Index{Epoch: s.newest.Epoch, Seq: s.newest.Seq, Length: s.newest.Length, Sum: crc32.ChecksumIEEE(state)}}
	if err := s.folder.write(s.id+stateSuffix, 0, append(head.encode(), state...), false); err != nil {
		return err
	}
	return s.folder.cut(s.id+stateSuffix, int64(slotSize+len(state)))
}

// State gives the state of the checkpoint that was found.
func (s *Session) State() ([]byte, error) {
	b, err := s.head(stateSuffix, 1<<62)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if head, whole := decode(b); !whole || head.Sum != crc32.ChecksumIEEE(b[slotSize:]) {
		return nil, fmt.Errorf("%w: the checkpoint has another checksum", ErrUnreadable)
	}
	return b[slotSize:], nil
}

// checkpoint is where a stored state stands; nil: there is none, or it is not as it was written.
func (s *Session) checkpoint() (*sync.Checkpoint, error) {
	f, size, err := s.openFile(stateSuffix)
	if f == nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, slotSize)
	if size < slotSize {
		return nil, nil
	}
	if _, err := f.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	head, whole := decode(b)
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, io.NewSectionReader(f, slotSize, size-slotSize)); err != nil {
		return nil, err
	}
	if !whole || head.Sum != sum.Sum32() {
		return nil, nil
	}
	return &sync.Checkpoint{Epoch: head.Epoch, Seq: head.Seq, Length: head.Length}, nil
}

// dropState takes the checkpoint away.
func (s *Session) dropState() error {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	name := s.id + stateSuffix
	if err := s.folder.files.remove(name); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	s.folder.resize(name, 0)
	delete(s.folder.sizes, name)
	return nil
}
