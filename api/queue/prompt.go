package queue

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// NewPrompt is a prompt that is wanted: text, images or both.
type NewPrompt struct {
	Text              string            `json:"text,omitempty" maxLength:"1048576" example:"Fix the failing test" doc:"What the user wrote"`
	Images            []PromptImage     `json:"images,omitempty" maxItems:"8" doc:"For agents with the capability images"`
	StreamingBehavior protocol.Behavior `json:"streamingBehavior,omitempty" enum:"steer,followUp" doc:"While a turn runs. steer: goes into it; followUp (the default): waits for its end"`
	ClientID          string            `json:"clientId,omitempty" maxLength:"128" doc:"Who asks, for the log"`
	Notify            string            `json:"notify,omitempty" enum:"prompt" doc:"prompt: once this prompt is settled, the session that this one works for is sent a prompt that says so; an agent's own session, where an agent asks"`
}

// Check refuses a prompt without content, and images that are not taken.
func (p *NewPrompt) Check() error {
	if p.Text == "" && len(p.Images) == 0 {
		return protocol.NewProblem(protocol.CodeInvalidRequest, "The prompt is empty.", "Send text, images or both.")
	}
	return checkImages(p.Images)
}

// Sum is of what the prompt says, whoever sends it.
func (p NewPrompt) Sum() string {
	p.ClientID, p.Notify = "", ""
	return supervisor.BodyOf(p)
}

// FirstPrompt is the prompt of a new session: its text alone, or a whole one.
type FirstPrompt struct{ NewPrompt }

// Schema is a text or a NewPrompt.
func (FirstPrompt) Schema(r huma.Registry) *huma.Schema {
	least, most := 1, 1<<20
	s := &huma.Schema{
		Description: "The first prompt: its text alone, or with images",
		OneOf: []*huma.Schema{
			{Type: huma.TypeString, MinLength: &least, MaxLength: &most},
			r.Schema(reflect.TypeFor[NewPrompt](), true, ""),
		},
	}
	s.PrecomputeMessages()
	return s
}

// UnmarshalJSON reads either form.
func (p *FirstPrompt) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	return json.Unmarshal(b, &p.NewPrompt)
}
