package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// queue is the part of a state that has the prompts which wait, in order, and knows those that were accepted before. It decides about a
// prompt as long as that waits. To dispatch one means to open a turn, which is the work layer's affair (dispatch).
type queue struct {
	waiting []queued
	count   int           // of prompts accepted so far
	keys    recent[keyed] // by idempotency key
}

// queued is a prompt that waits.
type queued struct {
	QueuedPrompt
	native bool // seen in the agent's own queue
}

// withAgent says that the agent has the prompt already: it is not ours to move or take back.
func (p *queued) withAgent() bool { return p.Sent || p.native }

func (p *queued) prompt() *protocol.Prompt {
	return &protocol.Prompt{
		Text: p.Text, Images: p.Images, StreamingBehavior: p.Behavior, PromptID: p.ID, ClientID: p.ClientID,
	}
}

// applyQueued takes a prompt in; limit is how many idempotency keys are known.
func (q *queue) applyQueued(p *protocol.PromptQueued, at protocol.Cursor, ms int64, limit int) {
	q.count++
	q.waiting = append(q.waiting, queued{QueuedPrompt: QueuedPrompt{
		ID: p.PromptID, Text: p.Text, Images: p.Images, Behavior: p.StreamingBehavior, ClientID: p.ClientID,
		Queued: unixMilli(ms), Origin: p.Origin, Notify: p.NotifySessionID,
	}})
	if p.IdempotencyKey != "" {
		q.keys.put(p.IdempotencyKey, keyed{Receipt{PromptID: p.PromptID, Cursor: at}, promptSum(p.Text, p.Images, p.StreamingBehavior)}, limit)
	}
}

func (q *queue) applyMoved(p *protocol.PromptMoved) {
	from := q.index(p.PromptID)
	if from < 0 || p.PromptID == p.Before {
		return
	}
	moved := q.waiting[from]
	q.waiting = slices.Delete(q.waiting, from, from+1)
	to := q.index(p.Before)
	if to < 0 {
		to = len(q.waiting)
	}
	q.waiting = slices.Insert(q.waiting, to, moved)
}

// applyRemoved gives the prompt that has left; ok is false where none waited.
func (q *queue) applyRemoved(p *protocol.PromptRemoved) (left queued, ok bool) {
	i := q.index(p.PromptID)
	if i < 0 {
		return queued{}, false
	}
	left = q.waiting[i]
	q.waiting = append(q.waiting[:i], q.waiting[i+1:]...)
	return left, true
}

// nextID is the id of the prompt that is accepted next.
func (q *queue) nextID() string { return protocol.PromptID(uint64(q.count) + 1) }

// index is where a prompt is among those that wait; -1: it does not.
func (q *queue) index(id string) int {
	return slices.IndexFunc(q.waiting, func(p queued) bool { return p.ID == id })
}

// place is where a prompt waits, from 1; 0: the agent has it.
func (q *queue) place(id string) int {
	if i := q.index(id); i >= 0 && !q.waiting[i].Sent {
		return i + 1
	}
	return 0
}

// steering is the first prompt that was sent to steer and that the agent's queue does not hold; -1: none.
func (q *queue) steering() int {
	return slices.IndexFunc(q.waiting, func(p queued) bool { return p.Sent && !p.native })
}

// move gives a prompt that waits another place.
func (q *queue) move(w *writer, in *MovePrompt) {
	from := q.index(in.PromptID)
	if from < 0 {
		refuse(w, in.Ticket, errNotWaiting())
		return
	}
	if q.waiting[from].withAgent() {
		refuse(w, in.Ticket, errWithAgent())
		return
	}
	to := min(max(in.Position, 1), len(q.waiting)) - 1
	if in.Before != "" {
		next := q.index(in.Before)
		if next < 0 {
			refuse(w, in.Ticket, errNotWaiting())
			return
		}
		if to = next; from < next {
			to--
		}
		if from == next {
			to = from
		}
	}
	if to != from {
		rest := slices.Delete(slices.Clone(q.waiting), from, from+1)
		moved := protocol.PromptMoved{PromptID: in.PromptID}
		if to < len(rest) {
			moved.Before = rest[to].ID
		}
		w.emit(&moved)
	}
	answer(w, in.Ticket, Moved{Position: to + 1})
}

// cancel takes a prompt out that waits.
func (q *queue) cancel(w *writer, in *CancelPrompt) {
	i := q.index(in.PromptID)
	switch {
	case i < 0:
		refuse(w, in.Ticket, errNotWaiting())
	case q.waiting[i].withAgent():
		refuse(w, in.Ticket, errWithAgent())
	default:
		w.emit(&protocol.PromptRemoved{PromptID: in.PromptID, Reason: protocol.RemovedCancelled})
		answer(w, in.Ticket, Done{})
	}
}

// clear takes all prompts out.
func (q *queue) clear(w *writer, why string) {
	for len(q.waiting) > 0 {
		w.emit(&protocol.PromptRemoved{PromptID: q.waiting[0].ID, Reason: protocol.RemovedCancelled, Error: why})
	}
}

// takeBackSteers takes back what was sent to steer a turn that is being interrupted: it would otherwise start another run.
func (q *queue) takeBackSteers(w *writer) {
	for i := q.steering(); i >= 0; i = q.steering() {
		w.emit(&protocol.PromptRemoved{PromptID: q.waiting[i].ID, Reason: protocol.RemovedCancelled, Error: protocol.RemovedByInterrupt})
	}
}

// agentGone forgets the prompts that only the agent's own queue held: they went with the process. Prompts that were sent to it wait again.
func (q *queue) agentGone(w *writer) {
	for i := len(q.waiting) - 1; i >= 0; i-- {
		if p := q.waiting[i]; p.Origin == "agent" {
			w.emit(&protocol.PromptRemoved{
				PromptID: p.ID, Reason: protocol.RemovedCancelled, Error: protocol.RemovedByLoss,
			})
		}
	}
	for i := range q.waiting {
		q.waiting[i].Sent, q.waiting[i].native = false, false
	}
}

// agentHas compares the agent's own queue with the prompts that are known to be in it. A prompt that is new there and not ours joins the visible
// queue; one that is there no more was delivered, or taken out.
func (q *queue) agentHas(w *writer, d adapters.NativeQueue) {
	left := map[protocol.Behavior][]string{protocol.Steer: slices.Clone(d.Steering), protocol.FollowUp: slices.Clone(d.FollowUp)}
	reason := protocol.RemovedDispatched
	if d.Cleared {
		reason = protocol.RemovedCancelled
	}
	var gone []string
	for i := range q.waiting {
		if p := &q.waiting[i]; p.native && !takeText(left, p) {
			gone = append(gone, p.ID)
		}
	}
	for _, id := range gone {
		w.emit(&protocol.PromptRemoved{PromptID: id, Reason: reason})
	}
	for i := range q.waiting {
		if p := &q.waiting[i]; p.Sent && !p.native && takeText(left, p) {
			p.native = true
		}
	}
	for _, b := range []protocol.Behavior{protocol.Steer, protocol.FollowUp} {
		for _, text := range left[b] {
			w.emit(&protocol.PromptQueued{PromptID: q.nextID(), Text: text, StreamingBehavior: b, Origin: "agent"})
			q.waiting[len(q.waiting)-1].native = true
		}
	}
}

// takeText takes a prompt's text out of the lists, where it is there.
func takeText(left map[protocol.Behavior][]string, p *queued) bool {
	b := p.Behavior
	if b == "" {
		b = protocol.FollowUp
	}
	i := slices.Index(left[b], p.Text)
	if i < 0 {
		return false
	}
	left[b] = slices.Delete(left[b], i, i+1)
	return true
}
