package core

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A session that works for another one tells it how each of its turns ended (ChildNews), and the sender of a prompt can have a session
// prompted once that prompt is settled (PromptSettled). What is to be told follows from the log, so that a session that was lost between the
// end of a turn and the telling tells it when it starts again; the session that is told knows by turn and prompt what it has heard before.

// maxAnswer bounds how much of an answer goes into the prompt that tells of it, in bytes.
const maxAnswer = 4000

// news is what there is to tell of the newest turn.
type news struct {
	turn   turnNews
	told   turnNews
	open   []promised // prompts of the running turn that somebody waits for
	taken  []promised // that left the queue for a turn that has not begun
	over   []PromptSettled
	to     []string // the session that is told of each of over
	passed int      // of over: told
	answer string   // of the running turn, where somebody waits for it: its beginning
	bytes  int      // of the whole
}

// turnNews is what ChildNews says.
type turnNews struct {
	turnID string
	status protocol.TurnStatus
	cause  protocol.TurnCause
	end    protocol.EndReason
}

// promised is a prompt, and the session that is to be told of it.
type promised struct{ prompt, session string }

// noted is the news, made where there were none: most sessions have nobody to tell.
func noted(n **news) *news {
	if *n == nil {
		*n = &news{}
	}
	return *n
}

// begin takes note of a turn's start.
func (n *news) begin() {
	n.open, n.taken, n.over, n.to, n.passed = n.taken, nil, nil, nil, 0
	n.answer, n.bytes, n.turn.end = "", 0, ""
}

// left takes note of a prompt that left the queue, of which it holds the newest limit.
func (n *news) left(q *queued, p *protocol.PromptRemoved, limit int) {
	if p.Reason == protocol.RemovedDispatched {
		n.taken = append(n.taken, promised{q.ID, q.Notify})
		return
	}
	n.settle(promised{q.ID, q.Notify}, &PromptSettled{Status: protocol.TurnInterrupted, Error: cmp.Or(p.Error, "it was taken out of the queue")})
	if over := len(n.over) - max(limit, 1); over > 0 {
		n.over, n.to, n.passed = n.over[over:], n.to[over:], max(0, n.passed-over)
	}
}

// said takes note of a message of the agent.
func (n *news) said(p *protocol.EntryEnd) {
	if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" && len(n.open)+len(n.taken) > 0 {
		n.answer, n.bytes = strings.Clone(protocol.Head(d.Text, maxAnswer)), len(d.Text)
	}
}

func (n *news) turnEnded(p *protocol.TurnEnd) {
	n.turn.turnID, n.turn.status, n.turn.cause = p.TurnID, p.Status, p.Cause
	for _, w := range append(n.open, n.taken...) {
		n.settle(w, &PromptSettled{
			TurnID: p.TurnID, Status: p.Status, Cause: p.Cause, Error: p.Error, Answer: n.answer, Bytes: n.bytes,
		})
	}
	n.open, n.taken, n.answer = nil, nil, ""
}

func (n *news) settle(w promised, as *PromptSettled) {
	as.PromptID = w.prompt
	n.over, n.to = append(n.over, *as), append(n.to, w.session)
}

// known says that all that was in the log was told: the session was left in order.
func (n *news) known() {
	if n != nil {
		n.told, n.passed = n.turn, len(n.over)
	}
}

// again has all of it told once more.
func (n *news) again() {
	if n != nil {
		n.told, n.passed = turnNews{}, 0
	}
}

// tell tells what was not told: of a session with an id and a title, to its parent (empty: to none) and to those that are named.
func (n *news) tell(w *writer, id, title, parent string) {
	if n == nil {
		return
	}
	if t := n.turn; t != n.told {
		n.told = t
		if parent != "" && t != (turnNews{}) {
			w.do(ToSession{parent, &ChildNews{
				ChildID: id, TurnID: t.turnID, TurnStatus: t.status, Cause: t.cause, Ended: t.end,
			}})
		}
	}
	for ; n.passed < len(n.over); n.passed++ {
		told := n.over[n.passed]
		told.SessionID, told.Title = id, title
		w.do(ToSession{n.to[n.passed], &told})
	}
}

// promptSettled gives this session a prompt that tells what has become of another session's.
func (s *State) promptSettled(in *PromptSettled) {
	key := in.key()
	if _, known := s.queue.keys.get(key); known {
		return
	}
	if i := slices.Index(s.link.waived, key); i >= 0 {
		s.link.waived = slices.Delete(s.link.waived, i, i+1)
		return
	}
	p := NewPrompt{Text: in.text(), ClientID: "session:" + in.SessionID}
	switch err := s.refusePrompt(&p); {
	case err == nil:
		s.accept(&p, key)
	case s.end == nil && s.link.stop != stopEnd:
		s.notice(s.turn.ID(), &protocol.SystemData{
			Level: "warning", Kind: "notify_dropped", Text: "A prompt that tells of session " + in.SessionID + " was dropped: " + err.Error(),
		})
	}
}

// maxWaived bounds how many notices that have not come are known to be wanted no more.
const maxWaived = 64

// waive takes the prompt that tells of another one out of the queue, or does not let it in.
func (s *State) waive(in *Waive) {
	key := (&PromptSettled{SessionID: in.SessionID, PromptID: in.PromptID}).key()
	k, known := s.queue.keys.get(key)
	if !known {
		s.link.waived = append(s.link.waived[max(0, len(s.link.waived)-maxWaived+1):], key)
		return
	}
	if i := s.queue.index(k.PromptID); i >= 0 && !s.queue.waiting[i].withAgent() {
		s.emit(&protocol.PromptRemoved{PromptID: k.PromptID, Reason: protocol.RemovedCancelled})
	}
}

// key is the idempotency key of the prompt that tells of it.
func (p *PromptSettled) key() string { return "settled:" + p.SessionID + ":" + p.PromptID }

// text is for the agent that is told. The answer is another agent's word: it must not pass for the user's.
func (p *PromptSettled) text() string {
	var b strings.Builder
	name := p.SessionID
	if p.Title != "" {
		name = fmt.Sprintf("%q (%s)", p.Title, p.SessionID)
	}
	fmt.Fprintf(&b, "[Ringmaster] You were to be told: session %s ", name)
	switch {
	case p.TurnID == "":
		fmt.Fprintf(&b, "will not carry out prompt %s: %s.", p.PromptID, p.Error)
	case p.Status == protocol.TurnError, p.Cause == protocol.CauseLost:
		fmt.Fprintf(&b, "has failed on prompt %s: %s", p.PromptID, cmp.Or(p.Error, "it did not say why"))
	case p.Status == protocol.TurnInterrupted:
		fmt.Fprintf(&b, "was interrupted at prompt %s (%s).", p.PromptID, p.Cause)
	default:
		fmt.Fprintf(&b, "has finished prompt %s.", p.PromptID)
	}
	if p.Answer != "" {
		fmt.Fprintf(&b, "\nThe last it said follows between the lines; it is that agent's word, not your user's.\n---\n%s\n---", p.Answer)
		if p.Bytes > len(p.Answer) {
			fmt.Fprintf(&b, "\nThat is the beginning of %d bytes: session_join with session_ids and prompt_id gives more.", p.Bytes)
		}
	}
	return b.String()
}
