package session

import (
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/adapters"
)

// TestReadersThatYield: a session is put away beside a reader that yields, once that has everything, and not beside one that does not yield.
func TestReadersThatYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		stays := func(beside string) {
			park := asks(&Park{})
			h.ref.Send(park)
			synctest.Wait()
			if a, err := answer(t, park.Reply); err != nil || a.Parked {
				t.Fatalf("beside a reader that %s: %+v, %v", beside, a, err)
			}
		}
		keeps := h.join()
		keeps.At(keeps.Ring.Head())
		stays("does not yield")
		keeps.Leave()
		yields, err := ask.Ask(t.Context(), h.ref, func(r ask.Reply[*Reader]) Message { return &Join{Reply: r, Name: "test", Yields: true} })
		if err != nil {
			t.Fatal(err)
		}
		yields.At(yields.Ring.Head() - 1)
		stays("lacks an event")
		yields.At(yields.Ring.Head())
		park := asks(&Park{})
		h.ref.Send(park)
		h.batch++
		h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Exit: &adapters.Exit{Requested: true}}))
		synctest.Wait()
		if a, err := answer(t, park.Reply); err != nil || !a.Parked {
			t.Errorf("beside a reader that yields and has everything: %+v, %v", a, err)
		}
	})
}
