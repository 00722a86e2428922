package output

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What became of a prompt, or of a session's newest turn, as those are told that wait for it.
const (
	Completed   = "completed"   // the text is the answer
	Interrupted = "interrupted" // somebody stopped it; the text is what was said until then
	Failed      = "failed"      // the agent was lost or has failed
	Cancelled   = "cancelled"   // the prompt was taken out of the queue
	Waiting     = "waiting"     // somebody has to answer a request before it goes on
	Working     = "working"     // it is not over
)

// Fate is what became of a message that was sent before.
type Fate struct {
	State   string `json:"state" enum:"queued,running,settled,unknown" jsonschema:"queued: it waits; running: the agent has it; settled: nothing more comes of it; unknown: the session's log is damaged, and does not tell"`
	TurnID  string `json:"turn_id,omitempty" jsonschema:"the turn that it made or went into; absent: none"`
	Outcome string `json:"outcome,omitempty" enum:"completed,interrupted,failed,cancelled" jsonschema:"of one that is settled; session_join with prompt_id gives the answer"`
	Error   string `json:"error,omitempty" jsonschema:"why it is not completed"`
}

// The states of a fate.
const (
	PromptQueued  = "queued"
	PromptRunning = "running"
	PromptSettled = "settled"
	PromptUnknown = "unknown"
)

// FateOf is a fate, with the result of what is settled.
func FateOf(state, turn string, r *Result) *Fate {
	f := &Fate{State: state, TurnID: turn}
	if state == PromptSettled {
		f.Outcome, f.Error = r.Outcome, protocol.HeadJSON(r.Error, MaxReason)
	}
	return f
}

// Words say it behind a comma; of no fate nothing.
func (f *Fate) Words() string {
	switch {
	case f == nil:
		return ""
	case f.State == PromptSettled:
		return ", settled as " + f.Outcome
	case f.State == PromptRunning:
		return ", running in turn " + f.TurnID
	}
	return ", " + f.State
}

// Result is an outcome with its answer.
type Result struct {
	Outcome string `json:"outcome,omitempty" enum:"completed,interrupted,failed,cancelled,waiting,working" jsonschema:"completed: text is the answer; interrupted: somebody stopped the turn, and text is what was said until then; failed: the agent was lost or has failed, see error; cancelled: the prompt never made a turn; waiting: a request needs an answer; working: not over yet"`
	Text    string `json:"text,omitempty" jsonschema:"the agent's last message: its answer, once the outcome is completed"`
	Bytes   int    `json:"text_bytes,omitempty" jsonschema:"text is only a beginning; the whole has so many bytes: session_text reads it, by text_entry"`
	Entry   string `json:"text_entry,omitempty" jsonschema:"the entry that a cut text is of"`
	Error   string `json:"error,omitempty" jsonschema:"why it is not completed"`
}

// Shorten cuts the text of a result and the reason to so many bytes of JSON each. Of a text that is there whole nothing else is said.
func (r *Result) Shorten(limit, reason int) {
	if short := protocol.HeadJSON(r.Text, limit); len(short) < len(r.Text) {
		r.Bytes = max(r.Bytes, len(r.Text))
		r.Text = short
	}
	if r.Bytes <= len(r.Text) {
		r.Bytes, r.Entry = 0, ""
	}
	r.Error = protocol.HeadJSON(r.Error, min(reason, MaxReason))
}

// Lines are the result for models.
func (r *Result) Lines(b *strings.Builder) {
	if r.Error != "" {
		b.WriteString(r.Error + "\n")
	}
	if r.Text != "" {
		b.WriteString(r.Text + "\n")
	}
	r.WriteRest(b)
}

// WriteRest says where the whole of a text is that was cut.
func (r *Result) WriteRest(b *strings.Builder) {
	if r.Bytes > 0 {
		fmt.Fprintf(b, "(the beginning of %d bytes; session_text with entry_id %s reads the whole)\n", r.Bytes, r.Entry)
	}
}

// Final says that an outcome stays.
func Final(outcome string) bool {
	switch outcome {
	case Completed, Failed, Interrupted, Cancelled:
		return true
	default:
		return false
	}
}
