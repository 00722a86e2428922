package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// compatible is a daemon that has the one tool of an earlier system.
func compatible(c *Config) { c.MCPCompat = true }

// TestMCPCompatIsAskedFor: a host that lets its user allow tool by tool must not meet one that is all of them.
// Proves: C44
func TestMCPCompatIsAskedFor(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		if _, has := c.tools()["session"]; has {
			t.Error("session is listed")
		}
		r := c.call("session", args{"action": "delete", "session_id": id})
		if said := resultText(r); !r.IsError || !strings.Contains(said, "--mcp-compat") {
			t.Errorf("session is there: %s", said)
		}
	}
	h.want(http.StatusOK, "GET", "/sessions/"+id, "")
	r := h.want(http.StatusOK, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"`+newEra+`",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"Mcp-Protocol-Version", newEra, "Mcp-Method", "tools/list", "Accept", "application/json, text/event-stream", tool.CompatHeader, "true")
	if !strings.Contains(string(r.body), `"name":"session"`) {
		t.Errorf("who asks by a header has no session: %s", r.body)
	}
}

// plainly calls an action and reads its JSON as the text.
func plainly[T any](c *mcpClient, in args) (out T) {
	c.t.Helper()
	r := c.call("session", in)
	if r.IsError || r.StructuredContent != nil {
		c.t.Fatalf("%v: %s, %v", in, resultText(r), r.StructuredContent)
	}
	if err := json.Unmarshal([]byte(resultText(r)), &out); err != nil {
		c.t.Fatalf("%v: %v: %s", in, err, resultText(r))
	}
	return out
}

// TestMCPCompat: the actions that the earlier system had, with all their arguments in the schema.
// Proves: D1.1, D4.2.tools, C44
func TestMCPCompat(t *testing.T) {
	h := newHarness(t, compatible)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		by := map[string]*sdk.Tool{}
		for _, tool := range list.Tools {
			by[tool.Name] = tool
		}
		own := by["session"]
		if own == nil || own.Annotations.ReadOnlyHint || !*own.Annotations.DestructiveHint {
			t.Fatalf("%+v", own)
		}
		have := propertiesOf(t, own)
		for name, p := range have {
			if p["description"] == "" || p["description"] == nil {
				t.Errorf("%s says nothing", name)
			}
		}
		for _, tool := range by {
			if tool.Name == "session" || !strings.HasPrefix(tool.Name, "session_") {
				continue
			}
			for name := range propertiesOf(t, tool) {
				if have[name] == nil {
					t.Errorf("%s of %s is missing", name, tool.Name)
				}
			}
		}
		words, _ := have["action"]["enum"].([]any)
		for _, action := range []string{"spawn", "message", "get", "list", "end", "events", "cleanup"} {
			if !slices.Contains(words, any(action)) {
				t.Errorf("no action %s in %v", action, words)
			}
		}
		type told struct {
			SessionID string `json:"session_id"`
			Status    string
			Events    []protocol.SessionEvent
			Deleted   int
			LastIndex int `json:"last_event_index"`
		}
		id := plainly[told](c, args{"action": "spawn", "agent": "echo", "cwd": "/work", "labels": args{"era": version}}).SessionID
		m := plainly[told](c, args{"action": "message", "session_id": id, "message": "hello"})
		c.settled(id, m.LastIndex)
		if got := plainly[told](c, args{"action": "events", "session_id": id, "since_index": -1, "types": []string{"completion"}}); len(got.Events) != 1 {
			t.Errorf("%+v", got)
		}
		if got := plainly[told](c, args{"action": "end", "session_id": id}); got.Status != "completed" {
			t.Errorf("%+v", got)
		}
		if got := plainly[told](c, args{"action": "cleanup", "max_age_hours": 0, "labels": args{"era": version}}); got.Deleted != 1 {
			t.Errorf("%+v", got)
		}
		c.fails(protocol.CodeSessionNotFound, "session", args{"action": "get", "session_id": id})
		for _, bad := range []args{{"action": "dance"}, {}, {"action": "list", "nope": 1}} {
			c.fails(protocol.CodeInvalidRequest, "session", bad)
		}
	}
}

func propertiesOf(t *testing.T, tool *sdk.Tool) map[string]map[string]any {
	t.Helper()
	var schema struct{ Properties map[string]map[string]any }
	raw, err := json.Marshal(tool.InputSchema)
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(schema.Properties)
}
