package core

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (w *world) order() string {
	var ids []string
	for _, q := range w.core.queue.waiting {
		ids = append(ids, q.ID)
	}
	return strings.Join(ids, " ")
}

func TestMovePrompt(t *testing.T) {
	for _, c := range []struct {
		move   MovePrompt
		order  string
		at     int
		before string // in the log; "-": nothing was written
	}{
		{MovePrompt{PromptID: "p4", Before: "p2"}, "p4 p2 p3", 1, "p2"},
		{MovePrompt{PromptID: "p4", Before: "p3"}, "p2 p4 p3", 2, "p3"},
		{MovePrompt{PromptID: "p2", Before: "p4"}, "p3 p2 p4", 2, "p4"},
		{MovePrompt{PromptID: "p2", Before: "p3"}, "p2 p3 p4", 1, "-"},
		{MovePrompt{PromptID: "p2", Before: "p2"}, "p2 p3 p4", 1, "-"},
		{MovePrompt{PromptID: "p2", Position: math.MaxInt}, "p3 p4 p2", 3, ""},
		{MovePrompt{PromptID: "p2", Position: 3}, "p3 p4 p2", 3, ""},
		{MovePrompt{PromptID: "p3", Position: 1}, "p3 p2 p4", 1, "p2"},
		{MovePrompt{PromptID: "p3", Position: 2}, "p2 p3 p4", 2, "-"},
		{MovePrompt{PromptID: "p4", Position: -7}, "p4 p2 p3", 1, "p2"},
	} {
		w := newWorld(t)
		ready(w)
		for i := range 4 {
			send(t, w, fmt.Sprint(i), "", "")
		}
		from := len(w.log)
		w.step(&c.move)
		got, err := answered(t, c.move.Ticket)
		if err != nil || got.Position != c.at || w.order() != c.order {
			t.Errorf("%s before %q at %d: %+v, %v, %s", c.move.PromptID, c.move.Before, c.move.Position, got, err, w.order())
		}
		before := "-"
		if len(w.log) > from {
			before = w.log[from].Payload.(*protocol.PromptMoved).Before
		}
		if before != c.before {
			t.Errorf("%s before %q at %d: written before %q", c.move.PromptID, c.move.Before, c.move.Position, before)
		}
		again := New("s1", testLimits())
		replayInto(again, w)
		fold := new(protocol.SessionState)
		var folded []string
		for i := range w.log {
			fold.Apply(&w.log[i])
		}
		for _, q := range fold.Queue {
			folded = append(folded, q.PromptID)
		}
		if w.core = again; w.order() != c.order || strings.Join(folded, " ") != c.order {
			t.Errorf("%s: replayed %s, folded %v", c.order, w.order(), folded)
		}
	}
}

// The order is what is dispatched, also after a restart of the daemon.
func TestMovedPromptsSurvive(t *testing.T) {
	w := newWorld(t)
	ready(w)
	for i := range 3 {
		send(t, w, fmt.Sprint(i), "", "")
	}
	w.step(&MovePrompt{PromptID: "p3", Position: 1})
	again := New("s1", testLimits())
	replayInto(again, w)
	w.core, w.running = again, false
	w.step(&Recover{Reason: "daemon restarted"})
	w.attach()
	w.say(adapters.Ready{NativeSessionID: "native"})
	var prompts []string
	for range 2 {
		w.say(adapters.TurnBegan{}, adapters.TurnEnded{Status: protocol.TurnCompleted})
	}
	for _, c := range w.commands {
		if p, ok := c.(adapters.Prompt); ok {
			prompts = append(prompts, p.ID)
		}
	}
	if want := []string{"p1", "p3", "p2"}; !slices.Equal(prompts, want) {
		t.Fatalf("%v", prompts)
	}
}

func TestMoveRefused(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{})
	send(t, w, "two", protocol.Steer, "")
	w.say(adapters.NativeQueue{FollowUp: []string{"its own"}})
	send(t, w, "four", "", "")
	for _, c := range []struct {
		move MovePrompt
		code protocol.Code
	}{
		{MovePrompt{PromptID: "p1", Position: 1}, protocol.CodePromptNotFound}, // dispatched
		{MovePrompt{PromptID: "p9", Position: 1}, protocol.CodePromptNotFound},
		{MovePrompt{PromptID: "p4", Before: "p9"}, protocol.CodePromptNotFound},
		{MovePrompt{PromptID: "p2", Position: 1}, protocol.CodeConflict}, // steers
		{MovePrompt{PromptID: "p3", Position: 1}, protocol.CodeConflict}, // in the agent's own queue
	} {
		from := len(w.log)
		w.step(&c.move)
		_, err := answered(t, c.move.Ticket)
		if p := problemOf(t, err); p.Code != c.code || p.Hint == "" || len(w.log) > from {
			t.Errorf("%s: %+v", c.move.PromptID, p)
		}
	}
}
