package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
)

// TestSilentInside: who falls silent inside a transaction keeps a session's owner waiting for some seconds, and not until the server finds out, which takes hours.
//
// Proves: I16.5/locks
func TestSilentInside(t *testing.T) {
	url := migrated(t)
	owner := open(t.Context(), t, url)
	p := registered(t, owner, id)[0]
	say := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		p = taken(ctx, t, owner, p, lines(p.Head+1, 3))
	}
	say()
	way, through := network.Before(t, url)
	c := opened(t, through, postgres.Options{})
	silent := way.SilentAt("DELETE FROM session_batch") // behind the statement that locks the session's row
	done := make(chan error, 1)
	go func() { // ends when the way is cut
		_, err := (&cold.Compactor{Core: c, Store: new(memory.Place).Store(), Rest: time.Nanosecond}).Pass(t.Context())
		done <- err
	}()
	<-silent
	say()
	if n, err := owner.Bytes(t.Context(), id, 0, p.Head); err != nil || n != 6*160 {
		t.Errorf("the rows have %d bytes, %v", n, err)
	}
	way.Become(network.Cut)
	c.Close()
	if err := <-done; err == nil {
		t.Error("a segment was made by who could not say so")
	}
}
