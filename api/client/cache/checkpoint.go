package cache

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A state lies behind a slot of its own, whose checksum is that of the state's bytes, and whose generation says which fold made it. It is written in place: one
// that is torn is none.

// SaveState does what a sync.Save says: it stores the state of the session as of its last stored line, which has to be the one at the cursor, as a hint for the
// next opening. After an error there is the state before, or none.
func (s *Session) SaveState(at protocol.Cursor, state []byte) error {
	if s.stuck != nil {
		return s.stuck
	}
	if at != (protocol.Cursor{Epoch: s.newest.Epoch, Seq: s.newest.Seq}) {
		return fmt.Errorf("cache: a state at %s, and the lines end at %d.%d", at, s.newest.Epoch, s.newest.Seq)
	}
	head := slot{protocol.FoldVersion, sync.Index{Epoch: at.Epoch, Seq: at.Seq, Length: s.newest.Length, Sum: crc32.ChecksumIEEE(state)}}
	err := s.folder.write(s.id+stateSuffix, 0, append(head.encode(), state...), false)
	if errors.Is(err, ErrFull) {
		return err // the one before is as it was
	}
	if err == nil {
		err = s.folder.cut(s.id+stateSuffix, int64(slotSize+len(state)))
	}
	if err != nil {
		return errors.Join(err, s.dropState()) // gives back the room
	}
	return nil
}

// State gives the state of the checkpoint: of the one that was found, or that SaveState has stored since.
func (s *Session) State() ([]byte, error) {
	b, err := s.head(stateSuffix, 1<<62)
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	if head, whole := decode(b); !whole || head.generation != protocol.FoldVersion || head.Sum != crc32.ChecksumIEEE(b[slotSize:]) {
		return nil, fmt.Errorf("%w: the checkpoint has another checksum", ErrUnreadable)
	}
	return b[slotSize:], nil
}

// checkpoint is where a stored state stands; nil: there is none, it is not as it was written, or another fold has made it.
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
	if !whole || head.generation != protocol.FoldVersion || head.Sum != sum.Sum32() {
		return nil, nil
	}
	return &sync.Checkpoint{Epoch: head.Epoch, Seq: head.Seq, Length: head.Length, Size: size - slotSize}, nil
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
