package protocol

// State is the full state of a session's status machine (spec §6).
type State string

// The states.
const (
	StateStarting         State = "starting"
	StateIdle             State = "idle"
	StateQueued           State = "queued" // prompt accepted, no work yet
	StateResponding       State = "responding"
	StateRetrying         State = "retrying"
	StateCompacting       State = "compacting"
	StateRunningTool      State = "running_tool"
	StateAwaitingApproval State = "awaiting_approval"
	StateAwaitingInput    State = "awaiting_input"
	StateInterrupting     State = "interrupting"
	StateCompleted        State = "completed"
	StateTerminated       State = "terminated"
	StateFailed           State = "failed"
)

// States are all of them.
var States = []State{
	StateStarting, StateIdle, StateQueued, StateResponding, StateRetrying, StateCompacting, StateRunningTool, StateAwaitingApproval, StateAwaitingInput,
	StateInterrupting, StateCompleted, StateTerminated, StateFailed,
}

// Ended says that no agent is attached and none will be, unless the session is revived.
func (s State) Ended() bool {
	switch s {
	case StateCompleted, StateTerminated, StateFailed:
		return true
	default:
		return false
	}
}

// Busy says that a turn runs or is about to.
func (s State) Busy() bool { return !s.Ended() && s != StateIdle && s != StateStarting }

// AgentStatus is the coarse status that display code reads.
type AgentStatus string

// The four values of AgentStatus.
const (
	AgentIdle        AgentStatus = "idle"
	AgentQueued      AgentStatus = "queued"
	AgentResponding  AgentStatus = "responding"
	AgentRunningTool AgentStatus = "running_tool"
)

// AgentStatus projects a state to the coarse status (spec §6).
func (s State) AgentStatus() AgentStatus {
	switch s {
	case StateStarting, StateQueued:
		return AgentQueued
	case StateResponding, StateRetrying, StateCompacting, StateInterrupting:
		return AgentResponding
	case StateRunningTool, StateAwaitingApproval, StateAwaitingInput:
		return AgentRunningTool
	case StateIdle, StateCompleted, StateTerminated, StateFailed:
	}
	return AgentIdle
}

// ItemStatus projects a state to the status word of the six-field items (spec §8).
func (s State) ItemStatus() string {
	switch s {
	case StateIdle:
		return "idle"
	case StateCompleted, StateTerminated:
		return "completed"
	case StateFailed:
		return "failed"
	default:
		return "running"
	}
}

// Status reports every change of the session's state (spec §6).
type Status struct {
	State         State       `json:"state"`                   // the whole truth about what the session does
	AgentStatus   AgentStatus `json:"agentStatus"`             // a coarse projection of it, for display
	ToolName      string      `json:"toolName,omitempty"`      // while running_tool
	QueuedPrompts int         `json:"queuedPrompts,omitempty"` // how many prompts wait
	Stalled       bool        `json:"stalled,omitempty"`       // the agent works and has said nothing for long; nothing is done about it
	RetryAt       int64       `json:"retryAt,omitempty"`       // Unix ms of the next attempt, while retrying
}

func (*Status) Type() Type { return TypeStatus }

func (p *Status) code(c *coder) {
	c.str("state", (*string)(&p.State))
	c.str("agentStatus", (*string)(&p.AgentStatus))
	c.optStr("toolName", &p.ToolName)
	c.optInt("queuedPrompts", &p.QueuedPrompts)
	c.optBool("stalled", &p.Stalled)
	c.optInt64("retryAt", &p.RetryAt)
}
