package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Prompt is a prompt that waits.
type Prompt struct {
	PromptID string    `json:"prompt_id"`
	Text     string    `json:"text"`
	Bytes    int       `json:"bytes,omitempty" jsonschema:"of the whole text, where this is a part of it: session_prompts with prompt_id reads on"`
	Images   int       `json:"images,omitempty" jsonschema:"pictures that it has"`
	Behavior string    `json:"streaming_behavior,omitempty" enum:"steer,followUp" jsonschema:"steer: it goes into the running turn; followUp, also when absent: it waits for its end"`
	ClientID string    `json:"client_id,omitempty" jsonschema:"whose it is"`
	QueuedAt time.Time `json:"queued_at"`
	Sent     bool      `json:"sent,omitempty" jsonschema:"the agent has it already: it can be neither cancelled nor moved"`
}

// PromptsOf shows prompts with n bytes of their texts.
func PromptsOf(queue []session.QueuedPrompt, n int) []Prompt {
	out := make([]Prompt, 0, len(queue))
	for i := range queue {
		out = append(out, PromptOf(&queue[i], 0, n))
	}
	return out
}

// PromptOf shows n bytes of a prompt's text from one on.
func PromptOf(q *session.QueuedPrompt, from, n int) Prompt {
	o := Prompt{
		PromptID: q.ID, Text: protocol.Head(q.Text[min(from, len(q.Text)):], n), Images: len(q.Images), Behavior: string(q.Behavior), ClientID: q.ClientID,
		QueuedAt: q.Queued.UTC(), Sent: q.Sent,
	}
	if o.Text != q.Text {
		o.Bytes = len(q.Text)
	}
	return o
}

// Line is the prompt for models.
func (o *Prompt) Line(b *strings.Builder) {
	fmt.Fprintf(b, "prompt %s", o.PromptID)
	if o.Behavior != "" {
		b.WriteString(", " + o.Behavior)
	}
	if o.Sent {
		b.WriteString(", with the agent")
	}
	if o.Images > 0 {
		fmt.Fprintf(b, ", %d images", o.Images)
	}
	if o.Bytes > 0 {
		fmt.Fprintf(b, ", %d bytes of %d", len(o.Text), o.Bytes)
	}
	fmt.Fprintf(b, ": %s\n", o.Text)
}
