package api

import "sync"

// streams counts the open streams, in all and by session.
type streams struct {
	max, maxEach int

	mu   sync.Mutex
	all  int
	each map[string]int
}

func newStreams(limit, each int) *streams {
	return &streams{max: limit, maxEach: each, each: map[string]int{}}
}

// enter counts a stream in; leave must follow when ok.
func (s *streams) enter(id string) (leave func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= s.max || s.each[id] >= s.maxEach {
		return nil, false
	}
	s.all++
	s.each[id]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.each[id]--; s.each[id] == 0 {
			delete(s.each, id)
		}
	}, true
}

func (s *streams) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all
}
