package supervisor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// TestDirectory: a session whose actor is there is found without a question, with a context that would not outlive one; one that is put away or
// deleted is not, from the moment on at which that begins.
// Proves: I12/directory
func TestDirectory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const age = time.Minute
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.PassiveAge = age })
		defer d.close()
		over, cancel := context.WithCancel(t.Context())
		cancel()
		known := func(id string) bool {
			t.Helper()
			ref, err := d.Find(over, id)
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			return ref.Valid()
		}
		sum := d.create()
		id := sum.ID
		if e, ok := d.Known(id); !ok || !e.Ref.Valid() || e.Cwd != sum.Cwd || e.Ended || !known(id) {
			t.Errorf("made: %+v, %t", e, ok)
		}

		time.Sleep(2 * age)
		synctest.Wait()
		if e, ok := d.Known(id); !ok || e.Ref.Valid() { // Find would ask, and its answer can be faster than a context that is over
			t.Errorf("put away: %+v, %t", e, ok)
		}
		if err := d.CheckFolder(over, id); err != nil {
			t.Errorf("its folder: %v", err)
		}
		if _, err := d.Find(t.Context(), id); err != nil || !known(id) {
			t.Errorf("opened again: %v", err)
		}

		_, err := session.Ask(t.Context(), d.find(id), &session.End{})
		synctest.Wait()
		if e, ok := d.Known(id); err != nil || !ok || !e.Ended {
			t.Errorf("ended: %+v, %t, %v", e, ok, err)
		}

		other := d.create().ID
		gone := make(chan error)
		go func() { gone <- d.Delete(t.Context(), other) }()
		synctest.Wait()
		if e, ok := d.Known(other); ok {
			t.Errorf("being deleted: %+v", e)
		}
		if _, err := d.Find(t.Context(), other); code(err) != protocol.CodeSessionNotFound {
			t.Errorf("being deleted, it is found: %v", err)
		}
		if err := <-gone; err != nil {
			t.Error(err)
		}
	})
}
