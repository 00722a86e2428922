package api

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLastAsked: what is being answered counts as asked now, a stream for as long as it lasts.
func TestLastAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var a activity
		if at := a.lastAsked(); !at.IsZero() {
			t.Errorf("nobody has asked, and %s", at)
		}
		first, second := a.begin(), a.begin()
		time.Sleep(time.Hour)
		second()
		time.Sleep(time.Hour)
		if at := a.lastAsked(); at != time.Now() {
			t.Errorf("a stream is read, and %s ago", time.Since(at))
		}
		first()
		time.Sleep(time.Hour)
		if ago := time.Since(a.lastAsked()); ago != time.Hour {
			t.Errorf("%s ago", ago)
		}
	})
}
