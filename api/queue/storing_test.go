package queue

import (
	"context"
	"testing"
)

// TestStoringLeavesNothing: one is in at a time, one that gives up waiting is not, and nothing is kept of a session once all have left.
func TestStoringLeavesNothing(t *testing.T) {
	var s storing
	leave, err := s.enter(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.enter(gone, "a"); err == nil {
		t.Error("two are in")
	}
	other, err := s.enter(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	leave()
	if n := len(s.doors); n > 0 {
		t.Errorf("%d doors are left", n)
	}
}
