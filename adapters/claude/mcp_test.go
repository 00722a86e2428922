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

// A server is the session's own by its name and by where Claude Code knows it from, not by what its tools are called.
func TestShadowedMCP(t *testing.T) {
	for _, c := range []struct{ server, kind string }{
		{`"mcp_server":{"name":"given","source":"dynamic"},`, "read"},
		{``, "read"}, // versions that do not say it
		{`"mcp_server":{"name":"given","source":"user"},`, "other"},
		{`"mcp_server":{"name":"given","source":"project"},`, "other"},
		{`"mcp_server":{"name":"gi ven","source":"dynamic"},`, "other"},
		{`"mcp_server":{"name":"given"},`, "other"},
	} {
		k := begin(t, adapters.Spec{MCP: &adapters.MCPServer{Name: "given"}})
		k.Line(`{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"mcp__given__agent_list",` + c.server + `"input":{}}}`)
		k.Has(`"toolKind":"` + c.kind + `"`)
	}
}
