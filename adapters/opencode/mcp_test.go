package opencode_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/opencode"
	"github.com/ringmaster-agents/ringmaster/protocol"
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

// OpenCode tells servers apart by their names alone, and their tools by a name made of both: where another server has such a name, or
// nobody knows, a tool is nobody's word.
func TestShadowedMCP(t *testing.T) {
	for _, c := range []struct {
		servers, kind string
		notices       int
	}{
		{`{"given_us":{"status":"connected"},"given":{},"given_u":{},"Given_Us":{}}`, "read", 0},
		{`{"given_us":{"status":"connected"},"given us":{"status":"connected"}}`, "other", 1},
		{`{"given_us":{},"given.us":{},"given_us_agent":{}}`, "other", 2},
		{`[]`, "other", 0},
		{"", "other", 0}, // not answered yet
	} {
		tr := opencode.Agent{}.Translator(adapters.Spec{MCP: &adapters.MCPServer{Name: "given_us"}})
		var out adapters.Output
		tr.Start(&out)
		lines := suite.AsksMCP("given_us", "agent_list", "{}")
		lines[1] = `{"http":"answer","n":4,"status":200,"body":` + c.servers + `}`
		if c.servers == "" {
			lines = slices.Delete(lines, 1, 2)
		}
		for _, line := range lines {
			tr.Line([]byte(line), &out)
		}
		notices, kind := 0, protocol.ToolKind("")
		for _, d := range out.Drafts {
			switch d := d.(type) {
			case adapters.Notice:
				notices++
			case adapters.RequestOpened:
				kind = d.Request.ToolKind
			default:
			}
		}
		if string(kind) != c.kind || notices != c.notices {
			t.Errorf("beside %s: %q, %d notices", c.servers, kind, notices)
		}
	}
}
