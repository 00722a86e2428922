package core

import (
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The tests of this file are about prompts that would wait for ever.

func TestRefusedWhileItIsInterrupted(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.step(&Interrupt{})
	w.say(adapters.PromptAnswered{ID: "p1", Result: adapters.PromptRefused, Error: "no model"})
	w.commands = nil
	send(t, w, "two", "", "")
	if len(w.commands) != 1 || w.commands[0].(adapters.Prompt).ID != "p2" {
		t.Fatalf("the next prompt is not sent: %+v", w.commands)
	}
}

// TestStuckAgentIsResumed: that an agent does not heed interrupts says nothing against its session.
func TestStuckAgentIsResumed(t *testing.T) {
	w := newWorld(t)
	ready(w)
	for range testLimits().Restarts {
		send(t, w, "one", "", "")
		w.say(adapters.TurnBegan{})
		w.step(&Interrupt{})
		w.step(&InterruptOverdue{TurnID: w.core.turn.ID()})
		w.exit(adapters.Exit{Code: -1, Signal: "killed", Requested: true})
		if n := len(w.started); n != 1 || !w.started[0].Spec.Resume {
			t.Fatalf("%+v", w.started)
		}
		w.attach()
		w.say(adapters.Ready{NativeSessionID: "native"})
	}
}

func TestRefusedAfterTheAgentBeganByItself(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	from := len(w.log)
	w.say(adapters.TurnBegan{}, adapters.PromptAnswered{ID: "p1", Result: adapters.PromptRefused, Error: "busy"})
	wantTypes(t, w, from, "entry_start", "entry_end")
	if d := w.log[from].Payload.(*protocol.EntryStart).Data.(*protocol.SystemData); d.Kind != "prompt_refused" || d.Text != "busy" {
		t.Fatalf("%+v", d)
	}
}

func TestPromptWhileTheSessionIsParked(t *testing.T) {
	w := newWorld(t)
	ready(w)
	p := &Park{}
	w.step(p)
	send(t, w, "one", "", "")
	w.exit(adapters.Exit{Requested: true})
	if a, err := answered(t, p.Ticket); err != nil || a.Parked {
		t.Fatalf("%+v, %v", a, err)
	}
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	if len(w.commands) != 1 || w.commands[0].(adapters.Prompt).ID != "p1" {
		t.Fatalf("%+v", w.commands)
	}
}

func TestPromptWhileTheDaemonDrains(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	p := &Park{Drain: true}
	w.step(p)
	send(t, w, "two", "", "")
	w.exit(adapters.Exit{Requested: true})
	if a, err := answered(t, p.Ticket); err != nil || !a.Parked || len(w.started) > 0 {
		t.Fatalf("%+v, %v, %+v", a, err, w.started)
	}
	again := New("s1", testLimits())
	for i := range w.log {
		again.Replay(&w.log[i])
	}
	w.core = again
	w.step(&Recover{Reason: "daemon restarted", Incarnation: 7})
	if len(w.started) != 1 || w.started[0].Incarnation != 8 {
		t.Fatalf("what waits is not taken up: %+v", w.started)
	}
}

// TestAgentStoppedByNobodyHere: the adapter was ended from outside, with a prompt waiting.
func TestAgentStoppedByNobodyHere(t *testing.T) {
	w := newWorld(t)
	atTool(w)
	send(t, w, "two", "", "")
	w.exit(adapters.Exit{Requested: true})
	if len(w.started) != 1 {
		t.Fatal("the prompt waits, and no agent comes")
	}
}

func TestUnknownAgentTakesNoPrompts(t *testing.T) {
	w := newWorld(t)
	w.core = New("s1", &Limits{Queue: 5, Remembered: 5})
	w.step(&Begin{Agent: "gone"})
	p := prompt("one", "")
	w.step(p)
	var problem *protocol.Problem
	if _, err := answered(t, p.Ticket); !errors.As(err, &problem) || problem.Code != protocol.CodeAgentUnavailable || problem.Hint == "" {
		t.Fatalf("%v", err)
	}
}

func TestInterruptOfAnAgentThatNeverGotReady(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true})
	w.attach()
	w.say(adapters.TurnBegan{}, text(1))
	w.step(&Interrupt{})
	w.step(&InterruptOverdue{TurnID: "t1"})
	if w.core.link.phase != linkStopping {
		t.Fatal("the agent was left alone")
	}
}

// Proves: T26
func TestRequestExpires(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, adapters.RequestOpened{Key: 1, Within: 5000, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "?"}})
	from := len(w.log)
	w.now += 6000
	w.step(&RequestOverdue{RequestID: "r1"})
	wantTypes(t, w, from, "request_resolved", "status:responding")
	if r := w.log[from].Payload.(*protocol.RequestResolved); r.Outcome != protocol.OutcomeExpired {
		t.Fatalf("%+v", r)
	}
	w.say(adapters.RequestClosed{Key: 1, Outcome: protocol.OutcomeExpired})
	w.step(&RequestOverdue{RequestID: "r1"})
	wantTypes(t, w, from+2)
}

func TestAgentThatNeverGetsReady(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true})
	w.attach()
	send(t, w, "one", "", "")
	if len(w.watched) != 1 || w.watched[0] != "WatchStart" {
		t.Fatalf("watched: %v", w.watched)
	}
	from := len(w.log)
	w.step(&StartOverdue{Incarnation: 1})
	w.exit(adapters.Exit{Signal: "killed", Requested: true})
	wantTypes(t, w, from, "prompt_removed", "status:failed", "session_end")
	if end := w.log[len(w.log)-1].Payload.(*protocol.SessionEnd); end.Reason != protocol.EndError || end.Error != "agent did not start: it was not ready after 60 s" {
		t.Fatalf("%+v", end)
	}
}

// TestAgentThatGetsReadyOnceOnly: it has a session to go on with, so it is tried again, as often as one that exits.
func TestAgentThatGetsReadyOnceOnly(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.exit(adapters.Exit{Code: 1})
	for range testLimits().Restarts - 1 {
		w.attach()
		w.step(&StartOverdue{Incarnation: w.incarnation - 1}) // of the one before: it is gone
		if w.core.link.phase != linkStarting {
			t.Fatal("the wrong agent was ended")
		}
		w.step(&StartOverdue{Incarnation: w.incarnation})
		w.exit(adapters.Exit{Signal: "killed", Requested: true})
		if len(w.started) != 1 {
			t.Fatal("not tried again")
		}
	}
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	w.step(&StartOverdue{Incarnation: w.incarnation})
	if w.core.link.phase != linkReady {
		t.Fatal("an agent that is ready was ended")
	}
}

// TestSilentAgent: the status says that an agent says nothing, and takes it back at the first sign of life.
// Proves: I3/stall
func TestSilentAgent(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, text(1))
	if got := w.watched[len(w.watched)-1]; got != "WatchStall" {
		t.Fatalf("watched: %v", w.watched)
	}
	looks := func() (n int) {
		for _, s := range w.watched {
			if s == "WatchStall" {
				n++
			}
		}
		return n
	}
	from := len(w.log)
	w.now += testLimits().StallAfter.Milliseconds() - 1
	w.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "a"}})
	w.now++
	w.step(&StallOverdue{})
	wantTypes(t, w, from, "entry_delta")
	if n := looks(); n != 2 {
		t.Fatalf("%d looks, of which one has been", n)
	}
	w.now += testLimits().StallAfter.Milliseconds()
	w.step(&StallOverdue{})
	wantTypes(t, w, from+1, "status:responding")
	if !w.core.status.Stalled {
		t.Fatal("not stalled")
	}
	w.say(adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "b"}})
	wantTypes(t, w, from+2, "status:responding", "entry_delta")
	if w.core.status.Stalled {
		t.Fatal("still stalled")
	}
	w.say(adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, Title: "?"}})
	w.now += 3 * testLimits().StallAfter.Milliseconds()
	w.step(&StallOverdue{})
	w.step(&Resolve{RequestID: "r1", Outcome: protocol.OutcomeAllowed, By: "client:x"})
	w.step(&StallOverdue{})
	if w.core.status.Stalled {
		t.Fatal("an agent that waited for an answer is no silent one")
	}
}

// TestStartThatADrainGivesUp: the daemon ends while an agent comes up, and the session hears of it before it is told to go: what waits is the next
// daemon's affair.
func TestStartThatADrainGivesUp(t *testing.T) {
	w := newWorld(t)
	w.step(&Begin{Agent: "pi", Start: true})
	send(t, w, "one", "", "")
	w.incarnation, w.running = w.core.link.incarnation, true
	w.exit(adapters.Exit{Code: -1, Error: "context canceled", Requested: true, Drained: true})
	p := &Park{Drain: true}
	w.step(p)
	if len(w.core.queue.waiting) != 1 || w.core.end != nil {
		t.Errorf("%d prompts wait\n%s", len(w.core.queue.waiting), w.text())
	}
	if parked, err := answered(t, p.Ticket); err != nil || !parked.Parked {
		t.Errorf("%+v, %v", parked, err)
	}
}
