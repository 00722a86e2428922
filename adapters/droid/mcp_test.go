package droid_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/droid"
)

// A session that is made and one that is loaded are given the server alike, others none.
func TestStartMCP(t *testing.T) {
	server := &adapters.MCPServer{Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret", CallTimeout: time.Minute}
	const want = `"mcpServers":[{"type":"http","name":"given","url":"http://127.0.0.1:7433/mcp",` +
		`"headers":[{"name":"Authorization","value":"Bearer ${RINGMASTER_MCP_TOKEN}"}],"oauth":false}]`
	for method, spec := range map[string]adapters.Spec{
		"droid.initialize_session": {Cwd: "/w"},
		"droid.load_session":       {Cwd: "/w", NativeSessionID: "N", Resume: true},
	} {
		for _, s := range []*adapters.MCPServer{server, nil} {
			spec.MCP = s
			var out adapters.Output
			droid.Agent{}.Translator(spec).Start(&out)
			if len(out.Lines) != 1 || !strings.Contains(string(out.Lines[0]), `"`+method+`"`) {
				t.Fatalf("got %s", out.Lines)
			}
			if got := string(out.Lines[0]); strings.Contains(got, want) != (s != nil) || strings.Contains(got, "mcpServers") != (s != nil) {
				t.Errorf("with %v got %s", s, got)
			}
		}
	}
}

// A server of the user's that has the name of the daemon's goes before it: its tools are nobody's word, and people are told.
func TestShadowedMCP(t *testing.T) {
	spec := adapters.Spec{MCP: &adapters.MCPServer{Name: "given"}}
	ask := permission("q", execOptions, `{"toolUse":{"type":"tool_use","id":"t1","name":"given___agent_list","input":{}},"confirmationType":"mcp_tool",`+
		`"details":{"type":"mcp_tool","serverName":"given","actualToolName":"agent_list"}}`)
	for _, c := range []struct{ status, want, notice string }{
		{`{"name":"other","source":"user","status":"connected"}`, `"toolKind":"read","subject":"agent://"`, ""},
		{`{"name":"given","source":"user","status":"connected"}`, `"toolKind":"other","title"`, "notice: warning mcp_shadowed"},
	} {
		k := standing(t, spec)
		for range 2 {
			k.event(`{"type":"mcp_status_changed","servers":[` + c.status + `]}`)
		}
		k.line(ask)
		if got := k.text.String(); !strings.Contains(got, c.want) || strings.Count(got, "mcp_shadowed") != strings.Count(c.notice, "mcp_shadowed") {
			t.Errorf("beside %s: %s", c.status, got)
		}
	}
}
