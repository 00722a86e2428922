package adapters_test

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// An environment is never changed in place: others start agents with the same one.
func TestMCPEnvironment(t *testing.T) {
	room := make([]string, 1, 4)
	room[0] = "PATH=/bin"
	one := (&adapters.MCPServer{Token: "one"}).Environment(room)
	two := (&adapters.MCPServer{Token: "two"}).Environment(room)
	if want := []string{"PATH=/bin", "RINGMASTER_MCP_TOKEN=one"}; !slices.Equal(one, want) {
		t.Errorf("%q, want %q", one, want)
	}
	if want := []string{"PATH=/bin", "RINGMASTER_MCP_TOKEN=two"}; !slices.Equal(two, want) {
		t.Errorf("%q, want %q", two, want)
	}
	if none := (*adapters.MCPServer)(nil).Environment(room); !slices.Equal(none, room) {
		t.Errorf("without a server: %q", none)
	}
}

func TestMCPAsked(t *testing.T) {
	given := &adapters.MCPServer{Name: "ours"}
	for _, c := range []struct {
		tool, arguments string
		kind            protocol.ToolKind
		subject         string
	}{
		{"session_get", `{"session_id":"a"}`, protocol.ToolRead, "session://a"},
		{"session_join", `{"session_ids":["a","b","b"],"wait_ms":1}`, protocol.ToolRead, "session://a\nsession://b"},
		{"session_create", `{"parent_session_id":"p"}`, protocol.ToolOther, "session://p"},
		{"session_list", `{}`, protocol.ToolRead, "session://"},
		{"session_list", ``, protocol.ToolRead, "session://"},
		{"session_get", `{"Session_ID":"a","session_ids":7}`, protocol.ToolRead, "session://"},
		{"session_get", `{"session_id":""`, protocol.ToolRead, "session://"},
		{"agent_list", `{"session_id":"a"}`, protocol.ToolRead, "agent://"},
		{"editor_selection", `{"session_id":"a"}`, "", ""}, // a client's
		{"", `{}`, "", ""},
	} {
		kind, subject, ok := given.Asked(c.tool, []byte(c.arguments))
		if kind != c.kind || subject != c.subject || ok != (c.kind != "") {
			t.Errorf("%s %s: %q about %q, %t", c.tool, c.arguments, kind, subject, ok)
		}
		if _, _, ok := (*adapters.MCPServer)(nil).Asked(c.tool, []byte(c.arguments)); ok {
			t.Errorf("%s without a server", c.tool)
		}
	}
	for native, want := range map[string]string{"x__ours__a": "a", "x__ours__": "", "ours__a": "", "x__ours2__a": "", "x__ours__a__b": "a__b", "": ""} {
		if got := given.Tool(native, "x__", "__"); got != want {
			t.Errorf("%q: the tool %q, want %q", native, got, want)
		}
		if got := (*adapters.MCPServer)(nil).Tool(native, "x__", "__"); got != "" {
			t.Errorf("%q without a server: the tool %q", native, got)
		}
	}
}
