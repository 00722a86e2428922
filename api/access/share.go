package access

import (
	"context"
	"sync"
)

// Shares divides a limit, of bytes or of a count, among principals. No principal gets more than three quarters of it, and each gets a small
// floor whatever the others have: none of them can keep another out.
type Shares struct {
	all, each, floor int64

	mu     sync.Mutex
	taken  int64
	of     map[string]int64
	change chan struct{} // closed when something is given back; nil: nobody waits
}

// NewShares divides all. floor is the part that each principal is sure of: so the sum that is taken may exceed all by the floor of each
// principal.
func NewShares(all, floor int64) *Shares {
	s := &Shares{all: all, each: all - all/4, floor: min(floor, all/8), of: map[string]int64{}}
	if all < leastShared {
		s.each = all
	}
	return s
}

// leastShared is the smallest limit that is divided: below it one principal may take all.
const leastShared = 16

// Taken is the sum that all principals have taken.
func (s *Shares) Taken() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken
}

// Take takes n for a principal, where there is room; Give must follow then.
func (s *Shares) Take(p *Principal, n int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take(p.Share(), n)
}

func (s *Shares) take(who string, n int64) bool {
	has := s.of[who] + n
	if has > s.floor && (has > s.each || s.taken+n > s.all) {
		return false
	}
	s.of[who] = has
	s.taken += n
	return true
}

// Wait takes n for a principal as soon as there is room. The error is the context's.
func (s *Shares) Wait(ctx context.Context, p *Principal, n int64) error {
	for {
		s.mu.Lock()
		if s.take(p.Share(), n) {
			s.mu.Unlock()
			return nil
		}
		if s.change == nil {
			s.change = make(chan struct{})
		}
		change := s.change
		s.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Give gives back n of what a principal has taken.
func (s *Shares) Give(p *Principal, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	who := p.Share()
	if s.of[who] -= n; s.of[who] == 0 {
		delete(s.of, who)
	}
	s.taken -= n
	if s.change != nil {
		close(s.change)
		s.change = nil
	}
}
