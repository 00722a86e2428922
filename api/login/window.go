package login

import "time"

// window counts what happened within the last minute, up to aMinute.
type window struct {
	at   [aMinute]time.Time // of the newest; zero: none yet
	next int                // the oldest of them
}

// take counts one more, unless there were too many within the minute before now.
func (w *window) take(now time.Time) bool {
	if counts(w.at[w.next], now) {
		return false
	}
	w.at[w.next] = now
	w.next = (w.next + 1) % aMinute
	return true
}

// empty says that nothing happened within the minute before now.
func (w *window) empty(now time.Time) bool {
	return !counts(w.at[(w.next+aMinute-1)%aMinute], now)
}

// counts says that an instant is within the minute before now. One to come is not: the clock was set back.
func counts(at, now time.Time) bool {
	since := now.Sub(at)
	return !at.IsZero() && since >= 0 && since < time.Minute
}
