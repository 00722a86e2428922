package resource

import "time"

// Agent is one row of the capability matrix and what was found on this machine.
type Agent struct {
	Name         string            `json:"name" doc:"What createSession takes"`
	Available    bool              `json:"available" doc:"Sessions can be created with it"`
	Program      string            `json:"program,omitempty" doc:"The binary that was found"`
	Version      string            `json:"version,omitempty" doc:"What the binary says its version is"`
	Tested       bool              `json:"tested" doc:"The version is in the range that the adapter was tested with"`
	Problem      string            `json:"problem,omitempty" doc:"Why it cannot be used"`
	Hint         string            `json:"hint,omitempty" doc:"What mends it"`
	CheckedAt    time.Time         `json:"checkedAt" doc:"When it was looked for"`
	Capabilities AgentCapabilities `json:"capabilities" doc:"What it can do"`
	ModelsKnown  bool              `json:"modelsKnown" doc:"false: no session of it has told since the daemon was started"`
	Models       []OfferedChoice   `json:"models" doc:"What the newest session of it that has told offers"`
	AllModels    bool              `json:"allModels" doc:"It takes no others. Otherwise it may know further ones."`
	ModesKnown   bool              `json:"modesKnown" doc:"false: likewise of modes"`
	Modes        []OfferedChoice   `json:"modes" doc:"It takes no others"`
}

// AgentCapabilities is what an agent was seen to do.
type AgentCapabilities struct {
	Steer     bool     `json:"steer" doc:"Takes messages into a running turn"`
	Queue     bool     `json:"queue" doc:"Has a queue of its own. It is not used: prompts wait in the session's."`
	Resume    bool     `json:"resume" doc:"Goes on with its own session after its process was lost"`
	Attach    bool     `json:"attach" doc:"Can be attached to where it runs already"`
	Shared    bool     `json:"shared" doc:"One process serves many sessions"`
	Approvals []string `json:"approvals" doc:"The answers to approvals that it supports"`
	Questions bool     `json:"questions" doc:"Asks the user"`
	Images    bool     `json:"images" doc:"Takes images in prompts"`
	Models    bool     `json:"models" doc:"The model can be switched in a running session"`
	Modes     bool     `json:"modes" doc:"So can the mode"`
	SubAgents bool     `json:"subAgents" doc:"Has sub-agents, which are sessions of their own"`
	Usage     bool     `json:"usage" doc:"Reports tokens"`
	Cost      bool     `json:"cost" doc:"Reports cost"`
	MCP       bool     `json:"mcp" doc:"Can be given the daemon's MCP server"`
}

// AgentList is every agent that the daemon knows.
type AgentList struct {
	Agents    []Agent   `json:"agents" doc:"In the order of their names"`
	Processes Processes `json:"processes" doc:"How processes that agents have begun are known, so that they end with their agent"`
}

// Processes is how those are known that agents have begun, besides by their process group, their environment and their parents.
type Processes struct {
	Adopted bool `json:"adopted" doc:"Those whose parents have ended come to the daemon"`
	Marked  bool `json:"marked" doc:"They carry a mark that does not go with the environment"`
	Cgroups bool `json:"cgroups" doc:"Each agent begins in a control group of its own"`
}
