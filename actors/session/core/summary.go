package core

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Summary is what a list shows of a session.
type Summary struct {
	ID              string
	Agent           string
	Cwd             string
	Title           string
	FirstPrompt     string // the beginning of the first prompt, in one line: what a session without a title is called by; at most 120 bytes
	Model           string
	AskedModel      string // as clients name it, at the creation or since; an agent may have another name for it
	Mode            string
	Labels          map[string]string
	NativeSessionID string
	AgentVersion    string
	ParentSessionID string
	Owner           string // whose token made it; empty: an administrator's
	Via             string // protocol.ViaMCP: an MCP host made it
	Created         time.Time
	Updated         time.Time
	Epoch           uint64
	Seq             uint64
	Status          protocol.Status
	SubAgent        bool             // of its parent session
	Spawned         bool             // by the agent of its parent session
	MCP             bool             // its agent is given the daemon's MCP server
	Policy          *protocol.Policy // nil: everything is asked
	PendingModel    string           // chosen, and not in force yet
	PendingMode     string
	Turns           int
	Spent           protocol.Spent        // as of Seq
	Cost            float64               // US dollars, as the agent has said them: Spent has them rounded
	Budget          *protocol.Budget      // what it may use; nil: whatever it needs
	Marks           []protocol.BudgetMark // limits that are near or reached
	LastTurn        *protocol.LastTurn    // how the newest turn that has ended did so; nil: none has
	EndError        string
	EndHint         string
	Open            []protocol.OpenRequest // what waits for an answer, in the order of asking
	Turn            string                 // that runs; empty: none does
	Prompts         []string               // that are not settled: of the running turn, and those that wait
	Changed         uint64                 // seq of the newest event that has changed status, turn, prompts or requests: it may not be shown yet
	Node            string                 // that it is on; empty: this one. No session knows it
	Forwarded       bool                   // what changes it is passed on to that node from here
	Unreachable     bool                   // that node is gone, or has not been heard of for too long
	Pinned          bool                   // retention leaves it; the supervisor knows, and the session does not
	ReadOnly        bool                   // the journal takes no events
	Damage          *protocol.Damage       // why that is so for good; nil: its files are as they were written, as far as is known
}

// Cursor is how far the session was when it was asked.
func (s *Summary) Cursor() protocol.Cursor { return protocol.Cursor{Epoch: s.Epoch, Seq: s.Seq} }

// Usage is the part of what it has spent that model requests have told.
func (s *Summary) Usage() protocol.Usage {
	return protocol.Usage{
		InputTokens: s.Spent.InputTokens, CachedInputTokens: s.Spent.CachedInputTokens, OutputTokens: s.Spent.OutputTokens,
		ReasoningOutputTokens: s.Spent.ReasoningOutputTokens, TotalTokens: s.Spent.TotalTokens,
	}
}

// Description is the whole answer to Describe.
type Description struct {
	Summary
	Starting bool // its agent was asked for and is not ready
	Queue    []QueuedPrompt
	Requests []protocol.RequestOpened
	Readers  []ReaderInfo
}

// QueuedPrompt is a prompt that waits.
type QueuedPrompt struct {
	ID       string
	Text     string
	Images   []string
	Behavior protocol.Behavior
	ClientID string
	Queued   time.Time
	Sent     bool // it is with the agent, which will take it in its running turn
	Origin   string
	Notify   string // as in NewPrompt
}

// ReaderInfo is one member of the subscriber set.
type ReaderInfo struct {
	Name   string
	Seq    uint64 // the last event sent
	Behind uint64 // events
	Since  time.Time
}
