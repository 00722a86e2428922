package codex

import (
	"fmt"
	"math"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// mcpArgs give a server to all threads of the process: those of the session and of its sub-agents. A user's server of the same name
// would be merged with it.
func mcpArgs(s *adapters.MCPServer) []string {
	if s == nil {
		return nil
	}
	return []string{"-c", fmt.Sprintf("mcp_servers.%s={url=%q,bearer_token_env_var=%q,tool_timeout_sec=%.0f}",
		s.Name, s.URL, adapters.MCPTokenEnv, math.Ceil(s.CallTimeout.Seconds()))}
}
