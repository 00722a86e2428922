package cold_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// TestPauses: a session of which a put has failed is left alone for as long as its key keeps others away, and one at which somebody else is for a moment, then
// for twice as long each time; what was put, and what is forgotten, has no pause, and an error of Core's begins none.
func TestPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p cold.Pauses
		length := func(session string) time.Duration {
			until, ok := p.Of(session)
			if !ok {
				return 0
			}
			return time.Until(until)
		}
		wants := func(what, session string, want time.Duration) {
			t.Helper()
			if got := length(session); got != want {
				t.Errorf("%s: the pause is %v long, want %v", what, got, want)
			}
		}
		wants("at the beginning", "a", 0)
		if _, ok := p.Next(); ok {
			t.Error("there is a pause at the beginning")
		}
		away := &objects.AwayError{Op: "put", Err: errors.New("away")}
		p.Tried("a", false, away)
		wants("a put has failed", "a", core.Busy)
		p.Tried("b", false, &core.AwayError{Op: "intend", Err: errors.New("away")})
		wants("Core does not answer", "b", 0)
		for _, want := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second} {
			p.Tried("b", false, nil)
			wants("somebody is at it", "b", want)
			if until, ok := p.Next(); !ok || time.Until(until) != want {
				t.Errorf("the first one ends at %v, %t", until, ok)
			}
			time.Sleep(want)
			wants("when it has ended", "b", 0)
		}
		for range 20 {
			p.Tried("b", false, nil)
		}
		wants("somebody is at it still", "b", core.Busy)
		p.Tried("b", true, nil)
		wants("something was put", "b", 0)
		p.Tried("b", false, nil)
		wants("somebody is at it anew", "b", 250*time.Millisecond)
		p.End("b")
		p.Tried("b", false, nil)
		wants("it was forgotten", "b", 250*time.Millisecond)
		time.Sleep(core.Busy)
		if _, ok := p.Next(); ok {
			t.Error("there is a pause at the end")
		}
		p.Tried("a", false, nil)
		wants("somebody is at it behind a put that has failed", "a", 250*time.Millisecond)
	})
}
