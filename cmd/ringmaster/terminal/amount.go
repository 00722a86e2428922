package terminal

import (
	"strconv"
	"time"
)

// durationText is a duration for people: 0.3 s, 12 s, 3 m 05 s.
func durationText(ms int64) string {
	ms = max(ms, 0)
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < time.Minute:
		return strconv.FormatInt(int64(d/time.Second), 10) + " s"
	case d < time.Hour:
		return strconv.FormatInt(int64(d/time.Minute), 10) + " m " + pad2(int64(d%time.Minute/time.Second)) + " s"
	default:
		return strconv.FormatInt(int64(d/time.Hour), 10) + " h " + pad2(int64(d%time.Hour/time.Minute)) + " m"
	}
}

func pad2(n int64) string {
	s := strconv.FormatInt(n, 10)
	if len(s) < 2 {
		return "0" + s
	}
	return s
}

// countText is a number of tokens for people.
func countText(n int64) string {
	if n < 10_000 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
}
