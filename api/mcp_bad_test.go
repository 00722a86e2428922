package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const nowhere = "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11"

// TestMCPBadArguments: what a model got wrong comes back as a result that says so, in both eras; the session goes on.
func TestMCPBadArguments(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		m := c.say("", "echo", "hello")
		for _, tool := range []string{"session_events", "session_get", "session_end", "session_interrupt", "session_prompts", "session_watch"} {
			for _, id := range []string{nowhere, "", "x", "../../etc/passwd", strings.Repeat("é", 500)} {
				c.fails(protocol.CodeSessionNotFound, tool, args{"session_id": id})
			}
		}
		c.fails(protocol.CodeSessionNotFound, "session_message", args{"session_id": nowhere, "message": "x"})
		c.fails(protocol.CodeSessionNotFound, "session_answer", args{"session_id": nowhere, "option": "allow_once"})
		c.fails(protocol.CodeAgentNotFound, "session_create", args{"agent": "nobody", "cwd": "/work"})
		c.fails(protocol.CodeCwdNotAllowed, "session_message", args{"agent": "echo", "cwd": "/etc", "message": "x"})
		c.fails(protocol.CodeInvalidRequest, "session_message", args{"message": "x"})
		c.fails(protocol.CodeInvalidRequest, "session_message", args{"session_id": m.SessionID})
		c.fails(protocol.CodeInvalidRequest, "session_message", args{"session_id": m.SessionID, "message": "x", "streaming_behavior": "now"})
		c.fails(protocol.CodePromptNotFound, "session_prompts", args{"session_id": m.SessionID, "action": "cancel", "prompt_id": "p99"})
		c.fails(protocol.CodeInvalidRequest, "session_prompts", args{"session_id": m.SessionID, "action": "dance"})
		c.fails(protocol.CodeInvalidRequest, "session_list", args{"status": "tired"})
		for _, bad := range []args{
			{"since_index": -2},
			{"max_events": 1001},
			{"max_events": -1},
			{"wait_ms": -1},
			{"types": []string{"joke"}},
			{"include_children": true, "cursors": args{m.SessionID: "x"}},
		} {
			bad["session_id"] = m.SessionID
			c.fails(protocol.CodeInvalidRequest, "session_events", bad)
		}
		for _, bad := range []args{
			{"session_id": 7}, {"session_id": m.SessionID, "since_index": "0"}, {"session_id": m.SessionID, "since_index": 1.5}, {}, {"session_id": m.SessionID, "nope": 1},
		} {
			if r := c.call("session_events", bad); !r.IsError || resultText(r) == "" {
				t.Errorf("%v: %+v", bad, r)
			}
		}
		var known *jsonrpc.Error
		if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_dance"}); !errors.As(err, &known) || known.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("unknown tool: %v", err)
		}
		if _, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "session://" + nowhere + "/log"}); err == nil {
			t.Error("a resource of nothing")
		}
		if e := c.settled(m.SessionID, -1); e.Status != "idle" {
			t.Errorf("%+v", e)
		}
	}
}

// TestMCPBadRequests: the HTTP side of /mcp answers problems, as every other route does.
func TestMCPBadRequests(t *testing.T) {
	h := newHarness(t)
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	both := []string{"Accept", "application/json, text/event-stream"}
	with := func(more ...string) []string { return append(slices.Clone(both), more...) }
	h.refused(401, protocol.CodeUnauthorized, "POST", "/mcp", ping, with("Authorization", "")...)
	h.refused(403, protocol.CodeForbidden, "POST", "/mcp", ping, with("Origin", "https://evil.example")...)
	h.refused(403, protocol.CodeForbidden, "POST", "/mcp", ping, with("Host", "evil.example")...)
	h.refused(415, protocol.CodeUnsupportedMediaType, "POST", "/mcp", ping, with("Content-Type", "text/plain")...)
	h.refused(400, protocol.CodeInvalidRequest, "POST", "/mcp", ping)
	h.refused(400, protocol.CodeInvalidRequest, "POST", "/mcp", `{"jsonrpc":`, both...)
	h.refused(404, protocol.CodeNotFound, "POST", "/mcp", ping, with("Mcp-Session-Id", "nobody")...)
	h.refused(404, protocol.CodeNotFound, "GET", "/mcp", "", with("Mcp-Session-Id", "nobody")...)
	h.refused(400, protocol.CodeInvalidRequest, "GET", "/mcp", "", both...)
	h.refused(400, protocol.CodeInvalidRequest, "DELETE", "/mcp", "", both...)
	h.refused(400, protocol.CodeInvalidRequest, "POST", "/mcp", ping, with("Mcp-Protocol-Version", "1999-01-01")...)
	h.refused(405, protocol.CodeInvalidRequest, "PUT", "/mcp", ping, both...)
	if r := h.modern("tasks/get", args{"taskId": "x"}, true); r.Error == nil {
		t.Error("no error")
	}
	r := h.do("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"x"}}`,
		with("Mcp-Protocol-Version", newEra, "Mcp-Method", "tasks/get", "Mcp-Name", "y")...)
	if r.StatusCode != 400 || !strings.Contains(string(r.body), fmt.Sprint(sdk.CodeHeaderMismatch)) {
		t.Errorf("%d %s", r.StatusCode, r.body)
	}
}

// TestMCPSubscriptions: ten thousand are bounded, with an error that says so; those that were taken work.
func TestMCPSubscriptions(t *testing.T) {
	h := newHarness(t)
	c := h.connect(oldEra)
	m := c.say("", "busy", "x")
	uri := func(n int) string { return fmt.Sprintf("session://%s/log?since=%d", m.SessionID, n) }
	asked, taken, refused := 10_000, 0, 0
	if testing.Short() {
		asked = 1000
	}
	for i := range asked {
		err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri(i)})
		var known *jsonrpc.Error
		switch {
		case err == nil:
			taken++
		case errors.As(err, &known) && strings.Contains(string(known.Data), string(protocol.CodeOverloaded)):
			refused++
		default:
			t.Fatalf("subscription %d: %v", i, err)
		}
	}
	if taken != 256 || refused != asked-256 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
	callTool[args](c, "session_interrupt", args{"session_id": m.SessionID})
	c.await(func() bool { return slices.Contains(c.updated, uri(0)) && slices.Contains(c.updated, uri(255)) })
	if err := c.Unsubscribe(t.Context(), &sdk.UnsubscribeParams{URI: uri(0)}); err != nil {
		t.Fatal(err)
	}
	if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri(9999)}); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	for _, bad := range []string{"session://x/log", "session://" + nowhere + "/log", "session://" + m.SessionID + "/secrets", "file:///etc/passwd"} {
		if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: bad}); err == nil {
			t.Errorf("%s can be watched", bad)
		}
	}
}

// TestMCPUpdates wakes readers of resources in both eras; what they read from their cursor on is the log.
// Proves: I4/wake
func TestMCPUpdates(t *testing.T) {
	h := newHarness(t)
	for _, version := range []string{oldEra, newEra} {
		c := h.connect(version)
		m := c.say("", "asking", "x")
		uri := "session://" + m.SessionID + "/log"
		if err := c.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		c.settledRequest(m.SessionID)
		callTool[args](c, "session_answer", args{"session_id": m.SessionID, "option": "allow_once"})
		c.await(func() bool { return slices.Contains(c.updated, uri) })
		c.settled(m.SessionID, -1)
		var got strings.Builder
		for cursor, newest := "", "-"; cursor != newest; {
			at := uri
			if cursor != "" {
				at += "?since=" + cursor
			}
			r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: at})
			if err != nil {
				t.Fatal(err)
			}
			got.WriteString(r.Contents[0].Text)
			cursor, newest = r.Contents[0].Meta["cursor"].(string), r.Contents[0].Meta["newest"].(string)
		}
		if want := string(h.log(m.SessionID, "")); got.String() != want {
			t.Errorf("read\n%s\nwant\n%s", got.String(), want)
		}
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri + "?since=99999"})
		if err != nil || r.Contents[0].Meta["reset"] != true {
			t.Errorf("beyond the end: %v %+v", err, r)
		}
		ids, err := c.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      &sdk.CompleteReference{Type: "ref/resource", URI: "session://{id}/log{?since}"},
			Argument: sdk.CompleteParamsArgument{Name: "id", Value: m.SessionID[:6]},
		})
		if err != nil || !slices.Contains(ids.Completion.Values, m.SessionID) {
			t.Errorf("%v %+v", err, ids)
		}
	}
}

func (c *mcpClient) settledRequest(id string) {
	c.t.Helper()
	callTool[toldEvents](c, "session_events", args{"session_id": id, "wait_ms": 55000, "types": []string{"request"}})
}

// TestMCPToolsOfARelease: no build that is not made for the conformance suite has what the suite calls.
// Proves: C44
func TestMCPToolsOfARelease(t *testing.T) {
	h := newHarness(t)
	c := h.connect(oldEra)
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Title == "" || tool.Description == "" || tool.Annotations == nil {
			t.Errorf("%s says too little of itself", tool.Name)
		}
	}
	slices.Sort(names)
	want := []string{
		"agent_list", "caller_tool_response", "session_answer", "session_change", "session_cleanup", "session_create", "session_delete", "session_end", "session_events", "session_get", "session_interrupt",
		"session_join", "session_list", "session_message", "session_prompts", "session_summary", "session_text", "session_watch",
	}
	if !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err == nil && len(prompts.Prompts) > 0 {
		t.Errorf("prompts %+v", prompts.Prompts)
	}
	resources, err := c.ListResources(t.Context(), nil)
	if err == nil && len(resources.Resources) > 0 {
		t.Errorf("resources %+v", resources.Resources)
	}
}

// TestMCPStreamsEndWithTheDaemon: whoever listens is let go when it closes.
func TestMCPStreamsEndWithTheDaemon(t *testing.T) {
	tr := newTree(t)
	h := serveTree(t, tr)
	c := h.connect(oldEra)
	res, err := h.http.Do(h.request("GET", "/mcp", "", "Accept", "text/event-stream", "Mcp-Session-Id", c.ID()))
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%v %+v", err, res)
	}
	h.api.close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	_ = res.Body.Close()
}
