package wait

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

const deskSession = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"

// put has a session be in a list, after so many turns.
func put(list *roster.Roster, turns int) {
	list.Put(&session.Summary{ID: deskSession, Turns: turns, Status: protocol.Status{State: protocol.StateIdle}}, nil, true)
}

// waiting is a waiter for the end of a turn.
func waiting(t *testing.T, list *roster.Roster, turn int) *waiter {
	t.Helper()
	u, err := untilOf(&resource.WaitUntil{Turn: fmt.Sprint("t", turn)})
	if err != nil {
		t.Fatal(err)
	}
	w := &waiter{list: &access.Roster{Roster: list}, until: u, members: map[string]*member{}, done: make(chan struct{}), turned: make(chan struct{}, 1)}
	w.join(deskSession, true)
	return w
}

// TestWaitBehindAnother: whoever begins to wait in the moment in which the last one before stops waiting hears of what changes.
//
// Proves: I16.7/waits-move
func TestWaitBehindAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := roster.New()
		put(list, 1)
		d := newDesk(func() *roster.Roster { return list })
		for n := range 5000 {
			first := waiting(t, list, 1)
			d.add(first)
			left := make(chan struct{})
			go func() { // ends with the desk's run
				defer close(left)
				d.leave(first)
			}()
			for busy := true; busy; runtime.Gosched() {
				d.mu.Lock()
				busy = d.waiting > 0
				d.mu.Unlock()
			}
			w := waiting(t, list, n+2)
			d.add(w)
			put(list, n+2)
			synctest.Wait()
			select {
			case <-w.done:
			default:
				t.Fatalf("round %d: nobody has told it that the turn is over", n)
			}
			d.leave(w)
			<-left
		}
	})
}

// TestWaitWhileASessionMoves: a session that goes to another node was not deleted. Its wait goes on by what that node tells, of which the log here may be behind
// the list; one that another node has passed on ends, so that it is passed on to where the session is.
//
// Proves: I16.7/waits-move
func TestWaitWhileASessionMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := roster.New()
		put(list, 1)
		var asked, read atomic.Int64
		s := New(Config{
			List: func() *roster.Roster { return list }, Closing: t.Context(),
			Away: func(context.Context, *resource.WaitRequest, time.Duration) (a resource.WaitAnswer, done bool, err error) {
				asked.Add(1)
				return a, false, nil
			},
			Outcome: func(context.Context, string, string) (o resource.WaitOutcome, over bool, err error) {
				n := read.Add(1)
				if n == 2 {
					return o, false, protocol.NewProblem(protocol.CodeUnavailable, "The session is looked for anew.", "")
				}
				return resource.WaitOutcome{Outcome: "completed"}, n == 4, nil
			},
		})
		begins := func(until *resource.WaitUntil, here bool) (*waiter, chan error) {
			w := waiting(t, list, 2)
			var err error
			if w.until, err = untilOf(until); err != nil {
				t.Fatal(err)
			}
			w.here = here
			s.desk.add(w)
			ended := make(chan error, 1)
			go func() { // ends with the wait
				until, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				a, err := s.await(t.Context(), until, w, func() (resource.WaitAnswer, bool, error) { return s.Away(t.Context(), nil, 0) })
				if err == nil && (!a.Held || a.Never || len(a.Sessions) != 1 || a.Sessions[0].Deleted) {
					err = fmt.Errorf("%+v", a)
				}
				ended <- err
			}()
			synctest.Wait()
			return w, ended
		}
		turn, turned := begins(&resource.WaitUntil{Turn: "t2"}, false)
		passed, left := begins(&resource.WaitUntil{Turn: "t2"}, true)
		list.Leave(deskSession)
		var p *protocol.Problem
		if err := <-left; !errors.As(err, &p) || p.Code != protocol.CodeMisdirected {
			t.Errorf("one that was passed on: %v", err)
		}
		time.Sleep(time.Minute - time.Second)
		if n := asked.Load(); n < 8 || n > 12 {
			t.Errorf("other nodes were asked %d times in a minute", n)
		}
		list.PutAway(&session.Summary{ID: deskSession, Node: "b", Turns: 1, Status: protocol.Status{State: protocol.StateIdle, QueuedPrompts: 1}})
		resting, rested := begins(&resource.WaitUntil{Rest: true}, false)
		time.Sleep(time.Second)
		select {
		case err := <-rested:
			t.Errorf("one whose prompt waits is at rest: %v", err)
		default:
		}
		list.PutAway(&session.Summary{ID: deskSession, Node: "b", Turns: 2, Status: protocol.Status{State: protocol.StateIdle}})
		if err := <-rested; err != nil {
			t.Error(err)
		}
		if err := <-turned; err != nil {
			t.Error(err)
		}
		begun := time.Now()
		prompt, settled := begins(&resource.WaitUntil{Prompt: "p1"}, false)
		if err := <-settled; err != nil || time.Since(begun) > 4*time.Second { // the list does not change any more
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		read.Store(-20) // it is not settled for long, and when the list says so, the log is behind
		late, settled := begins(&resource.WaitUntil{Prompt: "p2"}, false)
		time.Sleep(time.Minute)
		if n := read.Load() + 20; n > 13 {
			t.Errorf("the log was read %d times in a minute", n)
		}
		read.Store(2)
		list.PutAway(&session.Summary{ID: deskSession, Node: "b", Turns: 3, Status: protocol.Status{State: protocol.StateIdle}})
		begun = time.Now()
		if err := <-settled; err != nil || time.Since(begun) > time.Second {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		for _, w := range []*waiter{late, turn, passed, prompt, resting} {
			s.desk.leave(w)
		}
	})
}
