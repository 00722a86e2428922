package conformance

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// own says whether the agent's translator knows the tools of the daemon's own MCP server, as policies need it, and takes no other
// server's for them.
func (w *witness) own(t testing.TB, c *adapters.Capabilities) {
	asks := w.suite.AsksMCP
	if !c.MCP || len(c.Approvals) == 0 {
		return
	}
	if asks == nil {
		t.Error("MCP: the suite's AsksMCP does not say how the agent asks whether it may call a tool of a server")
		return
	}
	server := &adapters.MCPServer{Name: adapters.MCPServerName, URL: "http://127.0.0.1:1/mcp"}
	ask := func(given *adapters.MCPServer, name, tool string) *protocol.RequestOpened {
		t.Helper()
		tr := w.suite.Agent.Translator(adapters.Spec{SessionID: "00000000-0000-4000-8000-000000000001", Program: "agent", Cwd: "/", MCP: given})
		var out adapters.Output
		tr.Start(&out)
		for _, line := range asks(name, tool, `{"session_id":"a","session_ids":["b","c"]}`) {
			tr.Line([]byte(line), &out)
		}
		var found []*protocol.RequestOpened
		for _, d := range out.Drafts {
			if r, ok := d.(adapters.RequestOpened); ok {
				found = append(found, &r.Request)
			}
		}
		if len(found) != 1 || found[0].Kind != protocol.RequestApproval {
			t.Fatalf("MCP: asking for %s of %s made %d requests", tool, name, len(found))
		}
		return found[0]
	}
	for tool, kind := range adapters.OwnTools() {
		about := "session://a\nsession://b\nsession://c"
		if strings.HasPrefix(tool, "agent_") {
			about = "agent://"
		}
		if r := ask(server, server.Name, tool); r.ToolKind != kind || r.Subject != about {
			t.Errorf("MCP: %s of the daemon's server is asked for as %q, about %q", tool, r.ToolKind, r.Subject)
		}
		for _, foreign := range []struct {
			given        *adapters.MCPServer
			server, tool string
		}{
			{nil, server.Name, tool}, // whatever it is: the session was given none
			{server, "ringmaster", tool},
			{server, server.Name + "2", tool},
			{server, "my_" + server.Name, tool},
			{server, "Ringmaster_Session", tool},
			{server, server.Name, "my_" + tool},
			{server, server.Name, tool + "s"},
			{server, "tiny", server.Name + "_" + tool},
			{server, "tiny", "mcp__" + server.Name + "__" + tool},
		} {
			if r := ask(foreign.given, foreign.server, foreign.tool); r.ToolKind != protocol.ToolOther || strings.Contains(r.Subject, "://") {
				t.Errorf("MCP: %s of the server %s is taken for the daemon's: %q, about %q", foreign.tool, foreign.server, r.ToolKind, r.Subject)
			}
		}
	}
}
