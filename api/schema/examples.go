package schema

import "github.com/ringmaster-agents/ringmaster/protocol"

// ExampleSession goes through all examples of the description.
const ExampleSession = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"

// ExampleEvents has one event of every type, for the description. A test validates them against it.
var ExampleEvents = []protocol.Event{
	{Seq: 1, Time: 1770000000000, Payload: &protocol.SessionStart{
		SessionID: ExampleSession, AgentBackend: "pi",
		Metadata: protocol.Metadata{Model: "m-1", Cwd: "/home/me/project", Title: "Fix the build", Labels: map[string]string{"team": "core"}},
	}},
	{Seq: 2, Time: 1770000000120, Payload: &protocol.SessionMeta{NativeSessionID: new("a1b2c3"), AgentVersion: new("1.5.0"), Capabilities: []string{"steer"}}},
	{Seq: 3, Time: 1770000000130, Payload: &protocol.Status{State: protocol.StateIdle, AgentStatus: protocol.AgentIdle}},
	{Seq: 4, Time: 1770000001000, Payload: &protocol.PromptQueued{PromptID: "p1", Text: "Run the tests", ClientID: "cli"}},
	{Seq: 5, Time: 1770000001000, Payload: &protocol.PromptRemoved{PromptID: "p1", Reason: protocol.RemovedDispatched}},
	{Seq: 6, Time: 1770000001010, Payload: &protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{Text: "Run the tests", PromptID: "p1"}}},
	{Seq: 7, Time: 1770000001500, Payload: &protocol.EntryStart{
		TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}, Round: 1,
	}},
	{Seq: 8, Time: 1770000001520, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "I'll run them."}}},
	{Seq: 9, Time: 1770000001600, Payload: &protocol.EntryEnd{
		TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: "I'll run them."},
	}},
	{Seq: 10, Time: 1770000001700, Payload: &protocol.EntryMeta{EntryID: "e1", PersistentID: "4f2a91c0"}},
	{Seq: 11, Time: 1770000001750, Payload: &protocol.EntryStart{
		TurnID: "t1", EntryID: "e2", EntryType: protocol.EntryToolCall, Round: 1,
		Data: &protocol.ToolCallData{ToolName: "bash", CallID: "call_1", Status: protocol.ToolPending},
	}},
	{Seq: 12, Time: 1770000001800, Payload: &protocol.RequestOpened{
		RequestID: "r1", Kind: protocol.RequestApproval, TurnID: "t1", EntryID: "e2", ToolName: "bash",
		ToolKind: protocol.ToolExecute, Subject: "go test ./...", Title: "Run go test ./...?",
		Options: []protocol.Option{{ID: protocol.AllowOnce, Label: "Allow"}, {ID: protocol.DenyContinue, Label: "Deny"}},
	}},
	{Seq: 13, Time: 1770000004000, Payload: &protocol.RequestResolved{
		RequestID: "r1", Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce, By: "client:cli",
	}},
	{Seq: 14, Time: 1770000008000, Payload: &protocol.EntryEnd{
		TurnID: "t1", EntryID: "e2", EntryType: protocol.EntryToolCall, Data: &protocol.ToolCallData{
			ToolName: "bash", CallID: "call_1", Arguments: `{"command":"go test ./..."}`, Command: "go test ./...", Cwd: "/home/me/project",
			Status: protocol.ToolCompleted, Output: "ok\n", ExitCode: new(0), DurationMs: new(int64(3900)),
		},
	}},
	{Seq: 15, Time: 1770000009000, Payload: &protocol.TokenUsage{TurnID: "t1", Usage: protocol.Usage{
		InputTokens: 1200, CachedInputTokens: 1000, OutputTokens: 80, TotalTokens: 1280,
	}}},
	{Seq: 16, Time: 1770000009100, Payload: &protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted}},
	{Seq: 17, Time: 1770000010000, Payload: &protocol.ChildSession{ChildSessionID: "5d0f2c1a-1f4e-4a65-8d6a-9e3f0f6b7a22", EntryID: "e3"}},
	{Seq: 18, Time: 1770000020000, Payload: &protocol.Epoch{Epoch: 2, Reason: "the machine lost power"}},
	{Seq: 19, Time: 1770000025000, Payload: &protocol.PromptMoved{PromptID: "p4", Before: "p2"}},
	{Seq: 20, Time: 1770000027000, Payload: &protocol.BudgetMark{
		Scope: protocol.ScopeSession, Limit: protocol.LimitTokens, State: protocol.BudgetWarned, Spent: 1280, Max: 1500,
	}},
	{Seq: 21, Time: 1770000030000, Payload: &protocol.SessionEnd{Reason: protocol.EndTerminated}},
}
