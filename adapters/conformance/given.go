package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// given says whether an agent that is given an MCP server gets its token where it belongs, in one environment variable, and in no
// other place: command lines are seen by everybody on the machine, and lines are archived.
func (w *witness) given(t testing.TB, c *adapters.Capabilities) {
	agent := w.suite.Agent
	const secret = "mcp-token-of-one-session" //nolint:gosec // nobody's
	room := []string{"PATH=/bin", "", ""}
	spec := adapters.Spec{SessionID: "00000000-0000-4000-8000-000000000001", Program: "agent", Cwd: "/", Env: room[:1]}
	spec.MCP = &adapters.MCPServer{Name: adapters.MCPServerName, URL: "http://127.0.0.1:1/mcp", Token: secret, CallTimeout: 90 * time.Second}
	launch := agent.Launch(spec)
	if has := slices.Contains(launch.Env, adapters.MCPTokenEnv+"="+secret); has != c.MCP {
		t.Errorf("MCP: claimed %t, and the environment has the token: %t", c.MCP, has)
	}
	for _, v := range launch.Env {
		if strings.Contains(v, secret) && !strings.HasPrefix(v, adapters.MCPTokenEnv+"=") {
			t.Errorf("MCP: the token is in %q as well", v)
		}
	}
	if said := strings.Join(launch.Args, " "); strings.Contains(said, secret) {
		t.Errorf("MCP: the token is on the command line: %s", said)
	}
	if room[1] != "" {
		t.Error("MCP: the caller's environment was written to")
	}
	for _, resume := range []bool{false, true} {
		if spec.Resume = resume; resume {
			spec.NativeSessionID = "earlier"
		}
		var out adapters.Output
		agent.Translator(spec).Start(&out)
		for _, line := range out.Lines {
			if strings.Contains(string(line), secret) {
				t.Errorf("MCP: the token is in a line to the agent: %s", line)
			}
		}
	}
	if splits, ok := agent.(adapters.Splitting); ok && c.MCP && splits.Connection(spec) != "" {
		t.Error("MCP: other sessions share the process that has the token of one")
	}
}
