package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A sub-agent that is taken up again goes on in its log: those who read it to its end were let go, and those who come now read on.
func TestRevivedSessionIsReadOn(t *testing.T) {
	for name, syncFirst := range map[string]bool{"written": false, "synced": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, syncFirst)
				defer func() { h.close() }()
				if err := h.system.Root.StopFuture(h.pid).Wait(); err != nil {
					t.Fatal(err)
				}
				h.open(syncFirst, func(Replay) (store.Writer, store.Recovery, error) {
					j, err := journal.Create("child", journal.Options{FS: h.disk})
					return j, store.Recovery{}, err
				}, func(store.Recovery) Input {
					return &Begin{Agent: "pi", Start: true, NativeID: "n", Metadata: protocol.Metadata{SubAgent: true}}
				})
				synctest.Wait()
				h.say(adapters.Ready{})
				h.batch++
				h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Exit: &adapters.Exit{}}))
				synctest.Wait()
				before := h.join()
				h.sync()
				if !syncFirst && before.Ring.State() != ring.Ended {
					t.Fatal("readers are not let go")
				}
				h.ref.Send(Say(&Adopt{}))
				synctest.Wait()
				h.sync()
				h.ref.Send(Say(&AgentStarted{Incarnation: 2, Adapter: h.adapter()}))
				h.batch = 0
				h.batch++
				h.ref.Send(Say(&Batch{Incarnation: 2, Number: h.batch, Drafts: []adapters.Draft{adapters.Ready{}, adapters.TurnBegan{}, text(1)}}))
				synctest.Wait()
				h.sync()
				h.sync()
				after := h.join()
				if after.Ring.State() == ring.Ended {
					t.Fatal("nobody can read on")
				}
				log := h.shown(after)
				if got := log[len(log)-1].Payload.Type(); got != protocol.TypeEntryStart {
					t.Fatalf("the log ends with %s", got)
				}
				if !syncFirst && before.Ring.Head() >= after.Ring.Head() {
					t.Fatal("the ring that was let go goes on")
				}
			})
		})
	}
}

// An agent that never answers a choice costs its client ten seconds.
func TestChoiceIsWaitedForSoLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		start := time.Now()
		_, err := Ask(t.Context(), h.ref, &Choose{Setting: SettingModel, Value: "m"})
		if p := problemOf(t, err); p.Code != protocol.CodeUnavailable || time.Since(start) != core.SettingGrace {
			t.Fatalf("%v after %v", err, time.Since(start))
		}
		offers, err := ask.Ask(t.Context(), h.ref, func(r ask.Reply[Offers]) Message { return &Choices{Reply: r} })
		if err != nil || offers.KnownModels {
			t.Fatalf("%+v, %v", offers, err)
		}
	})
}

// Whoever waits for a choice, or has answered a child's request, is told when the actor goes.
func TestWaitersAreToldOfTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, true) // nothing is shown, so nothing is sent on
		h.sync()
		h.say(adapters.Ready{NativeSessionID: "n"})
		h.sync()
		h.ref.Send(Say(&ChildAsks{ChildID: "c", Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "Run ls?", Options: []protocol.Option{{ID: protocol.AllowOnce}}}}))
		resolve := asks(&Resolve{RequestID: "@c", Outcome: protocol.OutcomeAllowed, By: "client:a"})
		choose := asks(&Choose{Setting: SettingModel, Value: "m"})
		h.ref.Send(resolve)
		h.ref.Send(choose)
		synctest.Wait()
		h.close()
		if _, err := answer(t, resolve.Reply); problemOf(t, err).Code != protocol.CodeUnavailable {
			t.Fatal(err)
		}
		if _, err := answer(t, choose.Reply); problemOf(t, err).Code != protocol.CodeUnavailable {
			t.Fatal(err)
		}
	})
}
