package api

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// streams counts the open streams, in all and by session, and divides both among principals.
type streams struct {
	all     *access.Shares
	maxEach int

	mu   sync.Mutex
	each map[string]*sessionStreams
}

// sessionStreams are those of one session.
type sessionStreams struct {
	open int
	of   *access.Shares
}

func newStreams(limit, each int) *streams {
	return &streams{all: access.NewShares(int64(limit), surePlaces), maxEach: each, each: map[string]*sessionStreams{}}
}

// enter counts a stream of a principal in; leave must follow when ok.
func (s *streams) enter(p *access.Principal, id string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.each[id]
	if x == nil {
		x = &sessionStreams{of: access.NewShares(int64(s.maxEach), surePlaces)}
	}
	if !s.all.Take(p, 1) {
		return nil, false
	}
	if !x.of.Take(p, 1) {
		s.all.Give(p, 1)
		return nil, false
	}
	x.open++
	s.each[id] = x
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all.Give(p, 1)
		x.of.Give(p, 1)
		if x.open--; x.open == 0 {
			delete(s.each, id)
		}
	}, true
}

func (s *streams) open() int { return int(s.all.Taken()) }
