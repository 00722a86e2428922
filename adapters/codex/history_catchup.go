package codex

import (
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// catchUp says what the thread did while the connection was lost, oldest turn first. The turn that ran then goes on, or ends as it
// has ended; entries that are open go on, or end with their final objects; what began and ended meanwhile is added. What is open
// and not told of goes on: the server does not tell of messages before they end.
func (h *history) catchUp(t *thread, out *adapters.Output) {
	turns := h.turns
	slices.Reverse(turns)
	fresh := fresh(t, turns, out)
	added := 0
	for i := range turns {
		turn := &turns[i]
		if i < fresh {
			closeOpen(t, turn, out)
			continue
		}
		runs := h.active && i == len(turns)-1 && turn.Status == "inProgress"
		meet(t, turn, runs, out)
		added += fold(t, turn, out)
		switch {
		case runs:
			t.turn.started = true
		case turn.Status == "inProgress":
			t.end(protocol.TurnInterrupted, unseenEnd, "", out)
		default:
			t.endAs(turn.Status, turn.Error, out)
		}
	}
	switch {
	case t.turn.on && !h.active:
		t.end(protocol.TurnInterrupted, unseenEnd, "", out)
	case !t.turn.on && h.active:
		t.beginTurn("", out)
	}
	if !h.asks {
		t.requests.withdraw(out)
	}
	if added > 0 {
		out.Draft(adapters.Notice{Level: "info", Kind: "caught_up", Text: fmt.Sprintf("Entries that were missed while the connection was lost: %d.", added)})
	}
}

// fresh finds the first of the turns that is not over here yet. Where none is known although there were some, only what runs is
// taken: the rest may be long said.
func fresh(t *thread, turns []pastTurn, out *adapters.Output) int {
	for i := len(turns) - 1; i >= 0; i-- {
		switch turn := turns[i]; {
		case t.turn.is(turn.ID):
			return i
		case t.ended.has(turn.ID), t.spec.Resume && turn.has(t.spec.Known):
			return i + 1
		}
	}
	last := len(turns) - 1
	switch {
	case last < 0 || t.turn.id == "" && t.ended.next == 0:
		return 0
	case turns[last].Status == "inProgress" && t.turn.on && !t.turn.started: // known by its items only, which have another id
		return last
	}
	gap(out)
	if turns[last].Status == "inProgress" {
		return last
	}
	return last + 1
}

// meet makes a turn the one that runs.
func meet(t *thread, turn *pastTurn, runs bool, out *adapters.Output) {
	switch {
	case t.turn.is(turn.ID):
		return
	case t.turn.on && (t.turn.id == "" || runs && !t.turn.started):
		t.turn.rename(turn.ID)
		return
	case t.turn.on:
		t.end(protocol.TurnInterrupted, unseenEnd, "", out)
	}
	ours, theirs := false, ""
	for w := range turn.users() {
		ours = ours || t.prompts.isUnsure(w.ClientID)
		if theirs == "" {
			theirs = promptText(w, t.entries.limit)
		}
	}
	if !ours && theirs != "" {
		t.prompts.started = &protocol.Prompt{Text: theirs}
	}
	if runs && theirs == "" {
		t.prompts.ranLast()
	}
	t.beginTurn(turn.ID, out)
}

// fold says what the log lacks of a turn, and counts what it adds.
func fold(t *thread, turn *pastTurn, out *adapters.Output) (added int) {
	for w := range turn.items() {
		it := itemOf(t, turn.ID, w.ID)
		over := w.Status != "inProgress"
		switch {
		case it != nil && !it.closed && over:
			t.close(it, w, out)
		case it != nil: // said, or it goes on
		case !over:
			t.open(turn.ID, w, gapMark, out)
		default:
			if w.Type == "userMessage" {
				t.steered(w, out)
			}
			t.entries.recover(turn.ID, w, t.prompts.pictures(w), out)
			added++
		}
	}
	return added
}

// itemOf finds an item of a turn, by any of the turn's ids.
func itemOf(t *thread, turn, id string) *item {
	it := t.entries.find([]byte(turn), []byte(id))
	if it == nil && t.turn.is(turn) {
		if it = t.entries.find([]byte(t.turn.id), []byte(id)); it == nil {
			it = t.entries.find([]byte(t.turn.alias), []byte(id))
		}
	}
	return it
}

// closeOpen ends what has outlived a turn and is over now.
func closeOpen(t *thread, turn *pastTurn, out *adapters.Output) {
	for w := range turn.items() {
		if it := t.entries.find([]byte(turn.ID), []byte(w.ID)); it != nil && !it.closed && w.Status != "inProgress" {
			t.close(it, w, out)
		}
	}
}
