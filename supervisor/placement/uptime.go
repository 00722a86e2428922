package placement

import (
	"sync"
	"time"
)

// sleep tells how long the machine has slept since it was made. Where the system does not tell for a while, as without a descriptor, it is as long as it was.
type sleep struct {
	uptime func() time.Duration // 0: not known now
	begun  time.Time
	up     time.Duration // at begun; 0: it is not known at all

	mu   sync.Mutex
	most time.Duration
}

func newSleep(uptime func() time.Duration, now time.Time) *sleep {
	return &sleep{uptime: uptime, begun: now, up: uptime()}
}

// by is for how long the machine had slept at a time, which is now.
func (s *sleep) by(now time.Time) time.Duration {
	if s.up == 0 {
		return 0
	}
	up := s.uptime()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.most = max(s.most, up-s.up-now.Sub(s.begun))
	return s.most
}
