package placement

import "time"

// sleep tells how long the machine has slept since it was made.
type sleep struct {
	uptime func() time.Duration
	begun  time.Time
	up     time.Duration // at begun
}

func newSleep(uptime func() time.Duration, now time.Time) sleep {
	return sleep{uptime, now, uptime()}
}

// by is for how long the machine had slept at a time, which is now.
func (s *sleep) by(now time.Time) time.Duration {
	return max(s.uptime()-s.up-now.Sub(s.begun), 0)
}
