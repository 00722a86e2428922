package claude

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mcpServer is an entry of the servers that --mcp-config names, beside those of the user's own configuration.
type mcpServer struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
	Timeout int64             `json:"timeout"` // of one call, in milliseconds; without it, it is 60 s
}

// mcpArgs give the program a server. They come first: --mcp-config takes all words up to the next flag.
func mcpArgs(s *adapters.MCPServer) []string {
	if s == nil {
		return nil
	}
	config, err := json.Marshal(map[string]map[string]mcpServer{"mcpServers": {s.Name: {
		Type: "http", URL: s.URL, Timeout: s.CallTimeout.Milliseconds(),
		Headers: map[string]string{"Authorization": adapters.MCPAuthorization}, // the program fills in the variable
	}}})
	if err != nil {
		return nil // strings and a number cannot fail
	}
	return []string{"--mcp-config", string(config)}
}

// toolServer says which MCP server a tool is of. Its source is where the program knows it from.
type toolServer struct {
	Name   string `json:"name"`
	Source string `json:"source"`
}

// fromFlag is the source of servers that --mcp-config names.
const fromFlag = "dynamic"

// ownTool says what a tool of the session's own server does, by the name that the model calls it and by what the program knows of its
// server: servers of other names can have tools of the same one. own is nil where the session has none.
func ownTool(own *adapters.MCPServer, name string, of *toolServer, input []byte) (kind protocol.ToolKind, subject string, ok bool) {
	if *of != (toolServer{}) && (!own.Named(of.Name) || of.Source != fromFlag) {
		return "", "", false
	}
	return own.Asked(own.Tool(name, "mcp__", "__"), input)
}
