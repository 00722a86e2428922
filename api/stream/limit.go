package stream

import (
	"sync"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// Limit counts the open streams, in all and by session, and divides both among principals.
type Limit struct {
	all     *access.Shares
	maxEach int
	sure    int64 // that each principal has, whatever others have

	mu   sync.Mutex
	each map[string]*sessionStreams
}

// sessionStreams are those of one session.
type sessionStreams struct {
	open int
	of   *access.Shares
}

// NewLimit makes the limit of all streams, and of those of each session. Each principal is sure of some of both, whatever others have.
func NewLimit(limit, each int, sure int64) *Limit {
	return &Limit{all: access.NewShares(int64(limit), sure), maxEach: each, sure: sure, each: map[string]*sessionStreams{}}
}

// enter counts a stream of a principal in; leave must follow when ok.
func (s *Limit) enter(p *access.Principal, id string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.each[id]
	if x == nil {
		x = &sessionStreams{of: access.NewShares(int64(s.maxEach), s.sure)}
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

// Enter counts a stream of many sessions in, which is no session's; leave must follow when ok.
func (s *Limit) Enter(p *access.Principal) (leave func(), ok bool) {
	if !s.all.Take(p, 1) {
		return nil, false
	}
	return func() { s.all.Give(p, 1) }, true
}

// Open is how many streams there are.
func (s *Limit) Open() int { return int(s.all.Taken()) }
