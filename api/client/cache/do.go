package cache

import (
	"hash/crc32"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
)

// Close lets go of the session.
func (s *Session) Close() {
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	if s.stuck != errClosed { //nolint:errorlint // it is never wrapped
		s.stuck = errClosed
		delete(s.folder.open, s.id)
	}
}

// Do carries out an effect on the cache; a Read is for Lines and a Save for SaveState, and Do does nothing for them. An error of a Store is the machine's
// input StoreFailed, and one of a Rewind its Unreadable: the cache is as it was before. After a Drop that failed the cache takes no lines until one succeeds.
// The other errors are for a log: they cost room, and nothing that is right.
func (s *Session) Do(e sync.CacheEffect) error {
	switch e := e.(type) {
	case sync.Store:
		return s.store(e)
	case sync.Cut:
		return s.folder.cut(s.id+linesSuffix, e.Length)
	case sync.Rewind:
		return s.rewind(e)
	case sync.Drop:
		return s.drop()
	case sync.DropCheckpoint:
		return s.dropState()
	case sync.Evict:
		return s.folder.Evict()
	case sync.Read, sync.Save:
	}
	return nil
}

// store writes lines, then the slot that is not the newest. While that one is being written the other one counts.
func (s *Session) store(e sync.Store) error {
	if s.stuck != nil {
		return s.stuck
	}
	var b []byte
	for _, line := range e.Lines {
		b = append(append(b, line...), '\n')
	}
	next := slot{s.last + 1, sync.Index{
		Epoch: e.At.Epoch, Seq: e.At.Seq, Length: s.newest.Length + int64(len(b)), Sum: crc32.Update(s.newest.Sum, crc32.IEEETable, b),
	}}
	if err := s.folder.write(s.id+linesSuffix, s.newest.Length, b, s.folder.options.Flush); err != nil {
		_ = s.folder.cut(s.id+linesSuffix, s.newest.Length) // gives back the room; what lies behind the index does not count either way
		return err
	}
	place := 1 - s.place
	if err := s.folder.write(s.id+indexSuffix, int64(place*slotSize), next.encode(), false); err != nil {
		return err
	}
	s.newest, s.place, s.last = next, place, next.generation
	return nil
}

// drop takes everything away. The numbers of slots go on, so that an older slot never counts against a newer one.
func (s *Session) drop() error {
	if s.stuck == errClosed { //nolint:errorlint // it is never wrapped
		return s.stuck
	}
	s.folder.mu.Lock()
	defer s.folder.mu.Unlock()
	s.newest, s.place = slot{}, 0
	_, s.stuck = s.folder.remove(s.id)
	return s.stuck
}
