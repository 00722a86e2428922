package codex_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/codex"
)

func TestLaunchMCP(t *testing.T) {
	spec := adapters.Spec{Program: "/bin/codex", Args: []string{"-c", "a=1"}, MCP: &adapters.MCPServer{
		Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret", CallTimeout: 1500 * time.Millisecond,
	}}
	l := codex.Agent{}.Launch(spec)
	want := []string{
		"app-server", "-c",
		`mcp_servers.given={url="http://127.0.0.1:7433/mcp",bearer_token_env_var="RINGMASTER_MCP_TOKEN",tool_timeout_sec=2}`, "-c", "a=1",
	}
	if !slices.Equal(l.Args, want) || !slices.Equal(l.Env, []string{"RINGMASTER_MCP_TOKEN=secret"}) {
		t.Errorf("got %q with %q, want %q", l.Args, l.Env, want)
	}
	if got := (codex.Agent{}).Connection(spec); got != "" {
		t.Errorf("shared as %q", got)
	}
	spec.Endpoint = &adapters.Endpoint{URL: "ws://127.0.0.1:1"} // where it runs already nothing is given
	if got := (codex.Agent{}).Connection(spec); got == "" {
		t.Error("an attached session has a connection for itself")
	}
}
