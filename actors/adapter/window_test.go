package adapter

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestRest: what is confirmed meanwhile does not cut a rest short, and the window's end does.
func TestRest(t *testing.T) {
	for _, closes := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			w, start := newWindow(1, 1), time.Now()
			done := make(chan time.Duration, 1)
			go func() {
				w.rest(time.Second)
				done <- time.Since(start)
			}()
			synctest.Wait()
			w.signal()
			synctest.Wait()
			want := time.Second
			if closes {
				w.close()
				want = 0
			}
			if got := <-done; got != want {
				t.Errorf("closed %v: rested for %v, want %v", closes, got, want)
			}
		})
	}
}
