package resource

import "encoding/json"

// NewSession is the session that is wanted.
type NewSession struct {
	Agent           string            `json:"agent" minLength:"1" maxLength:"64" example:"pi" doc:"Name of an agent of GET /agents"`
	Cwd             string            `json:"cwd" minLength:"1" maxLength:"4096" example:"/home/me/project" doc:"Absolute path inside one of the daemon's roots"`
	Model           string            `json:"model,omitempty" maxLength:"256" doc:"Model to start with, in the agent's own words"`
	Mode            string            `json:"mode,omitempty" maxLength:"256" example:"plan" doc:"Mode to start in, in the agent's own words; for agents with the capability modes"`
	Title           string            `json:"title,omitempty" maxLength:"500" doc:"For people; stays whatever the agent calls its session"`
	Labels          map[string]string `json:"labels,omitempty" doc:"Up to 64 labels; keys of at most 128, values of at most 1024 bytes"`
	ParentSessionID string            `json:"parentSessionId,omitempty" maxLength:"36" doc:"The session that this one works for"`
	Endpoint        *NewEndpoint      `json:"endpoint,omitempty" doc:"Where the agent runs already; absent: the daemon starts it"`
	NativeSessionID string            `json:"nativeSessionId,omitempty" maxLength:"256" doc:"The agent's own id of a session to go on with; absent: a new one"`
	Policy          *NewPolicy        `json:"policy,omitempty" doc:"What answers approvals (protocol/spec.md §4.10); absent: everything is asked"`
	Budget          *NewBudget        `json:"budget,omitempty" doc:"What it may use (protocol/spec.md §4.12); absent: whatever it needs"`
	MCP             bool              `json:"mcp,omitempty" doc:"Gives the agent the daemon's MCP server, with a token for sessions of its own making alone (spec §4.11); for agents with the capability mcp"`
	Prompt          *FirstPrompt      `json:"prompt,omitempty"`
}

// NewEndpoint is an agent that runs already. No answer shows it.
type NewEndpoint struct {
	URL      string `json:"url" minLength:"1" maxLength:"2048" example:"http://127.0.0.1:4096" doc:"http, https, ws, wss or unix, as the agent listens; on this machine, or a host of --attach-host"`
	Username string `json:"username,omitempty" maxLength:"1024" doc:"Where the agent asks for one"`
	Password string `json:"password,omitempty" maxLength:"1024" doc:"Kept in the daemon's data folder, for going on after a restart"`
}

// CreatedSession is the new session, and what became of its first prompt.
type CreatedSession struct {
	SessionDetail
	Prompt   *PromptAccepted `json:"prompt,omitempty" doc:"What became of the prompt"`
	Repeated bool            `json:"repeated,omitempty" doc:"The idempotency key was used before: this is the session that it made then, as it is now"`
	Warnings []BudgetWarning `json:"warnings,omitempty" doc:"What the budget that was given does not do; absent: it bounds what it says"`
}

// FirstPrompt is the prompt of a new session: its text alone, or a whole one.
type FirstPrompt struct{ NewPrompt }

// UnmarshalJSON reads either form.
func (p *FirstPrompt) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &p.Text)
	}
	return json.Unmarshal(b, &p.NewPrompt)
}
