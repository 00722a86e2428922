package access

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// TestShares: nobody has all, nobody is kept out, and what is given back goes to who waits.
func TestShares(t *testing.T) {
	ann, bob, eve := &Principal{ID: "ann", Scope: Owner}, &Principal{ID: "bob", Scope: Owner}, &Principal{ID: "eve", Scope: Owner}
	s := NewShares(80, 10)
	for _, c := range []struct {
		who *Principal
		n   int64
		ok  bool
	}{
		{ann, 60, true},
		{ann, 1, false}, // three quarters
		{bob, 20, true},
		{bob, 1, false}, // of all
		{eve, 10, true}, // the little that is everybody's
		{eve, 1, false},
		{nil, 10, true},
	} {
		if got := s.Take(c.who, c.n); got != c.ok {
			t.Errorf("%+v: %t", c, got)
		}
	}
	if s.Taken() != 100 {
		t.Errorf("%d are taken", s.Taken())
	}
	// Both ways to the daemon that need the data folder are one principal, and so are the agents that a session has had.
	one := NewShares(16, 0)
	if !one.Take(Root, 12) || one.Take(Peer, 1) {
		t.Error("a second share by another way")
	}
	if a := (&Principal{ID: "x", Scope: Agent, Session: "s"}); !one.Take(a, 4) || one.Take(&Principal{ID: "y", Scope: Agent, Session: "s"}, 1) {
		t.Error("a second share by another token")
	}
}

func TestSharesAreWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ann, bob := NewShares(80, 0), &Principal{ID: "ann"}, &Principal{ID: "bob"}
		if !s.Take(ann, 60) {
			t.Fatal("no room")
		}
		late, cancel := context.WithCancelCause(t.Context())
		errs := make(chan error, 2)
		go func() { errs <- s.Wait(late, ann, 1) }()
		go func() { errs <- s.Wait(t.Context(), bob, 30) }()
		synctest.Wait()
		why := errors.New("enough")
		cancel(why)
		if err := <-errs; !errors.Is(err, why) {
			t.Errorf("who gives up: %v", err)
		}
		s.Give(ann, 10)
		if err := <-errs; err != nil || s.Taken() != 80 {
			t.Errorf("who waits: %v, %d", err, s.Taken())
		}
	})
}
