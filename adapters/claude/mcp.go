package claude

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
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
