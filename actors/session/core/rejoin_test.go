package core

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// replace loses the core and what it knew beyond the log, as a failed actor does, while the agent runs on.
func (w *world) replace(batch uint64) {
	again := New("s1", testLimits())
	for i := range w.log {
		again.Replay(&w.log[i])
	}
	w.core, w.commands, w.watched = again, nil, nil
	w.step(&Rejoin{Incarnation: w.incarnation, Batch: batch})
}

// TestRejoinAfterBatchesWithoutEvents: the journal knows only of batches that made events; those after them were confirmed
// and are not sent again.
func TestRejoinAfterBatchesWithoutEvents(t *testing.T) {
	w := newWorld(t)
	ready(w)
	send(t, w, "one", "", "")
	w.say(adapters.TurnBegan{}, text(1))
	inJournal := w.batch
	w.say(adapters.PromptAnswered{ID: "p1"})
	w.say(adapters.EntryChanged{Key: 7, Delta: &protocol.TextAppend{Text: "fits nothing"}})
	w.replace(inJournal)
	from := len(w.log)
	w.say(adapters.EntryClosed{Key: 1}, adapters.TurnEnded{Status: protocol.TurnCompleted})
	wantTypes(t, w, from, "entry_end", "turn_end", "status:idle")
	w.step(&Batch{Incarnation: w.incarnation, Number: w.batch + 2, Drafts: []adapters.Draft{adapters.TurnBegan{}}})
	wantTypes(t, w, from+3) // from now on a gap is a gap
}

func TestRejoinTellsAgainWhatMayBeLost(t *testing.T) {
	approval := adapters.RequestOpened{Key: 1, Within: 5000, Request: protocol.RequestOpened{
		Kind: protocol.RequestApproval, Title: "?", Options: []protocol.Option{{ID: protocol.AllowOnce}},
	}}
	for name, c := range map[string]struct {
		before func(w *world)
		want   []string
	}{
		"starting": {func(w *world) {
			w.step(&Begin{Agent: "pi", Start: true})
			w.attach()
			send(t, w, "one", "", "")
		}, []string{"WatchStart"}},
		"dispatched": {func(w *world) {
			ready(w)
			send(t, w, "one", "", "")
		}, []string{"adapters.Prompt", "WatchStall"}},
		"at work": {func(w *world) {
			ready(w)
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, text(1))
		}, []string{"WatchStall"}},
		"interrupting": {func(w *world) {
			ready(w)
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, text(1))
			w.step(&Interrupt{})
		}, []string{"adapters.Interrupt", "WatchInterrupt"}},
		"asking": {func(w *world) {
			ready(w)
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, approval)
		}, []string{"WatchRequest"}},
		"answered": {func(w *world) {
			ready(w)
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, approval)
			w.step(&Resolve{RequestID: "r1", Outcome: protocol.OutcomeAllowed, By: "client:a"})
		}, []string{"adapters.Answer", "WatchStall"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			c.before(w)
			w.replace(w.batch)
			var got []string
			for _, c := range w.commands {
				got = append(got, fmt.Sprintf("%T", c))
			}
			if got = append(got, w.watched...); !slices.Equal(got, c.want) {
				t.Fatalf("told %v, want %v", got, c.want)
			}
		})
	}
}

// TestRejoinOfAnEndedSession: the exit was taken, and the actor lost before the adapter heard of it.
func TestRejoinOfAnEndedSession(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(&End{})
	w.exit(adapters.Exit{Requested: true})
	from := len(w.log)
	w.replace(w.batch)
	w.step(&Batch{Incarnation: w.incarnation, Number: w.batch + 1, Exit: &adapters.Exit{Requested: true}})
	p := &Park{}
	w.step(p)
	if a, err := answered(t, p.Ticket); err != nil || !a.Parked {
		t.Fatalf("%+v, %v", a, err)
	}
	wantTypes(t, w, from)
}

// TestNothingFollowsTheEnd: whatever still comes.
func TestNothingFollowsTheEnd(t *testing.T) {
	w := newWorld(t)
	ready(w)
	w.step(&End{})
	w.exit(adapters.Exit{Requested: true})
	from := len(w.log)
	title := "new"
	c := &Change{Title: &title}
	w.step(c)
	if _, err := answered(t, c.Ticket); err == nil {
		t.Fatal("an ended session was changed")
	}
	effects := w.step(&AgentStarted{Incarnation: w.incarnation})
	if len(effects) != 1 {
		t.Fatalf("an agent nobody wants was not ended: %+v", effects)
	}
	w.step(&Batch{Incarnation: w.incarnation, Number: w.batch + 1, Drafts: []adapters.Draft{adapters.TurnBegan{}, text(9)}})
	w.step(&Batch{Incarnation: w.incarnation, Number: w.batch + 2, Exit: &adapters.Exit{Code: 1}})
	wantTypes(t, w, from)
	if len(w.started) != 0 {
		t.Fatalf("the agent is started again: %+v", w.started)
	}
}
