package protocol

import "strings"

// Prompt is what a user asked (spec §4.2).
type Prompt struct {
	Text string `json:"text"` // what the user wrote
	// Images are references of the form "sha256:HEX;MEDIATYPE"; the bytes are at GET /sessions/{id}/images/{sha256}.
	Images []string `json:"images,omitempty"`
	// what it does while a turn runs: steer goes into it, followUp (also when absent) waits for its end
	StreamingBehavior Behavior `json:"streamingBehavior,omitempty"`
	PromptID          string   `json:"promptId,omitempty"` // the id that it had in the queue
	ClientID          string   `json:"clientId,omitempty"` // who sent it, as the client says
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
	TurnID string  `json:"turnId"`           // the turn's id
	Prompt *Prompt `json:"prompt,omitempty"` // what the turn works on; absent: no prompt started it
}

// TurnStatus says how a turn ended.
type TurnStatus string

// The ends of a turn.
const (
	TurnCompleted   TurnStatus = "completed"
	TurnInterrupted TurnStatus = "interrupted"
	TurnError       TurnStatus = "error"
)

// TurnCause says why a turn came to another end than completed.
type TurnCause string

// The causes. A turn with the cause lost may be interrupted or in error, as its agent counts it.
const (
	CauseUser   TurnCause = "user"   // a client interrupted it, ended the session, or denied and stopped, itself or by its policy
	CauseParent TurnCause = "parent" // the session that it works for interrupted it, or ended
	CauseDaemon TurnCause = "daemon" // the daemon was started anew or stopped
	CauseAgent  TurnCause = "agent"  // the agent ended it by itself: an error of its model, or a wish that it was told directly
	CauseLost   TurnCause = "lost"   // the agent exited, or its connection broke, and nobody had asked for it
	CauseBudget TurnCause = "budget" // a limit of a budget was reached
)

// TurnEnd closes a turn (spec §4.2).
type TurnEnd struct {
	TurnID string     `json:"turnId"`          // the turn that ended
	Status TurnStatus `json:"status"`          // how it ended
	Cause  TurnCause  `json:"cause,omitempty"` // why it ended, where it has not completed: user, parent, daemon, agent, lost or budget
	Error  string     `json:"error,omitempty"` // what went wrong, or what stopped it
	Hint   string     `json:"hint,omitempty"`  // what mends it
}

// Lost says that the turn's agent was lost. Logs from before the cause was told say so in the error alone.
func (p *TurnEnd) Lost() bool {
	return p.Cause == CauseLost || p.Cause == "" && strings.HasPrefix(p.Error, "agent exited: ")
}

// Failed says that the turn was neither a success nor ended on purpose: it ended in an error, or its agent was lost.
func (p *TurnEnd) Failed() bool { return p.Status == TurnError || p.Lost() }

func (*TurnStart) Type() Type { return TypeTurnStart }
func (*TurnEnd) Type() Type   { return TypeTurnEnd }

func (p *TurnStart) code(c *coder) {
	c.str("turnId", &p.TurnID)
	optObject(c, "prompt", &p.Prompt)
}

func (p *TurnEnd) code(c *coder) {
	c.str("turnId", &p.TurnID)
	c.str("status", (*string)(&p.Status))
	c.optStr("cause", (*string)(&p.Cause))
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
