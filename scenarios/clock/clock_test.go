package clock

import (
	"testing"
	"time"
)

// TestSet: the clock does what it says.
func TestSet(t *testing.T) {
	now := time.Now().Round(0)
	for _, s := range []int64{tenYears, -tenYears, 1, -1} {
		a, b := set(now, 0), set(now.Add(time.Minute), s)
		if b.Sub(a) != time.Minute || b.Unix() != now.Unix()+60+s || b.Nanosecond() != now.Nanosecond() || b.Year() < 2000 {
			t.Fatalf("%v set by %d s is %v a minute later, and %v have passed", a, s, b, b.Sub(a))
		}
	}
}
