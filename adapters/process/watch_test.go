package process

import (
	"testing"
	"time"
)

// TestWatchCostsAHundredth: looks at the process table are as far apart as their length wants, within bounds.
func TestWatchCostsAHundredth(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0:                      time.Second,
		2 * time.Millisecond:   time.Second, // some hundred processes
		20 * time.Millisecond:  2 * time.Second,
		500 * time.Millisecond: 5 * time.Second,
	} {
		if got := watchAfter(took); got != want {
			t.Errorf("after a look of %s: %s, want %s", took, got, want)
		}
	}
}
