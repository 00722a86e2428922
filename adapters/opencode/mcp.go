package opencode

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// configEnv is the variable with configuration that is merged over that of files.
const configEnv = "OPENCODE_CONFIG_CONTENT"

// mcpServer is an entry of the configuration's mcp.
type mcpServer struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Enabled bool              `json:"enabled"`
	OAuth   bool              `json:"oauth"` // false: a refusal is a refusal, and no reason to log in
	Headers map[string]string `json:"headers"`
	Timeout int64             `json:"timeout"` // of a call, in milliseconds; without it, it is 60 s
}

// withMCP is env with a server in it, beside what an operator has put there. Configuration of an operator's that is no plain JSON
// stays as it is, and the agent has no server.
func withMCP(s *adapters.MCPServer, version string, env []string) []string {
	if s == nil {
		return env
	}
	config, servers := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if old := adapters.Variable(env, configEnv); old != "" && json.Unmarshal([]byte(old), &config) != nil {
		return env
	}
	if old := config["mcp"]; old != nil && json.Unmarshal(old, &servers) != nil {
		return env
	}
	token := "{env:" + adapters.MCPTokenEnv + "}"
	if !fillsIn(version) {
		token = s.Token
	}
	servers[s.Name] = body(mcpServer{
		Type: "remote", URL: s.URL, Enabled: true, Headers: map[string]string{"Authorization": "Bearer " + token},
		Timeout: s.CallTimeout.Milliseconds(),
	})
	config["mcp"] = body(servers)
	return append(s.Environment(env), configEnv+"="+string(body(config)))
}

// fillsIn says that a version fills variables into configEnv. Those of 1.2 learned it on the way; one that is not known is of today.
func fillsIn(version string) bool {
	for _, old := range []string{"1.0.", "1.1.", "1.2."} {
		if strings.HasPrefix(version, old) {
			return false
		}
	}
	return true
}

// serversPath lists the MCP servers by their names.
const serversPath = "/mcp"

// ownServer is the MCP server that a session was given.
type ownServer struct {
	given *adapters.MCPServer // nil: none
	alone bool                // no other server's tools are called as those of this one
}

// ask asks which other servers there are.
func (o *ownServer) ask(calls *calls, out *adapters.Output) {
	if o.given != nil {
		calls.ask(call{kind: askServers, method: "GET", path: serversPath}, out)
	}
}

// answered looks for a server whose tools are called as those of the session's own: a tool's name is the server's, with "_" for
// all but letters, digits, "_" and "-", a "_" and the tool's own, and whichever connects last has it. ok is false where that is not known.
func (o *ownServer) answered(a *httpline.Answer, out *adapters.Output) (ok bool) {
	var servers map[string]json.RawMessage
	if !a.OK() || native.Decode(a.Body, &servers) != nil || o.given == nil {
		return false
	}
	own := o.given.Name
	_, o.alone = servers[own]
	for name := range servers {
		if called := strings.Map(inToolName, name); name != own && (called == own || strings.HasPrefix(called, own+"_")) {
			o.alone = false
			out.Draft(adapters.Notice{Level: "warning", Kind: "mcp_shadowed", Text: "The agent's own MCP server " + native.Head(name, maxWord) +
				" has tools of the same names as the daemon's, and may take their place: give it another name."})
		}
	}
	return true
}

func inToolName(r rune) rune {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
		return r
	}
	return '_'
}

// tool says what a call of a tool of this server does. A server that its user calls "ringmaster" can have a tool that
// is called so as well: session_agent_list. That name is taken to be the daemon's.
func (o *ownServer) tool(permission string, c *tool) (kind protocol.ToolKind, subject string, ok bool) {
	if !o.alone || c.name != permission {
		return "", "", false
	}
	return o.given.Asked(o.given.Tool(permission, "", "_"), []byte(c.arguments))
}
