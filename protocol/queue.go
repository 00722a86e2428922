package protocol

// PromptQueued says that a prompt was accepted. Every accepted prompt has one, also when it is dispatched at once
// (spec §4.9).
type PromptQueued struct {
	PromptID          string   `json:"promptId"`
	Text              string   `json:"text"`
	Images            []string `json:"images,omitempty"` // as in Prompt
	StreamingBehavior Behavior `json:"streamingBehavior,omitempty"`
	ClientID          string   `json:"clientId,omitempty"`
	IdempotencyKey    string   `json:"idempotencyKey,omitempty"`
	Origin            string   `json:"origin,omitempty"` // "agent": the agent's own queue, not ours
}

// RemoveReason says why a prompt left the queue.
type RemoveReason string

// The reasons of PromptRemoved.
const (
	RemovedDispatched RemoveReason = "dispatched"
	RemovedCancelled  RemoveReason = "cancelled"
)

// PromptRemoved says that a prompt left the queue (spec §4.9).
type PromptRemoved struct {
	PromptID string       `json:"promptId"`
	Reason   RemoveReason `json:"reason"`
	Error    string       `json:"error,omitempty"` // when the agent refused it
}

// PromptMoved says that a prompt has another place in the queue (spec §4.9).
type PromptMoved struct {
	PromptID string `json:"promptId"`
	Before   string `json:"before,omitempty"` // the prompt that now follows it; empty: it is the last
}

func (*PromptMoved) Type() Type   { return TypePromptMoved }
func (*PromptQueued) Type() Type  { return TypePromptQueued }
func (*PromptRemoved) Type() Type { return TypePromptRemoved }

func (p *PromptQueued) code(c *coder) {
	c.str("promptId", &p.PromptID)
	c.str("text", &p.Text)
	c.optStrs("images", &p.Images)
	c.optStr("streamingBehavior", (*string)(&p.StreamingBehavior))
	c.optStr("clientId", &p.ClientID)
	c.optStr("idempotencyKey", &p.IdempotencyKey)
	c.optStr("origin", &p.Origin)
}

func (p *PromptMoved) code(c *coder) {
	c.str("promptId", &p.PromptID)
	c.optStr("before", &p.Before)
}

func (p *PromptRemoved) code(c *coder) {
	c.str("promptId", &p.PromptID)
	c.str("reason", (*string)(&p.Reason))
	c.optStr("error", &p.Error)
}
