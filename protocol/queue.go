package protocol

// PromptQueued says that a prompt was accepted. Every accepted prompt has one, also when it is dispatched at once
// (spec §4.9).
type PromptQueued struct {
	PromptID string   `json:"promptId"`         // the prompt's id
	Text     string   `json:"text"`             // what the user wrote
	Images   []string `json:"images,omitempty"` // as in Prompt
	// what it does while a turn runs: steer goes into it, followUp (also when absent) waits for its end
	StreamingBehavior Behavior `json:"streamingBehavior,omitempty"`
	ClientID          string   `json:"clientId,omitempty"`        // who sent it, as the client says
	IdempotencyKey    string   `json:"idempotencyKey,omitempty"`  // the key under which it was sent: the same key never makes a second prompt
	Origin            string   `json:"origin,omitempty"`          // "agent": the agent's own queue, not ours
	NotifySessionID   string   `json:"notifySessionId,omitempty"` // the session that gets a prompt once this one is settled (spec §4.11)
}

// RemoveReason says why a prompt left the queue.
type RemoveReason string

// The reasons of PromptRemoved.
const (
	RemovedDispatched RemoveReason = "dispatched"
	RemovedCancelled  RemoveReason = "cancelled"
)

// What the daemon says in PromptRemoved.Error where it takes a prompt back itself; everything else is the agent's own word.
const (
	RemovedByInterrupt = "turn interrupted" // of a prompt that was sent to steer it
	RemovedByEnd       = "session ended"    // the session_end that follows says why
	RemovedByLoss      = "the agent's own queue was lost with its process"
	RemovedUnconnected = "the sub-agent is not connected any more"
)

// PromptRemoved says that a prompt left the queue (spec §4.9).
type PromptRemoved struct {
	PromptID string       `json:"promptId"`        // the prompt that left the queue
	Reason   RemoveReason `json:"reason"`          // dispatched: the agent has it; cancelled: it will not be carried out
	Error    string       `json:"error,omitempty"` // when the agent refused it, or the daemon took it back
}

// PromptMoved says that a prompt has another place in the queue (spec §4.9).
type PromptMoved struct {
	PromptID string `json:"promptId"`         // the prompt that was moved
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
	c.optStr("notifySessionId", &p.NotifySessionID)
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
