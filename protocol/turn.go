package protocol

// Prompt is what a user asked (spec §4.2).
type Prompt struct {
	Text string `json:"text"`
	// Images are references of the form "sha256:HEX;MEDIATYPE"; the bytes are at GET /sessions/{id}/images/{sha256}.
	Images            []string `json:"images,omitempty"`
	StreamingBehavior Behavior `json:"streamingBehavior,omitempty"`
	PromptID          string   `json:"promptId,omitempty"`
	ClientID          string   `json:"clientId,omitempty"`
	Extra             []Member `json:"-"`
}

// Behavior says what a prompt does when the agent is already at work.
type Behavior string

// The behaviors of a prompt. The empty value means follow up.
const (
	Steer    Behavior = "steer"    // goes into the running turn, before the agent's next step
	FollowUp Behavior = "followUp" // waits for the running turn to end
)

// TurnStart opens a turn: one run, from the prompt's dispatch until the agent is idle again (spec §4.2). Work that no
// prompt started has no Prompt.
type TurnStart struct {
	TurnID string  `json:"turnId"`
	Prompt *Prompt `json:"prompt,omitempty"`
}

// TurnStatus says how a turn ended.
type TurnStatus string

// The ends of a turn.
const (
	TurnCompleted   TurnStatus = "completed"
	TurnInterrupted TurnStatus = "interrupted"
	TurnError       TurnStatus = "error"
)

// TurnEnd closes a turn (spec §4.2).
type TurnEnd struct {
	TurnID string     `json:"turnId"`
	Status TurnStatus `json:"status"`
	Error  string     `json:"error,omitempty"`
	Hint   string     `json:"hint,omitempty"`
}

func (*TurnStart) Type() Type { return TypeTurnStart }
func (*TurnEnd) Type() Type   { return TypeTurnEnd }

func (p *TurnStart) code(c *coder) {
	c.str("turnId", &p.TurnID)
	optObject(c, "prompt", &p.Prompt)
}

func (p *TurnEnd) code(c *coder) {
	c.str("turnId", &p.TurnID)
	c.str("status", (*string)(&p.Status))
	c.optStr("error", &p.Error)
	c.optStr("hint", &p.Hint)
}

func (p *Prompt) code(c *coder) {
	c.str("text", &p.Text)
	c.optStrs("images", &p.Images)
	c.optStr("streamingBehavior", (*string)(&p.StreamingBehavior))
	c.optStr("promptId", &p.PromptID)
	c.optStr("clientId", &p.ClientID)
	c.rest(&p.Extra)
}
