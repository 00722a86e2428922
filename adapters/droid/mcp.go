package droid

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mcpServer is one that a session has beside those of the user's own configuration. One call of a tool may take 180 s: there is no
// setting for it here.
type mcpServer struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	URL     string   `json:"url"`
	Headers []header `json:"headers"`
	OAuth   bool     `json:"oauth"` // false: a refusal is a refusal, and no reason to log in
}

type header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// mcpServers are those that the session is given. The line has the name of the token's variable, which Droid fills in.
func mcpServers(s *adapters.MCPServer) []mcpServer {
	if s == nil {
		return nil
	}
	return []mcpServer{{Type: "http", Name: s.Name, URL: s.URL, Headers: []header{{"Authorization", adapters.MCPAuthorization}}}}
}

// ownTool says what a tool of the session's own server does. Droid says of which server a tool is, and what that calls it.
func (t *Translator) ownTool(use *content, d *details) (kind protocol.ToolKind, subject string, ok bool) {
	s := t.spec.MCP
	if t.foreign || d.Type != "mcp_tool" || !s.Named(d.ServerName) || s.Tool(use.Name, "", "___") != d.ActualToolName {
		return "", "", false
	}
	return s.Asked(d.ActualToolName, use.Input)
}

// shadowed notes that the session has not the daemon's server but one of the user's.
func (t *Translator) shadowed(out *adapters.Output) {
	if !t.foreign {
		t.foreign = true
		out.Draft(adapters.Notice{Level: "warning", Kind: "mcp_shadowed", Text: "The agent's own MCP server " + t.spec.MCP.Name +
			" takes the place of the daemon's: give it another name."})
	}
}
