package output

import (
	"fmt"
	"strings"
)

// Message is what session_message answers, and what the task that it has become answers in the end.
type Message struct {
	SessionID      string   `json:"session_id"`
	PromptID       string   `json:"prompt_id"`
	LastEventIndex int      `json:"last_event_index" jsonschema:"pass it as since_index to session_events to read what this message makes; -1 where that is everything"`
	Spawned        bool     `json:"spawned" jsonschema:"the session was created by this call"`
	Position       int      `json:"position" jsonschema:"place in the queue; 0: dispatched at once"`
	Repeated       bool     `json:"repeated,omitempty" jsonschema:"the idempotency key was used before: this is what it got then"`
	Became         *Fate    `json:"became,omitempty" jsonschema:"of a repeated message: what became of it since it was sent first"`
	Ignored        []string `json:"ignored,omitempty" jsonschema:"arguments of this call that do not hold for the session, which was there before: it has another model, title and so on"`
	Result
	Damage          string    `json:"damage,omitempty" jsonschema:"with wait_ms: the session's log is damaged and ends early: what came after cannot be read, and nothing will come"`
	Requests        []Request `json:"requests,omitempty" jsonschema:"with wait_ms: what waits for an answer"`
	RequestsLeftOut int       `json:"requests_left_out,omitempty" jsonschema:"so many more wait: session_get shows them"`
	Push            string    `json:"push" jsonschema:"active: events are pushed as log notifications; no_level: they will be once logging/setLevel sets info; errors_only: the level is above info; no_stream: they will be once the stream is open (GET); unavailable: use session_events"`
}

// What session_message says of pushes.
const (
	PushActive      = "active"
	PushErrors      = "errors_only"
	PushNoLevel     = "no_level"
	PushNoStream    = "no_stream"
	PushUnavailable = "unavailable"
)

// Words are the answer for models that are shown text.
func (o *Message) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "session %s, prompt %s, last_event_index %d", o.SessionID, o.PromptID, o.LastEventIndex)
	if o.Outcome != "" {
		b.WriteString(", " + o.Outcome)
	}
	if o.Spawned {
		b.WriteString(", created")
	}
	if o.Repeated {
		b.WriteString(", the same as before" + o.Became.Words())
	}
	if o.Position > 0 {
		fmt.Fprintf(&b, ", place %d in the queue", o.Position)
	}
	if len(o.Ignored) > 0 {
		b.WriteString(", ignored: " + strings.Join(o.Ignored, ", "))
	}
	b.WriteByte('\n')
	WriteDamage(&b, o.Damage)
	o.Lines(&b)
	for i := range o.Requests {
		o.Requests[i].Lines(&b)
	}
	WriteLeftOut(&b, o.RequestsLeftOut)
	return b.String()
}
