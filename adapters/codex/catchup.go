package codex

import (
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// catchUp says what the thread did while the connection was lost, oldest turn first. The turn that ran then goes on, or ends as it
// has ended; entries that are open go on, or end with their final objects; what began and ended meanwhile is added. What is open
// and not told of goes on: the server does not tell of messages before they end.
func (t *Translator) catchUp(turns []pastTurn, active, asks bool, out *adapters.Output) {
	fresh := t.fresh(turns, out)
	added := 0
	for i := range turns {
		turn := &turns[i]
		if i < fresh {
			t.closeOpen(turn, out)
			continue
		}
		runs := active && i == len(turns)-1 && turn.Status == "inProgress"
		t.meet(turn, runs, out)
		added += t.fold(turn, out)
		switch {
		case runs:
			t.turn.started = true
		case turn.Status == "inProgress":
			t.end(protocol.TurnInterrupted, "the end of the turn was not seen", "", out)
		default:
			t.endAs(turn.Status, turn.Error, out)
		}
	}
	switch {
	case t.turn.on && !active:
		t.end(protocol.TurnInterrupted, "the end of the turn was not seen", "", out)
	case !t.turn.on && active:
		t.beginTurn("", out)
	}
	if !asks {
		t.withdraw(out)
	}
	if added > 0 {
		out.Draft(adapters.Notice{Level: "info", Kind: "caught_up", Text: fmt.Sprintf("Entries that were missed while the connection was lost: %d.", added)})
	}
	t.settle(out)
}

// fresh finds the first of the turns that is not over here yet. Where none is known although there were some, only what runs is
// taken: the rest may be long said.
func (t *Translator) fresh(turns []pastTurn, out *adapters.Output) int {
	for i := len(turns) - 1; i >= 0; i-- {
		switch turn := turns[i]; {
		case t.turn.is(turn.ID):
			return i
		case t.ended.has(turn.ID):
			return i + 1
		case t.spec.Resume && slices.ContainsFunc(turn.Items, func(raw json.RawMessage) bool { return slices.Contains(t.spec.Known, text(raw, "id")) }):
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
	t.history.gap(out)
	if turns[last].Status == "inProgress" {
		return last
	}
	return last + 1
}

// meet makes a turn the one that runs.
func (t *Translator) meet(turn *pastTurn, runs bool, out *adapters.Output) {
	switch {
	case t.turn.is(turn.ID):
		return
	case t.turn.on && (t.turn.id == "" || runs && !t.turn.started):
		t.turn.alias, t.turn.id = t.turn.id, turn.ID
		return
	case t.turn.on:
		t.end(protocol.TurnInterrupted, "the end of the turn was not seen", "", out)
	}
	ours, theirs := false, ""
	for w := range turn.users() {
		ours = ours || slices.ContainsFunc(t.prompts.unsure, func(a *asking) bool { return a.prompt.ID == w.ClientID })
		if theirs == "" {
			theirs = t.promptText(w)
		}
	}
	if !ours && theirs != "" {
		t.prompts.started = &protocol.Prompt{Text: theirs}
	}
	if runs && theirs == "" { // it began with what was sent last
		for _, a := range t.prompts.unsure {
			a.prompt.taken = a.prompt.taken || a.method == "turn/start"
		}
	}
	t.beginTurn(turn.ID, out)
}

// users are the user's messages of a turn. The first one began it, the others were steered into it.
func (p *pastTurn) users() iter.Seq[*wireItem] {
	return func(yield func(*wireItem) bool) {
		for _, raw := range p.Items {
			var w wireItem
			if _ = native.Decode(raw, &w); w.Type == "userMessage" && !yield(&w) {
				return
			}
		}
	}
}

// promptText is what a user's message says.
func (t *Translator) promptText(w *wireItem) string {
	var parts []userInput
	_ = native.Decode(w.Content, &parts)
	s, _ := native.Cut(joinInput(parts), t.limit)
	return s
}

// fold says what the log lacks of a turn, and counts what it adds.
func (t *Translator) fold(turn *pastTurn, out *adapters.Output) (added int) {
	for _, raw := range turn.Items {
		var w wireItem
		_ = native.Decode(raw, &w)
		if w.ID == "" || w.entryType() == "" {
			continue
		}
		it := t.known(turn.ID, w.ID)
		over := w.Status != "inProgress"
		switch {
		case it != nil && !it.closed && over:
			t.closeItem(it, &w, out)
		case it != nil: // said, or it goes on
		case !over:
			t.openItem(turn.ID, &w, gapMark, out)
		default:
			if w.Type == "userMessage" {
				t.took(w.ClientID, out)
				t.dropHalf("steered", out)
			}
			t.recover(turn.ID, &w, out)
			added++
		}
	}
	return added
}

// known finds an item of a turn, by any of the turn's ids.
func (t *Translator) known(turn, id string) *item {
	it := t.find([]byte(turn), []byte(id))
	if it == nil && t.turn.is(turn) {
		if it = t.find([]byte(t.turn.id), []byte(id)); it == nil {
			it = t.find([]byte(t.turn.alias), []byte(id))
		}
	}
	return it
}

// closeOpen ends what has outlived a turn and is over now.
func (t *Translator) closeOpen(turn *pastTurn, out *adapters.Output) {
	for _, raw := range turn.Items {
		var w wireItem
		_ = native.Decode(raw, &w)
		if it := t.find([]byte(turn.ID), []byte(w.ID)); it != nil && !it.closed && w.Status != "inProgress" {
			t.closeItem(it, &w, out)
		}
	}
}

// withdraw closes the requests that nobody waits for any more.
func (t *Translator) withdraw(out *adapters.Output) {
	for key := adapters.RequestKey(1); len(t.keys) > 0 && key <= t.requests; key++ {
		if r := t.keys[key]; r != nil {
			t.forget(r, false)
			out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
		}
	}
}
