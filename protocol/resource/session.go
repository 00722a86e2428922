package resource

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// SessionSummary is a session as lists show it.
type SessionSummary struct {
	ID              string                `json:"id" doc:"A UUID"`
	Agent           string                `json:"agent" doc:"The agent's name"`
	Cwd             string                `json:"cwd" doc:"The working directory, absolute"`
	Title           string                `json:"title,omitempty" doc:"For people"`
	FirstPrompt     string                `json:"firstPrompt,omitempty" doc:"The beginning of the first prompt, in one line of at most 120 bytes: what a session without a title is called by"`
	Model           string                `json:"model,omitempty" doc:"In force, in the agent's own words"`
	Mode            string                `json:"mode,omitempty" doc:"The agent's own word for how it works"`
	Labels          map[string]string     `json:"labels,omitempty" doc:"For programs: free keys and values"`
	NativeSessionID string                `json:"nativeSessionId,omitempty" doc:"The agent's own id of the session"`
	AgentVersion    string                `json:"agentVersion,omitempty" doc:"What the agent's program says its version is"`
	ParentSessionID string                `json:"parentSessionId,omitempty" doc:"The session that this one works for"`
	Node            string                `json:"node,omitempty" doc:"The node that has the session, nobody: none has; what Core has of it is read here, and changes are refused, unless they go there (forwarded). Absent: this node has it"`
	Forwarded       bool                  `json:"forwarded,omitempty" doc:"What is asked of the session here goes to that node, changes too"`
	Unreachable     bool                  `json:"unreachable,omitempty" doc:"That node is gone, or was not heard of for 30 s: nothing more is to be expected of the session until it is back"`
	SubAgent        bool                  `json:"subAgent,omitempty" doc:"It is a sub-agent of its parent session, and lives on its connection"`
	Owner           string                `json:"owner,omitempty" doc:"Whose token made it, or the session above it; absent: an administrator's"`
	Via             string                `json:"via,omitempty" doc:"mcp: an MCP host made it; absent: another client"`
	Spawned         bool                  `json:"spawned,omitempty" doc:"The agent of its parent session made it; it ends with that session"`
	MCP             bool                  `json:"mcp,omitempty" doc:"Its agent is given the daemon's MCP server"`
	Policy          *protocol.Policy      `json:"policy,omitempty" doc:"What answers approvals; absent: everything is asked"`
	Budget          *protocol.Budget      `json:"budget,omitempty" doc:"What it may use; absent: whatever it needs"`
	Marks           []protocol.BudgetMark `json:"marks,omitempty" doc:"Limits that are near or reached, of its own budget and of those above it"`
	PendingModel    string                `json:"pendingModel,omitempty" doc:"Chosen, and not in force yet"`
	PendingMode     string                `json:"pendingMode,omitempty" doc:"Chosen, and not in force yet"`
	CreatedAt       time.Time             `json:"createdAt" doc:"Time of the first event"`
	UpdatedAt       time.Time             `json:"updatedAt" doc:"Time of the newest event"`
	Epoch           uint64                `json:"epoch" doc:"A life of the log: it grows when events were lost"`
	Seq             uint64                `json:"seq" doc:"The newest event"`
	Cursor          string                `json:"cursor" doc:"The position after the newest event"`
	Status          protocol.Status       `json:"status" doc:"What the session does"`
	Turns           int                   `json:"turns" doc:"How many there were"`
	Spent           protocol.Spent        `json:"spent" doc:"What it has used, as of its newest change of state or newest model request"`
	LastTurn        *protocol.LastTurn    `json:"lastTurn,omitempty" doc:"How the newest turn that has ended did so; absent: none has, as far as is known"`
	EndError        string                `json:"endError,omitempty" doc:"Why the session failed"`
	EndHint         string                `json:"endHint,omitempty" doc:"What mends it"`
	Pinned          bool                  `json:"pinned,omitempty" doc:"Retention leaves it, and those above and below it"`
	ReadOnly        bool                  `json:"readOnly,omitempty" doc:"The journal takes no events: it is damaged, or the disk refuses"`
	Damage          *protocol.Damage      `json:"damage,omitempty" doc:"What of its files is not as it was written: it is read-only for good, and its log ends there"`
}

// SessionPage is one page of a list.
type SessionPage struct {
	Sessions []SessionSummary `json:"sessions" doc:"The newest first"`
	Next     string           `json:"next,omitempty" doc:"For after; absent: this was the last page"`
	Total    int              `json:"total" doc:"Of all that match"`
	Partial  bool             `json:"partial,omitempty" doc:"Sessions of other nodes may be missing, or as they were a while ago: Core does not answer, or has more than a node lists"`
	Revision string           `json:"revision" doc:"The list is at least as new as this: streamSessions with it tells what has changed since. Of several pages, the first one's"`
}

// SessionDetail is a session with what moves in it.
type SessionDetail struct {
	SessionSummary
	Queue    []WaitingPrompt          `json:"queue" doc:"Prompts that wait"`
	Requests []protocol.RequestOpened `json:"requests" doc:"What waits for an answer"`
	Readers  []SessionReader          `json:"readers" doc:"Who reads the log now"`
	Usage    protocol.Usage           `json:"usage" doc:"Of all requests to models, added up"`
	Cost     float64                  `json:"cost" doc:"US dollars, as the agent says"`
}

// SessionReader is one reader of a log.
type SessionReader struct {
	Name   string    `json:"name" doc:"What it reads for, such as stream"`
	Seq    uint64    `json:"seq" doc:"The last event sent"`
	Behind uint64    `json:"behind" doc:"Events not yet sent"`
	Since  time.Time `json:"since" doc:"When it began to read"`
}

// InterruptAccepted is the turn that will end.
type InterruptAccepted struct {
	TurnID string `json:"turnId,omitempty" doc:"The turn that was told to stop; absent: nothing was running"`
}
