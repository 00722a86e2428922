package sync

import "time"

// The waits before a retry: none before the first, then firstWait, doubled each time up to longestWait.
const (
	firstWait   = 250 * time.Millisecond
	longestWait = 30 * time.Second
)

// Backoff is the wait before the retry number try, counted from 1, in whole milliseconds. Half of it is fixed and the other half is the share jitter,
// 0 ≤ jitter < 1, so that clients that lost one server do not come back together. What the server asked for is a lower bound, also with jitter above it.
func Backoff(try int, asked time.Duration, jitter float64) time.Duration {
	var half time.Duration
	if try > 1 {
		half = min(firstWait<<min(try-2, 10), longestWait) / 2
	}
	spread := max(half, asked/2)
	return (max(half, asked) + time.Duration(jitter*float64(spread))).Truncate(time.Millisecond)
}
