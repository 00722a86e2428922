package adapters

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// ownTools are the tools that the daemon's MCP server has for agents, and whether each only reads. The server itself says the same
// to its clients (readOnlyHint); a test of package api holds the two against each other.
var ownTools = map[string]protocol.ToolKind{
	"agent_list": protocol.ToolRead, "session_events": protocol.ToolRead, "session_get": protocol.ToolRead, "session_join": protocol.ToolRead,
	"session_list": protocol.ToolRead, "session_summary": protocol.ToolRead, "session_text": protocol.ToolRead,
	"session_answer": protocol.ToolOther, "session_create": protocol.ToolOther, "session_end": protocol.ToolOther,
	"session_interrupt": protocol.ToolOther, "session_message": protocol.ToolOther, "session_change": protocol.ToolOther,
	"session_cleanup": protocol.ToolOther, "session_delete": protocol.ToolOther,
	"session_prompts": protocol.ToolOther, // it lists, but can cancel and move as well
}

// OwnTools are the tools that the daemon's MCP server has for agents, by what they do. Tools that clients offer through that server
// are not among them.
func OwnTools() map[string]protocol.ToolKind { return maps.Clone(ownTools) }

// Named says that the session was given the server, and that it has this name.
func (s *MCPServer) Named(name string) bool { return s != nil && s.Name == name }

// Tool is the server's own name of a tool which the agent calls native: the server's name between before and after, and the tool's
// behind them. Empty: it is no tool of the server's, or the session was given none.
func (s *MCPServer) Tool(native, before, after string) string {
	if s == nil {
		return ""
	}
	tool, _ := strings.CutPrefix(native, before+s.Name+after)
	if tool == native {
		return ""
	}
	return tool
}

// Asked says what a call of one of the server's tools does, for policies (spec §4.8), and which sessions it is about: session://ID,
// one per line; session:// where it names none, and agent:// where it is about agents. That is no path, and no wildcard of a rule that
// allows stands for it. ok is false for a name that is none of the daemon's own tools.
func (s *MCPServer) Asked(tool string, arguments []byte) (kind protocol.ToolKind, subject string, ok bool) {
	if kind, ok = ownTools[tool]; s == nil || !ok {
		return "", "", false
	}
	if strings.HasPrefix(tool, "agent_") {
		return kind, "agent://", true
	}
	return kind, sessionsIn(arguments), true
}

func sessionsIn(arguments []byte) string {
	var members map[string]json.RawMessage // by their exact names
	_ = json.Unmarshal(arguments, &members)
	var about []string
	for _, name := range []string{"session_id", "session_ids", "parent_session_id", "under"} {
		var one string
		var ids []string
		if json.Unmarshal(members[name], &one) == nil {
			ids = []string{one}
		} else {
			_ = json.Unmarshal(members[name], &ids)
		}
		for _, id := range ids {
			if id != "" {
				about = append(about, "session://"+id)
			}
		}
	}
	if len(about) == 0 {
		return "session://"
	}
	return strings.Join(slices.Compact(about), "\n")
}
