package claude_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/claude"
)

// The server comes beside the user's own, and before a flag: --mcp-config would take words that follow it.
func TestLaunchMCP(t *testing.T) {
	l := claude.Agent{}.Launch(adapters.Spec{SessionID: "S", MCP: &adapters.MCPServer{
		Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret", CallTimeout: 90 * time.Second,
	}})
	want := []string{"--mcp-config", `{"mcpServers":{"given":{"type":"http","url":"http://127.0.0.1:7433/mcp",` +
		`"headers":{"Authorization":"Bearer ${RINGMASTER_MCP_TOKEN}"},"timeout":90000}}}`, "-p"}
	if got := l.Args[:3]; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if slices.Contains(l.Args, "--strict-mcp-config") {
		t.Error("the user's own servers are left out")
	}
	if !slices.Contains(l.Env, "RINGMASTER_MCP_TOKEN=secret") || strings.Contains(strings.Join(l.Args, " "), "secret") {
		t.Errorf("got %+v", l)
	}
}
