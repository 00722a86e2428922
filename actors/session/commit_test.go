package session

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSyncOvertakenByARecovery: the answer of a sync that was asked for before the journal failed comes when it works again.
func TestSyncOvertakenByARecovery(t *testing.T) {
	for name, err := range map[string]error{
		"recovered meanwhile": &store.WriteError{Op: "sync", Err: store.ErrForgotten},
		"failed before":       &store.WriteError{Op: "sync", Err: syscall.EIO},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, true)
				defer h.close()
				synctest.Wait()
				h.sync()
				h.say(adapters.Ready{NativeSessionID: "n"})
				r := h.join()
				shown := r.Ring.Head()
				h.mu.Lock()
				h.toSync = nil // under way, and slow
				h.mu.Unlock()
				h.ref.Send(&Synced{Seq: 1, Err: err})
				for range 5 {
					time.Sleep(time.Second)
					synctest.Wait()
					h.sync()
				}
				if sum, failures := h.state(); sum.ReadOnly || failures > 0 || r.Ring.Head() <= shown {
					t.Fatalf("%+v, %d failures, head %d", sum, failures, r.Ring.Head())
				}
				h.say(adapters.TurnBegan{})
				h.sync()
				h.shown(r)
			})
		})
	}
}

// TestOneTryAtATime: however often the journal fails, one retry is on its way.
func TestOneTryAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		tries := 0
		h.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind == "create" {
				tries++
			}
			return &disktest.Fault{Err: syscall.ENOSPC}
		})
		h.say(adapters.TurnBegan{})
		for range 20 {
			h.ref.Send(&Synced{Err: &store.WriteError{Op: "sync", Err: syscall.EIO}})
		}
		synctest.Wait()
		time.Sleep(10*time.Second + time.Millisecond)
		synctest.Wait()
		h.disk.Fail(nil)
		if tries > 11 {
			t.Errorf("%d tries in ten seconds", tries)
		}
		time.Sleep(2 * time.Second)
	})
}

// TestQuestionsThatTheDiskHeldBack are answered when the actor stops before the disk is well.
func TestQuestionsThatTheDiskHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		h.say(adapters.Ready{NativeSessionID: "n"})
		h.disk.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.ENOSPC} })
		p := prompt("hello", "")
		h.ref.Send(p)
		synctest.Wait()
		h.close()
		var problem *protocol.Problem
		if _, err := answer(t, p.Reply); !errors.As(err, &problem) || problem.Code != protocol.CodeUnavailable || problem.Hint == "" {
			t.Fatalf("%v", err)
		}
	})
}

// TestFirstOnAFullDisk: who asks when the disk fails is told before long, and what was asked is done when the disk is well; who asks
// again with the key gets the first one's receipt, and is not told meanwhile that nothing was done.
//
// Proves: I13.4/uncertain_prompts
func TestFirstOnAFullDisk(t *testing.T) {
	for name, syncFirst := range map[string]bool{"write fails": false, "sync fails": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := newHouse(t, syncFirst)
				defer h.close()
				synctest.Wait()
				h.sync()
				h.say(adapters.Ready{NativeSessionID: "n"})
				h.sync()
				synctest.Wait()
				h.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
					if op.Kind == "write" && !syncFirst || op.Kind == "sync" {
						return &disktest.Fault{Err: syscall.ENOSPC}
					}
					return nil
				})
				p, again := prompt("hello", "once"), prompt("hello", "once")
				h.ref.Send(p)
				synctest.Wait()
				h.sync()
				begun := time.Now()
				var problem *protocol.Problem
				for answered := false; !answered; {
					time.Sleep(time.Second)
					synctest.Wait()
					h.sync()
					soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
					_, err := p.Wait(soon)
					answered = soon.Err() == nil
					cancel()
					if answered && (!errors.As(err, &problem) || problem.Code != protocol.CodeUnavailable || !strings.Contains(problem.Detail, "no space left")) {
						t.Fatalf("%v", err)
					}
					if time.Since(begun) > 3*time.Second {
						t.Fatal("nobody is told")
					}
				}
				for want, q := range map[protocol.Code]*Asked[Receipt]{
					protocol.CodeUnavailable: prompt("hello", "once"), protocol.CodeConflict: prompt("bye", "once"), protocol.CodeReadOnly: prompt("hello", "other"),
				} {
					h.ref.Send(q)
					synctest.Wait()
					if _, err := answer(t, q.Reply); problemOf(t, err).Code != want {
						t.Errorf("meanwhile: %v, want %s", err, want)
					}
				}
				h.disk.Fail(nil)
				for range 3 {
					time.Sleep(time.Second)
					synctest.Wait()
					h.sync()
				}
				h.ref.Send(again)
				synctest.Wait()
				h.sync()
				if r, err := answer(t, again.Reply); err != nil || !r.Repeated {
					t.Errorf("%+v, %v", r, err)
				}
			})
		})
	}
}

// TestParkOnAFullDisk: a session that was asked to park and cannot say yet that it has is not taken for one that goes on.
func TestParkOnAFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer h.close()
		h.say(adapters.Ready{NativeSessionID: "n"})
		park := asks(&Park{})
		h.ref.Send(park)
		synctest.Wait()
		h.disk.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: syscall.ENOSPC} })
		h.batch++
		title := "t"
		h.ref.Send(Say(&Batch{
			Incarnation: 1, Number: h.batch, Drafts: []adapters.Draft{adapters.MetaChanged{Meta: protocol.SessionMeta{Title: &title}}},
			Exit: &adapters.Exit{Requested: true},
		}))
		soon, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if a, err := park.Wait(soon); soon.Err() == nil {
			t.Errorf("%+v, %v while nothing can be written", a, err)
		}
		h.disk.Fail(nil)
		time.Sleep(2 * time.Second)
		if a, err := answer(t, park.Reply); err != nil || !a.Parked {
			t.Errorf("%+v, %v", a, err)
		}
	})
}

// TestParkedSessionTakesNothing: whoever asks is sent back to the supervisor.
func TestParkedSessionTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		h.say(adapters.Ready{NativeSessionID: "n"})
		park := asks(&Park{})
		h.ref.Send(park)
		h.batch++
		h.ref.Send(Say(&Batch{Incarnation: 1, Number: h.batch, Exit: &adapters.Exit{Requested: true}}))
		p, again := prompt("hello", ""), asks(&Park{Drain: true})
		h.ref.Send(p)
		h.ref.Send(again)
		synctest.Wait()
		if a, err := answer(t, park.Reply); err != nil || !a.Parked {
			t.Errorf("%+v, %v", a, err)
		}
		if _, err := answer(t, p.Reply); !errors.Is(err, ask.ErrGone) {
			t.Errorf("%v", err)
		}
		if a, err := answer(t, again.Reply); err != nil || !a.Parked {
			t.Errorf("%+v, %v", a, err)
		}
		h.close()
	})
}

// TestEpochCutShort: the daemon was killed after the journal began the new epoch and before the event told of it.
func TestEpochCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, false)
		defer func() { h.close() }()
		h.say(adapters.Ready{NativeSessionID: "n"})
		if err := h.system.Root.StopFuture(h.pid).Wait(); err != nil {
			t.Fatal(err)
		}
		j, _, err := journal.Open("s1", journal.Options{FS: h.disk}, nil)
		if err == nil {
			err = errors.Join(j.NewEpoch(2), j.CloseUnclean())
		}
		if err != nil {
			t.Fatal(err)
		}
		h.open(false, func(r Replay) (store.Writer, store.Recovery, error) {
			return journal.Open("s1", journal.Options{FS: h.disk}, r.Visit)
		}, func(store.Recovery) Input { return &Recover{Reason: "daemon restarted"} })
		r := h.join()
		log := h.shown(r)
		e, ok := log[len(log)-1].Payload.(*protocol.Epoch)
		if !ok || e.Epoch != 2 || r.Ring.Epoch() != 2 || r.Ring.State() != ring.Open {
			t.Fatalf("ring epoch %d, last event %+v", r.Ring.Epoch(), log[len(log)-1].Payload)
		}
	})
}

// TestAnnouncedBeforeAnswered: who is answered and asks for the list finds there what was answered.
func TestAnnouncedBeforeAnswered(t *testing.T) {
	h := &house{}
	limits := testLimits()
	a := &shell{cfg: &Config{ID: "s1", Host: h}, core: core.New("s1", &limits)}
	known := &asksTheList{Asked: asks(&End{}), host: h}
	a.owed.take(known)
	a.run([]core.Effect{core.Answer{Ticket: 1, Value: Done{}}, core.Announce{}})
	if known.found.ID != "s1" {
		t.Error("the answer came before the summary")
	}
}

// asksTheList looks at the list as soon as it is answered.
type asksTheList struct {
	*Asked[Done]
	host  *house
	found Summary
}

func (q *asksTheList) give(core.Value) { q.found, _ = q.host.state() }
