package opencode

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
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
	if old := variable(env, configEnv); old != "" && json.Unmarshal([]byte(old), &config) != nil {
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
