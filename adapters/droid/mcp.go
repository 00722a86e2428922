package droid

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
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

// ownServer is the MCP server that a session was given.
type ownServer struct {
	given    *adapters.MCPServer // nil: none
	shadowed bool                // a server of the user's has its name, and its place
}

// asked says what a tool of this server does. Droid says of which server a tool is, and what that calls it.
func (o *ownServer) asked(use *contentWire, d *details) (kind protocol.ToolKind, subject string, ok bool) {
	s := o.given
	if o.shadowed || d.Type != "mcp_tool" || !s.Named(d.ServerName) || s.Tool(use.Name, "", "___") != d.ActualToolName {
		return "", "", false
	}
	return s.Asked(d.ActualToolName, use.Input)
}

// changed takes the states of the servers that the agent has from its user's configuration: the session's own is not told of. One of those
// that has the name of the session's goes before it.
func (o *ownServer) changed(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Servers []struct {
			Name   string `json:"name"`
			Status string `json:"status"`
			Error  string `json:"error"`
		} `json:"servers"`
	}
	_ = native.Decode(raw, &n)
	var failed []string
	for _, s := range n.Servers {
		if o.given.Named(s.Name) && !o.shadowed {
			o.shadowed = true
			out.Draft(adapters.Notice{Level: "warning", Kind: "mcp_shadowed", Text: "The agent's own MCP server " + s.Name +
				" takes the place of the daemon's: give it another name."})
		}
		if s.Status == "failed" {
			failed = append(failed, strings.TrimSuffix(s.Name+": "+s.Error, ": "))
		}
	}
	if failed != nil {
		notice("warning", "mcp_status_changed", "MCP servers failed: "+strings.Join(failed, "; "), out)
	}
}

// login takes that a server wants a login, or what came of one.
func login(kind string, raw json.RawMessage, out *adapters.Output) {
	var n struct {
		ServerName string `json:"serverName"`
		AuthURL    string `json:"authUrl"`
		Message    string `json:"message"`
		Outcome    string `json:"outcome"`
	}
	_ = native.Decode(raw, &n)
	if kind == "mcp_auth_required" {
		notice("warning", kind, fmt.Sprintf("MCP server %s wants a login at %s: %s", n.ServerName, n.AuthURL, n.Message), out)
		return
	}
	notice("info", kind, fmt.Sprintf("Login to MCP server %s: %s. %s", n.ServerName, n.Outcome, n.Message), out)
}
