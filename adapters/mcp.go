package adapters

import (
	"slices"
	"time"
)

// MCPServer is the daemon's own MCP server as one session's agent is given it. How, each agent's Launch, Connect or Translator says.
// The agent's other MCP servers stay what its user has made them.
type MCPServer struct {
	Name string // MCPServerName: the agent's tools are called after it
	URL  string // such as http://127.0.0.1:7433/mcp
	// Token is the bearer token. It is this session's alone and void when its process has ended. It goes to the agent in the
	// environment variable MCPTokenEnv: never on a command line, and not in lines, which are archived.
	Token string
	// CallTimeout is what one call of a tool may take; agents give up earlier by themselves.
	CallTimeout time.Duration
}

// MCPServerName is the name of the server in the agents' eyes. It is not "ringmaster", by which people add the daemon to their agents
// themselves: of two servers of one name some agents take the user's, and Codex refuses both.
const MCPServerName = "ringmaster_session"

// MCPTokenEnv is the environment variable that has MCPServer.Token.
const MCPTokenEnv = "RINGMASTER_MCP_TOKEN" //nolint:gosec // the name of a variable

// MCPAuthorization is the Authorization header for agents that fill in variables of their environment as a shell does.
const MCPAuthorization = "Bearer ${" + MCPTokenEnv + "}"

// Environment is env with the token in it; of no server it is env itself.
func (s *MCPServer) Environment(env []string) []string {
	if s == nil {
		return env
	}
	return append(slices.Clip(env), MCPTokenEnv+"="+s.Token)
}
