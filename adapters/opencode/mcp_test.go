package opencode_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
)

// The server is put beside what an operator has there; what cannot be read stays.
func TestLaunchMCP(t *testing.T) {
	const variable = "OPENCODE_CONFIG_CONTENT="
	given := func(token string) string {
		return `"given":{"type":"remote","url":"http://127.0.0.1:7433/mcp","enabled":true,"oauth":false,` +
			`"headers":{"Authorization":"Bearer ` + token + `"},"timeout":90000}`
	}
	const filled = "{env:RINGMASTER_MCP_TOKEN}"
	for _, c := range []struct{ name, version, old, want string }{
		{"alone", "1.18.33", "", `{"mcp":{` + given(filled) + `}}`},
		{"a version that is not known", "", "", `{"mcp":{` + given(filled) + `}}`},
		{"a version that fills nothing in", "1.1.65", "", `{"mcp":{` + given("secret") + `}}`},
		{"another server", "1.18.33", `{"mcp":{"own":{"enabled":false}}}`, `{"mcp":{` + given(filled) + `,"own":{"enabled":false}}}`},
		{"other settings", "1.18.33", `{"model":"a/b"}`, `{"mcp":{` + given(filled) + `},"model":"a/b"}`},
		{"no plain JSON", "1.18.33", `{"model":"a/b",}`, `{"model":"a/b",}`},
		{"no servers", "1.18.33", `{"mcp":[]}`, `{"mcp":[]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := adapters.Spec{Version: c.version, Cwd: "/w", MCP: &adapters.MCPServer{
				Name: "given", URL: "http://127.0.0.1:7433/mcp", Token: "secret", CallTimeout: 90 * time.Second,
			}}
			if c.old != "" {
				spec.Env = []string{variable + c.old}
			}
			env := opencode.Agent{}.Launch(spec).Env
			var got string // of several the last one counts
			for _, v := range env {
				if content, ok := strings.CutPrefix(v, variable); ok {
					got = content
				}
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if has := slices.Contains(env, "RINGMASTER_MCP_TOKEN=secret"); has != (c.old != c.want) {
				t.Errorf("the token is there: %t", has)
			}
			if name := (opencode.Agent{}).Connection(spec); name != "" {
				t.Errorf("shared as %q", name)
			}
		})
	}
}
