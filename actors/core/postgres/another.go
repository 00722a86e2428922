package postgres

import (
	"errors"
	"sync"
	"time"
)

// servers knows which server has heard a node last: by when that was started.
type servers struct {
	mu   sync.Mutex
	last map[string]time.Time
}

// errAnother is the error of the first beat of a node behind a start of the server, or at another server: a replica may have taken the place, or a backup,
// which lacks what the node has seen. No call may have failed in between.
var errAnother = errors.New("the server was started since the beat before")

// isAnother says once that a node is heard by another server than the last time.
func (s *servers) isAnother(node string, begun time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	last, was := s.last[node]
	if s.last == nil {
		s.last = map[string]time.Time{}
	}
	s.last[node] = begun
	return was && !last.Equal(begun)
}
