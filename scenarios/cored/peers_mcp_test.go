package cored

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// host is a host of MCP at a node.
func (w *world) host() *mcp.ClientSession {
	w.t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	s, err := c.Connect(w.t.Context(), &mcp.StreamableClientTransport{
		Endpoint: "http://" + w.address + "/mcp", HTTPClient: &http.Client{Transport: bearer(w.token)}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = s.Close() })
	return s
}

// tool calls a tool.
func (w *world) tool(host *mcp.ClientSession, name string, args map[string]any) (out map[string]any) {
	w.t.Helper()
	r, err := host.CallTool(w.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := json.Marshal(r.StructuredContent)
	if err == nil && !r.IsError {
		err = json.Unmarshal(text, &out)
	}
	if err != nil || r.IsError {
		words, _ := json.Marshal(r.Content)
		w.t.Fatalf("%s: %v\n%s", name, err, words)
	}
	return out
}

// modern sends a request of MCP's new era by hand: the SDK's client knows no tasks.
func (w *world) modern(method, name, params string) string {
	w.t.Helper()
	const era = "2026-07-28"
	_, _, text := w.ask("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,"_meta":{"`+
		mcp.MetaKeyProtocolVersion+`":"`+era+`","`+mcp.MetaKeyClientInfo+`":{"name":"host","version":"1"},"`+mcp.MetaKeyClientCapabilities+
		`":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`,
		"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", era, "Mcp-Method", method, "Mcp-Name", name)
	for line := range strings.Lines(text) {
		if data, is := strings.CutPrefix(line, "data: "); is && strings.Contains(data, `"id":1`) {
			return data
		}
	}
	return text
}

// TestToolsOfAnyNode: a host that is connected to a node changes sessions of another one by its tools, and waits for what comes of it.
//
// Proves: I16.7/tools
func TestToolsOfAnyNode(t *testing.T) {
	w := begin(t, peersFlags...)
	w.create()
	other := w.neighbour()
	id := w.ids[0]
	other.knows(id)
	host := other.host()
	said := func(what string, out map[string]any, want string) {
		t.Helper()
		if text := fmt.Sprint(out); !strings.Contains(text, want) {
			t.Fatalf("%s: %s, want %s", what, text, want)
		}
	}
	said("message", other.tool(host, "session_message", map[string]any{
		"session_id": id, "message": "play\n```script\n[{\"say\":{\"text\":\"Done there.\"}}]\n```", "wait_ms": 60_000,
	}), "Done there.")
	said("again", other.tool(host, "session_message", map[string]any{"session_id": id, "message": "hello", "idempotency_key": "once", "wait_ms": 60_000}), "5 characters")
	said("repeated", other.tool(host, "session_message", map[string]any{"session_id": id, "message": "hello", "idempotency_key": "once"}), "repeated:true")
	said("change", other.tool(host, "session_change", map[string]any{
		"session_id": id, "title": "by a host", "labels": map[string]any{"a": "b"}, "policy": map[string]any{"mode": "ask", "deadline": 60_000},
	}), "")
	said("model", other.tool(host, "session_change", map[string]any{"session_id": id, "model": "scripted/scripted-2"}), "now")
	other.tool(host, "session_message", map[string]any{"session_id": id, "message": "play\n```script\n" +
		`[{"tool":{"name":"edit","args":{"path":"a"},"approve":true,"allowed":[{"wait":{"for":"1h"}}]}}]` + "\n```"})
	w.until("it asks", func() bool {
		_, _, text := w.ask("GET", "/sessions/"+id+"/requests", "")
		return strings.Contains(text, `"r1"`)
	})
	other.tool(host, "session_message", map[string]any{"session_id": id, "message": "waits"})
	said("cancel", other.tool(host, "session_prompts", map[string]any{"session_id": id, "action": "cancel", "prompt_id": "p4"}), "")
	said("answer", other.tool(host, "session_answer", map[string]any{"session_id": id, "request_id": "r1", "outcome": "allowed"}), "allowed")
	said("interrupt", other.tool(host, "session_interrupt", map[string]any{"session_id": id}), "t3")
	w.rest()
	_, _, detail := w.ask("GET", "/sessions/"+id, "")
	for _, want := range []string{`"title":"by a host"`, `"a":"b"`, `"deadline":60000`, `"model":"scripted/scripted-2"`, `"queue":[]`} {
		if !strings.Contains(detail, want) {
			t.Errorf("the session has no %s: %s", want, detail)
		}
	}
	_, _, log := w.ask("GET", "/sessions/"+id+"/log", "")
	if n := strings.Count(log, `"type":"turn_start"`); n != 3 || !strings.Contains(log, `"by":"client:mcp"`) {
		t.Errorf("%d turns in\n%s", n, log)
	}

	task := other.modern("tools/call", "session_message", `"name":"session_message","arguments":{"session_id":"`+id+`","message":"play\n`+"```script"+`\n[{\"wait\":{\"for\":\"1h\"}}]\n`+"```"+`"}`)
	var begun struct {
		Result struct {
			TaskID string `json:"taskId"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(task), &begun); err != nil || begun.Result.TaskID == "" {
		t.Fatal(err, task)
	}
	w.until("it runs", func() bool {
		_, _, text := w.ask("GET", "/sessions/"+id, "")
		return strings.Contains(text, `"turns":4`)
	})
	other.until("it is cancelled", func() bool { // the host's node hears a moment later that it runs, and stops its turn and no other then
		answer := other.modern("tasks/cancel", begun.Result.TaskID, `"taskId":"`+begun.Result.TaskID+`"`)
		return !strings.Contains(answer, `"error"`)
	})
	w.rest()
	said("end", other.tool(host, "session_end", map[string]any{"session_id": id, "reason": "enough"}), "status:completed")
	said("delete", other.tool(host, "session_delete", map[string]any{"session_id": id}), "true")
	other.until("the list has it no more", func() bool { return len(other.list()) == 0 })
	if status, _, _ := w.ask("GET", "/sessions/"+id, ""); status != http.StatusNotFound {
		t.Errorf("the session is still there: %d", status)
	}
}
