package core

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFacts: of several facts the stronger one makes the status, and what belongs to another state is not told.
// Proves: I12/layers
func TestFacts(t *testing.T) {
	approval := &request{OpenRequest: protocol.OpenRequest{RequestOpened: protocol.RequestOpened{Kind: protocol.RequestApproval, ToolName: "bash"}}}
	question := &request{OpenRequest: protocol.OpenRequest{RequestOpened: protocol.RequestOpened{Kind: protocol.RequestQuestion}}}
	for _, c := range []struct {
		because string
		facts   facts
		want    protocol.Status
	}{
		{"nothing", facts{}, protocol.Status{State: protocol.StateIdle}},
		{"prompts that nobody takes", facts{queued: 2}, protocol.Status{State: protocol.StateIdle, QueuedPrompts: 2}},
		{"an agent on its way", facts{starting: true}, protocol.Status{State: protocol.StateStarting}},
		{"prompts for it", facts{starting: true, queued: 1}, protocol.Status{State: protocol.StateQueued, QueuedPrompts: 1}},
		{"a turn that nobody has begun", facts{turn: true}, protocol.Status{State: protocol.StateQueued}},
		{"its work", facts{turn: true, agent: protocol.StateResponding}, protocol.Status{State: protocol.StateResponding}},
		{"silence", facts{turn: true, agent: protocol.StateResponding, stalled: true}, protocol.Status{State: protocol.StateResponding, Stalled: true}},
		{
			"a tool",
			facts{turn: true, agent: protocol.StateResponding, tool: "bash", tools: 2},
			protocol.Status{State: protocol.StateRunningTool, ToolName: "bash"},
		},
		{
			"another try, above a tool",
			facts{turn: true, agent: protocol.StateRetrying, retryAt: 7, tool: "bash", tools: 1},
			protocol.Status{State: protocol.StateRetrying, RetryAt: 7},
		},
		{"a compaction without a turn", facts{agent: protocol.StateCompacting, retryAt: 7}, protocol.Status{State: protocol.StateCompacting}},
		{
			"an approval, above another try",
			facts{turn: true, agent: protocol.StateRetrying, retryAt: 7, asked: approval},
			protocol.Status{State: protocol.StateAwaitingApproval, ToolName: "bash"},
		},
		{"a question", facts{turn: true, asked: question, tool: "bash", tools: 1}, protocol.Status{State: protocol.StateAwaitingInput}},
		{"a question without a turn", facts{asked: question, interrupting: true}, protocol.Status{State: protocol.StateAwaitingInput}},
		{
			"an interrupt, above all",
			facts{turn: true, interrupting: true, asked: approval, agent: protocol.StateRetrying, tool: "bash", tools: 1},
			protocol.Status{State: protocol.StateInterrupting},
		},
	} {
		c.want.AgentStatus = c.want.State.AgentStatus()
		if got := c.facts.status(); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.because, got, c.want)
		}
	}
}
