package protocol

import (
	"slices"
	"strings"
)

// steer is a prompt that went into a running turn.
type steer struct {
	id   string
	text string // how it begins
}

// compared is how much of a prompt and of a message is compared, in bytes.
const compared = 512

func beginning(text string) string { return strings.Clone(Head(text, compared)) }

// removedItem tells of a prompt that never makes a turn of its own: of one that was refused, or that went into the running turn.
func (v *Items) removedItem(p *PromptRemoved) SessionEvent {
	text := v.queued[p.PromptID]
	delete(v.queued, p.PromptID)
	switch {
	case p.Reason == RemovedDispatched && v.turn.id != "":
		v.turn.steers, v.turn.taken = append(v.turn.steers, steer{p.PromptID, text}), append(v.turn.taken, p.PromptID)
	case p.Reason == RemovedCancelled && p.Error != "":
		return SessionEvent{Type: ItemError, Text: p.Error, PromptID: p.PromptID, Outcome: ItemRejected}
	}
	return SessionEvent{}
}

// asked finds the prompt that a user's message in this turn belongs to. Their words decide, and not their order: a prompt that the agent takes for a
// command has no message, and the message of the turn's own prompt may come late. Where the words are of none of them, because the agent changed
// them, the message belongs to the turn's own prompt or, if that has had its message, to the next one.
func (t *turnItem) asked(text string) string {
	text = Head(text, compared)
	i := slices.IndexFunc(t.steers, func(s steer) bool { return s.text == text })
	if i < 0 && t.heard && len(t.steers) > 0 {
		i = 0
	}
	if i < 0 || !t.heard && text == t.text {
		t.heard = true
		return t.prompt
	}
	id := t.steers[i].id
	t.steers = slices.Delete(t.steers, i, i+1)
	return id
}
