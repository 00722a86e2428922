package problem

import "github.com/ringmaster-agents/ringmaster/protocol"

// Words are those of who calls tools.
var Words = protocol.NewWording(map[string]string{
	protocol.TermListAgents:       "agent_list",
	protocol.TermMCPCapability:    "mcp",
	protocol.TermListSessions:     "session_list",
	protocol.TermCreateSession:    "session_create",
	protocol.TermSetOwnerBudget:   "the command `ringmaster owner`, which is for administrators and not for agents",
	protocol.TermSetBudget:        "the command `ringmaster budget`, which is for people and not for agents",
	protocol.TermEndSession:       "session_end",
	protocol.TermInterruptSession: "session_interrupt",
	protocol.TermListPrompts:      "session_prompts",
	protocol.TermCancelPrompt:     "session_prompts (action cancel)",
	protocol.TermListRequests:     "session_get",
	protocol.TermSendResult:       "Answer it with caller_tool_response.",
	protocol.TermReadLog:          "session_events",
	protocol.TermReadRaw:          "the daemon's archive of native lines",
	protocol.TermIdempotencyKey:   "idempotency_key",
	protocol.TermNativeSessionID:  "native_session_id",
	protocol.TermPageAfter:        "cursor",
	protocol.TermPageNext:         "next_cursor",
})
