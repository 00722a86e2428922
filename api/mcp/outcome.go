package mcp

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What became of a prompt, or of a session's newest turn, as those are told that wait for it.
const (
	outcomeCompleted   = "completed"   // the text is the answer
	outcomeInterrupted = "interrupted" // somebody stopped it; the text is what was said until then
	outcomeFailed      = "failed"      // the agent was lost or has failed
	outcomeCancelled   = "cancelled"   // the prompt was taken out of the queue
	outcomeWaiting     = "waiting"     // somebody has to answer a request before it goes on
	outcomeWorking     = "working"     // it is not over
)

// result is an outcome with its answer.
type result struct {
	Outcome string `json:"outcome,omitempty" enum:"completed,interrupted,failed,cancelled,waiting,working" jsonschema:"completed: text is the answer; interrupted: somebody stopped the turn, and text is what was said until then; failed: the agent was lost or has failed, see error; cancelled: the prompt never made a turn; waiting: a request needs an answer; working: not over yet"`
	Text    string `json:"text,omitempty" jsonschema:"the agent's last message: its answer, once the outcome is completed"`
	Bytes   int    `json:"text_bytes,omitempty" jsonschema:"text is only a beginning; the whole has so many bytes: session_text reads it, by text_entry"`
	Entry   string `json:"text_entry,omitempty" jsonschema:"the entry that a cut text is of"`
	Error   string `json:"error,omitempty" jsonschema:"why it is not completed"`
}

// outcome is the result of one prompt, and of no other.
func (f *taskLog) outcome() (r result) {
	r = result{Text: f.answer, Error: f.why}
	if f.length > len(f.answer) {
		r.Bytes, r.Entry = f.length, f.entry
	}
	switch {
	case f.lost():
		r.Outcome, r.Error = outcomeFailed, endUnknown
	case f.state == "":
		r.Outcome = outcomeWorking
	case f.state == taskCompleted && !f.failed:
		r.Outcome = outcomeCompleted
	case f.state == taskCancelled && f.turnID != "":
		r.Outcome = outcomeInterrupted
	case f.state == taskCancelled:
		r.Outcome = outcomeCancelled
	default:
		r.Outcome = outcomeFailed
	}
	return r
}

// ended is the result of a turn.
func (n *newestTurn) ended(p *protocol.TurnEnd) {
	told := strings.TrimSpace(p.Error + "\n" + p.Hint)
	switch {
	case p.Failed():
		n.outcome, n.problem = outcomeFailed, cmp.Or(told, "The turn failed.")
	case p.Status == protocol.TurnInterrupted:
		n.outcome, n.problem = outcomeInterrupted, "The turn was interrupted ("+string(cmp.Or(p.Cause, protocol.CauseUser))+")."
	default:
		n.outcome = outcomeCompleted
	}
}

// shorten cuts the text of a result and the reason to so many bytes of JSON each. Of a text that is there whole nothing else is said.
func (r *result) shorten(limit, reason int) {
	if short := protocol.HeadJSON(r.Text, limit); len(short) < len(r.Text) {
		r.Bytes = max(r.Bytes, len(r.Text))
		r.Text = short
	}
	if r.Bytes <= len(r.Text) {
		r.Bytes, r.Entry = 0, ""
	}
	r.Error = protocol.HeadJSON(r.Error, min(reason, maxReason))
}

// lines are the result for models.
func (r *result) lines(b *strings.Builder) {
	if r.Error != "" {
		b.WriteString(r.Error + "\n")
	}
	if r.Text != "" {
		b.WriteString(r.Text + "\n")
	}
	r.writeRest(b)
}

// writeRest says where the whole of a text is that was cut.
func (r *result) writeRest(b *strings.Builder) {
	if r.Bytes > 0 {
		fmt.Fprintf(b, "(the beginning of %d bytes; session_text with entry_id %s reads the whole)\n", r.Bytes, r.Entry)
	}
}
