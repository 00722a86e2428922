package queue

import (
	"context"
	"errors"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
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

// sendImages stores the images of a checked prompt and hands it to the session. A refused one leaves nothing behind.
func (q *Prompts) sendImages(ctx context.Context, id string, p *NewPrompt, n *session.NewPrompt, key string) (session.Receipt, error) {
	if !protocol.ValidSessionID(id) {
		return session.Receipt{}, supervisor.NotFound()
	}
	store, err := q.sup.Images(ctx, id)
	if err != nil { // nothing is stored for a session that is not there
		return session.Receipt{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	leave, err := q.storing.enter(ctx, id)
	if err != nil {
		return session.Receipt{}, err
	}
	defer leave()
	var fresh []string
	for i := range p.Images {
		ref, isNew, err := store.Put(p.Images[i].MediaType, p.Images[i].Data)
		if isNew {
			fresh = append(fresh, ref)
		}
		if err != nil {
			store.Remove(fresh)
			return session.Receipt{}, err
		}
		n.Images = append(n.Images, ref)
	}
	r, err := q.door.Send(ctx, id, *n, key)
	if notTaken(err) {
		store.Remove(fresh)
	}
	return r, err
}

// notTaken says that a session has refused a prompt. Of other errors nobody knows what became of it.
func notTaken(err error) bool {
	var p *protocol.Problem
	return errors.As(err, &p) && p.Code != protocol.CodeUnavailable && p.Code != protocol.CodeInternal
}
