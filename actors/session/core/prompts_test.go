package core

import (
	"errors"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func send(t *testing.T, w *world, text string, b protocol.Behavior, key string) Receipt {
	t.Helper()
	p := prompt(text, b)
	p.IdempotencyKey = key
	w.step(p)
	r, err := answered(t, p.Ticket)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func wantTypes(t *testing.T, w *world, from int, want ...string) {
	t.Helper()
	if got := w.types(from); !slices.Equal(got, want) {
		t.Fatalf("got  %v\nwant %v\n%s", got, want, w.text())
	}
}

func TestPromptToIdle(t *testing.T) {
	w := newWorld(t)
	ready(w)
	from := len(w.log)
	r := send(t, w, "hi", "", "")
	if r.Cursor.Seq != uint64(from) || r.Position != 0 {
		t.Fatalf("%+v", r)
	}
	if got := w.commands; len(got) != 1 || got[0].(adapters.Prompt).Text != "hi" {
		t.Fatalf("%+v", got)
	}
	w.say(adapters.PromptAnswered{ID: "p1"}, adapters.TurnBegan{}, adapters.PhaseChanged{State: protocol.StateResponding})
	w.say(text(1), adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "yo"}})
	w.say(tool(2, protocol.ToolRunning), adapters.EntryClosed{Key: 1}, adapters.EntryClosed{Key: 2})
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
	wantTypes(t, w, from,
		"prompt_queued", "prompt_removed", "turn_start", "status:queued",
		"status:responding", "entry_start", "entry_delta",
		"entry_start", "status:running_tool", "entry_end", "entry_end", "status:responding",
		"turn_end", "status:idle")
}

func TestFollowUpsWaitTheirTurn(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{})
	if r := send(t, w, "two", protocol.FollowUp, ""); r.Position != 1 {
		t.Fatalf("%+v", r)
	}
	send(t, w, "three", "", "")
	if len(w.commands) != 1 {
		t.Fatalf("the agent was told %d things while it worked", len(w.commands))
	}
	c := &CancelPrompt{PromptID: "p2"}
	w.step(c)
	if _, err := answered(t, c.Ticket); err != nil {
		t.Fatal(err)
	}
	from := len(w.log)
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted})
	wantTypes(t, w, from, "turn_end", "status:idle", "prompt_removed", "turn_start", "status:queued")
	if got := w.commands[1].(adapters.Prompt); got.ID != "p3" || got.Steer {
		t.Fatalf("%+v", got)
	}
}

func TestSteerStaysVisibleUntilItIsTaken(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, text(1))
	send(t, w, "faster", protocol.Steer, "")
	if got := w.commands[1].(adapters.Prompt); !got.Steer || got.ID != "p2" {
		t.Fatalf("%+v", got)
	}
	w.say(adapters.NativeQueue{Steering: []string{"faster"}}, adapters.PromptAnswered{ID: "p2", Result: adapters.PromptQueued})
	if len(w.core.queue.waiting) != 1 || w.core.status.QueuedPrompts != 1 {
		t.Fatalf("%+v", w.core.queue.waiting)
	}
	from := len(w.log)
	w.say(adapters.NativeQueue{})
	wantTypes(t, w, from, "prompt_removed", "status:responding")
	if p := w.log[from].Payload.(*protocol.PromptRemoved); p.Reason != protocol.RemovedDispatched {
		t.Fatalf("%+v", p)
	}
}

func TestSteerThatCameTooLateStartsATurn(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, text(1))
	send(t, w, "faster", protocol.Steer, "")
	from := len(w.log)
	w.say(adapters.TurnEnded{Status: protocol.TurnCompleted}, adapters.PromptAnswered{ID: "p2"}, adapters.TurnBegan{})
	wantTypes(t, w, from, "entry_end", "turn_end", "status:idle", "prompt_removed", "turn_start", "status:queued")
	if p := w.log[from+4].Payload.(*protocol.TurnStart); p.Prompt == nil || p.Prompt.Text != "faster" {
		t.Fatalf("%+v", p)
	}
	if len(w.commands) != 2 {
		t.Fatalf("told again: %+v", w.commands)
	}
}

func TestInterruptTakesBackSteersAndKeepsFollowUps(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, text(1))
	send(t, w, "faster", protocol.Steer, "")
	send(t, w, "then", protocol.FollowUp, "")
	from := len(w.log)
	w.step(&Interrupt{})
	wantTypes(t, w, from, "prompt_removed", "status:interrupting")
	w.say(adapters.TurnEnded{Status: protocol.TurnInterrupted})
	wantTypes(t, w, from+2, "entry_end", "turn_end", "status:idle", "prompt_removed", "turn_start", "status:queued")
	if e := w.log[from+2].Payload.(*protocol.EntryEnd); !e.Incomplete || e.Reason != "turn interrupted" {
		t.Fatalf("%+v", e)
	}
}

func TestRepeatedPromptThatStillWaits(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	send(t, w, "two", "", "k")
	if r := send(t, w, "two", "", "k"); !r.Repeated || r.Position != 1 {
		t.Fatalf("%+v, and it is the first that waits", r)
	}
}

func TestIdempotencyKeyAlsoAfterAReplay(t *testing.T) {
	w := newWorld(t)
	ready(w)
	first := send(t, w, "one", "", "k1")
	again := New("s1", testLimits())
	for i := range w.log {
		again.Replay(&w.log[i])
	}
	w.core, w.running = again, false
	w.step(&Recover{Reason: "daemon restarted"})
	from := len(w.log)
	r := send(t, w, "one", "", "k1")
	if !r.Repeated || r.PromptID != first.PromptID || r.Cursor != first.Cursor {
		t.Fatalf("%+v, first %+v", r, first)
	}
	other := prompt("two", "")
	other.IdempotencyKey = "k1"
	w.step(other)
	var problem *protocol.Problem
	if _, err := answered(t, other.Ticket); !errors.As(err, &problem) || problem.Code != protocol.CodeConflict || problem.Hint == "" {
		t.Fatalf("another prompt with the same key: %v", err)
	}
	wantTypes(t, w, from)
}

func TestQueueIsBounded(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	for range testLimits().Queue {
		send(t, w, "more", "", "")
	}
	p := prompt("too many", "")
	w.step(p)
	var problem *protocol.Problem
	if _, err := answered(t, p.Ticket); !errors.As(err, &problem) || problem.Code != protocol.CodeOverloaded || problem.Hint == "" {
		t.Fatalf("%v", err)
	}
}

func TestRefusedPromptEndsItsTurn(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	from := len(w.log)
	w.say(adapters.PromptAnswered{ID: "p1", Result: adapters.PromptRefused, Error: "no model"})
	wantTypes(t, w, from, "turn_end", "status:idle")
	if p := w.log[from].Payload.(*protocol.TurnEnd); p.Status != protocol.TurnError || p.Error != "no model" {
		t.Fatalf("%+v", p)
	}
}
