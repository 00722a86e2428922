package protocol

// SessionStart is the first event of every log (spec §4.1).
type SessionStart struct {
	SessionID    string   `json:"sessionId"`    // the session's id, a UUID
	AgentBackend string   `json:"agentBackend"` // the agent's name: an open set ("pi", "codex", "scripted", …)
	Metadata     Metadata `json:"metadata"`     // what is known at the birth of the session
}

// Metadata is what was known about the session when it was created.
type Metadata struct {
	Model           string            `json:"model,omitempty"`           // the model to start with, in the agent's own words
	Cwd             string            `json:"cwd,omitempty"`             // the working directory, absolute
	GitBranch       string            `json:"gitBranch,omitempty"`       // the branch that was checked out there, where it is a git repository
	GitCommit       string            `json:"gitCommit,omitempty"`       // the commit that was checked out there
	Title           string            `json:"title,omitempty"`           // for people
	Labels          map[string]string `json:"labels,omitempty"`          // for programs: free keys and values
	ParentSessionID string            `json:"parentSessionId,omitempty"` // the session that this one works for
	SubAgent        bool              `json:"subAgent,omitempty"`        // a sub-agent of the parent, which lives on its connection
	Spawned         bool              `json:"spawned,omitempty"`         // the parent's agent made it, over the daemon's MCP server
	MCP             bool              `json:"mcp,omitempty"`             // its agent is given the daemon's MCP server
	Owner           string            `json:"owner,omitempty"`           // whose token made it; empty: an administrator's
	Via             string            `json:"via,omitempty"`             // mcp: an MCP host made it; empty: another client
	Policy          *Policy           `json:"policy,omitempty"`          // what answers approvals; absent: everything is asked
	Budget          *Budget           `json:"budget,omitempty"`          // what it may use; absent: whatever it needs
	Extra           []Member          `json:"-"`
}

// ViaMCP is Metadata.Via of a session that an MCP host has made, also with its user's own token: a program made it, and no person.
const ViaMCP = "mcp"

// EndReason says why a session ended.
type EndReason string

// The reasons of SessionEnd.
const (
	EndCompleted  EndReason = "completed"  // the agent ended cleanly, by itself or as asked
	EndTerminated EndReason = "terminated" // somebody ended the session
	EndError      EndReason = "error"      // the agent failed
)

// SessionEnd is the last event of an incarnation of the session. A revived session goes on in the same log (spec §4.1).
type SessionEnd struct {
	Reason EndReason `json:"reason"`          // completed: the agent ended cleanly; terminated: somebody ended the session; error: the agent failed
	Error  string    `json:"error,omitempty"` // what went wrong, with the reason error
	Hint   string    `json:"hint,omitempty"`  // what mends it
}

// SessionMeta reports properties of the session as they become known or change. Absent members did not change; labels,
// where present, replace all labels (spec §4.1).
type SessionMeta struct {
	Title           *string           `json:"title,omitempty"`           // for people
	TitleGiven      bool              `json:"titleGiven,omitempty"`      // a client gave the title: what the agent calls its session does not count beside it
	Model           *string           `json:"model,omitempty"`           // in force, in the agent's own words
	Mode            *string           `json:"mode,omitempty"`            // in force, in the agent's own words
	PendingModel    *string           `json:"pendingModel,omitempty"`    // chosen and not in force yet; empty: none is any more
	PendingMode     *string           `json:"pendingMode,omitempty"`     // chosen and not in force yet; empty: none is any more
	NativeSessionID *string           `json:"nativeSessionId,omitempty"` // the agent's own id of the session
	AgentVersion    *string           `json:"agentVersion,omitempty"`    // the version that the agent's program says it has
	Labels          map[string]string `json:"labels,omitempty"`          // all of them: they replace those before
	// what the agent can do, as words such as "steer" and "resume"; they replace those before
	Capabilities []string `json:"capabilities,omitempty"`
	Policy       *Policy  `json:"policy,omitempty"` // replaces the one before
	Budget       *Budget  `json:"budget,omitempty"` // replaces the one before
}

// ChildSession says that a sub-agent runs as a session of its own, or that a session was made that works for this one; and, of the latter,
// how its newest turn ended and that it has ended (spec §4.1, §4.11).
type ChildSession struct {
	ChildSessionID  string `json:"childSessionId"`            // the session that works for this one
	EntryID         string `json:"entryId,omitempty"`         // the tool call that started it
	Title           string `json:"title,omitempty"`           // the title of that session, once it is known
	NativeSessionID string `json:"nativeSessionId,omitempty"` // of a sub-agent: the agent's own id of it

	TurnID     string     `json:"turnId,omitempty"`     // of that session: its newest turn that has ended
	TurnStatus TurnStatus `json:"turnStatus,omitempty"` // how that turn ended
	Cause      TurnCause  `json:"cause,omitempty"`      // why, where it has not completed
	Ended      EndReason  `json:"ended,omitempty"`      // that session has ended, and how
}

// Epoch is the first event after events that a reader may have seen were lost. Of earlier epochs the cursors
// before it stay good; those behind it are answered with a reset (spec §2.3).
type Epoch struct {
	Epoch  uint64 `json:"epoch"`  // the number of the epoch that begins here, from 2
	Reason string `json:"reason"` // why events were lost, for people
}

func (*SessionStart) Type() Type { return TypeSessionStart }
func (*SessionEnd) Type() Type   { return TypeSessionEnd }
func (*SessionMeta) Type() Type  { return TypeSessionMeta }
func (*ChildSession) Type() Type { return TypeChildSession }
func (*Epoch) Type() Type        { return TypeEpoch }

func (p *SessionStart) code(c *coder) {
	c.str("sessionId", &p.SessionID)
	c.str("agentBackend", &p.AgentBackend)
	c.object("metadata", &p.Metadata)
}

func (p *SessionEnd) code(c *coder) {
	c.str("reason", (*string)(&p.Reason))
	c.optStr("error", &p.Error)
	c.optStr("hint", &p.Hint)
}

func (p *SessionMeta) code(c *coder) {
	c.optStrPtr("title", &p.Title)
	c.optBool("titleGiven", &p.TitleGiven)
	c.optStrPtr("model", &p.Model)
	c.optStrPtr("mode", &p.Mode)
	c.optStrPtr("pendingModel", &p.PendingModel)
	c.optStrPtr("pendingMode", &p.PendingMode)
	c.optStrPtr("nativeSessionId", &p.NativeSessionID)
	c.optStrPtr("agentVersion", &p.AgentVersion)
	c.optStrMap("labels", &p.Labels)
	c.optStrs("capabilities", &p.Capabilities)
	optObject(c, "policy", &p.Policy)
	optObject(c, "budget", &p.Budget)
}

func (p *ChildSession) code(c *coder) {
	c.str("childSessionId", &p.ChildSessionID)
	c.optStr("entryId", &p.EntryID)
	c.optStr("title", &p.Title)
	c.optStr("nativeSessionId", &p.NativeSessionID)
	c.optStr("turnId", &p.TurnID)
	c.optStr("turnStatus", (*string)(&p.TurnStatus))
	c.optStr("cause", (*string)(&p.Cause))
	c.optStr("ended", (*string)(&p.Ended))
}

func (p *Epoch) code(c *coder) {
	c.uint("epoch", &p.Epoch)
	c.str("reason", &p.Reason)
}

func (m *Metadata) code(c *coder) {
	c.optStr("model", &m.Model)
	c.optStr("cwd", &m.Cwd)
	c.optStr("gitBranch", &m.GitBranch)
	c.optStr("gitCommit", &m.GitCommit)
	c.optStr("title", &m.Title)
	c.optStrMap("labels", &m.Labels)
	c.optStr("parentSessionId", &m.ParentSessionID)
	c.optBool("subAgent", &m.SubAgent)
	c.optBool("spawned", &m.Spawned)
	c.optBool("mcp", &m.MCP)
	c.optStr("owner", &m.Owner)
	c.optStr("via", &m.Via)
	optObject(c, "policy", &m.Policy)
	optObject(c, "budget", &m.Budget)
	c.rest(&m.Extra)
}
