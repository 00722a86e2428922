package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// In virtual time: nobody answers.
// Proves: T30
func TestCallExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"}, adapters.TurnBegan{})
		began := time.Now()
		a, err := Ask(t.Context(), h.ref, call(1, "editor").Question)
		if err != nil || a.Outcome != protocol.OutcomeExpired || time.Since(began) != time.Minute {
			t.Fatalf("%+v, %v after %v", a, err, time.Since(began))
		}
		h.shown(h.join())
	})
}

// The shell tells whoever waits that the actor stops.
func TestCallsFailWithTheActor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		c := call(1, "editor")
		h.ref.Send(c)
		synctest.Wait()
		_, over, _ := answered(c.Reply)
		h.close()
		if over {
			t.Fatal("answered at once")
		}
		_, err := answer(t, c.Reply)
		if p := problemOf(t, err); p.Code != protocol.CodeUnavailable || !strings.Contains(p.Hint, "Look at the session") {
			t.Fatalf("%+v", p)
		}
	})
}
