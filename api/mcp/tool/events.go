package tool

import (
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
)

func (s *logs) addEvents(to call.Set) {
	t := &sdk.Tool{
		Name: "session_events", Title: "Read what happened in a session", Annotations: call.Reads,
		Description: "Reads the events of a session after since_index, in order, none left out and none twice. With wait_ms it waits for news. " +
			"Types: status (running, idle, completed, failed), message and completion (the agent's text), tool_call, tool_result, error, " +
			"request (somebody has to answer: session_answer), caller_tool_request (the agent calls a tool that you offer: caller_tool_response), " +
			"thinking, prompt, system, " +
			"and delta (pieces of a growing message), which are left out unless asked for.",
	}
	call.Add(to, t, s.polls.Events)
}
