package queue

import (
	"context"
	"sync"
)

// storing lets one prompt with images at a time into a session: one that is refused takes back what it has stored, and images
// of the same content are one file. The zero value is ready.
type storing struct {
	mu    sync.Mutex
	doors map[string]*door // by session
}

type door struct {
	users int
	open  chan struct{} // holds one
}

// enter waits until nobody else is in, or ctx is done. leave must follow when err is nil.
func (s *storing) enter(ctx context.Context, id string) (leave func(), err error) {
	s.mu.Lock()
	d := s.doors[id]
	if d == nil {
		d = &door{open: make(chan struct{}, 1)}
		if s.doors == nil {
			s.doors = map[string]*door{}
		}
		s.doors[id] = d
	}
	d.users++
	s.mu.Unlock()
	away := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d.users--; d.users == 0 {
			delete(s.doors, id)
		}
	}
	select {
	case d.open <- struct{}{}:
		return func() { <-d.open; away() }, nil
	case <-ctx.Done():
		away()
		return nil, ctx.Err()
	}
}
