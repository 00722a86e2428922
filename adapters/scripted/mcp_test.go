package scripted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// toolServer is an MCP server of today's revision that takes one token.
type toolServer struct {
	t      *testing.T
	calls  []string
	asked  chan struct{} // one slot: a call that waits has come
	stream bool
}

func (s *toolServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     int
		Method string
		Params struct {
			Name      string
			Arguments json.RawMessage
			Meta      map[string]json.RawMessage `json:"_meta"`
		}
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &q)
	}
	p := &q.Params
	if err != nil || r.Header.Get("Mcp-Protocol-Version") != "2026-07-28" || r.Header.Get("Mcp-Method") != q.Method ||
		r.Header.Get("Mcp-Name") != p.Name || string(p.Meta["io.modelcontextprotocol/protocolVersion"]) != `"2026-07-28"` ||
		p.Meta["io.modelcontextprotocol/clientCapabilities"] == nil || q.Method != "tools/call" {
		s.t.Errorf("%v: %v %s", err, r.Header, body)
	}
	if r.Header.Get("Authorization") != "Bearer secret" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"detail":"The token is not valid."}`)
		return
	}
	s.calls = append(s.calls, fmt.Sprintf("%s %s", p.Name, p.Arguments))
	answer := `"result":{"content":[{"type":"text","text":"two "},{"type":"text","text":"parts"}]}`
	switch p.Name {
	case "make":
		answer = `"result":{"content":[{"type":"text","text":"made"}],"structuredContent":{"id":"a\"b","at":7}}`
	case "refuse":
		answer = `"result":{"content":[{"type":"text","text":"not today"}],"isError":true}`
	case "unknown":
		answer = `"error":{"code":-32602,"message":"no such tool"}`
	case "wait":
		s.asked <- struct{}{}
		<-r.Context().Done()
		return
	}
	answer = fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,%s}`, q.ID, answer)
	if s.stream {
		w.Header().Set("Content-Type", "text/event-stream")
		answer = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\ndata: " + answer + "\n\n"
	}
	fmt.Fprint(w, answer)
}

// launched is an agent that is given the server, with a token.
func (s *toolServer) launched(t *testing.T, token, steps string) *client {
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	launch := Agent{}.Launch(adapters.Spec{SessionID: "S", MCP: &adapters.MCPServer{URL: server.URL, Token: token, CallTimeout: time.Minute}})
	c := connect(t, Transport{Script: []byte(`{"default":{"steps":` + steps + `}}`)}, launch)
	c.send(`{"id":"1","type":"prompt","message":"go"}`)
	return c
}

// ends are the results of the tools of a run: text, and whether it failed.
func (c *client) ends() (list []string) {
	for {
		frame, err := c.framer.Next()
		if err != nil {
			c.t.Fatal(err)
		}
		var e struct {
			Type, ToolName string
			IsError        bool
			Result         struct{ Content []struct{ Text string } }
		}
		if err := json.Unmarshal(frame.Line, &e); err != nil {
			c.t.Fatal(err)
		}
		switch e.Type {
		case "tool_execution_end":
			list = append(list, fmt.Sprintf("%s: %s (%t)", e.ToolName, e.Result.Content[0].Text, e.IsError))
		case "agent_settled":
			c.conn.Stop(0)
			_, _ = c.end()
			return list
		}
	}
}

// A tool is called for real, and what it gives goes on into texts and arguments.
func TestMCP(t *testing.T) {
	const steps = `[{"mcp":{"tool":"make","args":{"for":"{{prompt}}"},"as":"m"}},
		{"mcp":{"tool":"read","args":{"id":"{{m.id}}","text":"after {{m.at}}","at":"{{m.at}}"},"as":"r"}},
		{"mcp":{"tool":"read","args":{"all":"{{r}}"}}}, {"mcp":{"tool":"refuse"}}, {"mcp":{"tool":"unknown"}}]`
	for _, stream := range []bool{false, true} {
		s := &toolServer{t: t, stream: stream}
		got := s.launched(t, "secret", steps).ends()
		want := []string{"make: made (false)", "read: two parts (false)", "read: two parts (false)", "refuse: not today (true)", "unknown: no such tool (true)"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		called := []string{`make {"for":"go"}`, `read {"id":"a\"b","text":"after 7","at":7}`, `read {"all":"two parts"}`, "refuse {}", "unknown {}"}
		if !slices.Equal(s.calls, called) {
			t.Errorf("called %q, want %q", s.calls, called)
		}
	}
}

// A call that does not come about is a failed tool, and the script goes on.
func TestMCPFails(t *testing.T) {
	const steps = `[{"mcp":{"tool":"make"}}]`
	if got := (&toolServer{t: t}).launched(t, "old", steps).ends(); !slices.Equal(got, []string{"make: the server answered 401 Unauthorized: The token is not valid. (true)"}) {
		t.Errorf("with a token that is not valid: %q", got)
	}
	c := connect(t, Transport{Script: []byte(`{"default":{"steps":` + steps + `}}`)}, Agent{}.Launch(adapters.Spec{SessionID: "S"}))
	c.send(`{"id":"1","type":"prompt","message":"go"}`)
	if got := c.ends(); !slices.Equal(got, []string{"make: This session was given no MCP server. (true)"}) {
		t.Errorf("without a server: %q", got)
	}
	if _, err := Parse([]byte(`{"start":[],"default":{"steps":[{"mcp":{}}]}}`)); err == nil || !strings.Contains(err.Error(), "the tool's name is missing") {
		t.Errorf("without a tool: %v", err)
	}
}

// An abort ends a call that waits.
func TestMCPAborted(t *testing.T) {
	s := &toolServer{t: t, asked: make(chan struct{}, 1)}
	c := s.launched(t, "secret", `[{"mcp":{"tool":"wait"}}]`)
	<-s.asked
	c.send(`{"id":"2","type":"abort"}`)
	if got := c.ends(); !slices.Equal(got, []string{"wait: Operation aborted (true)"}) {
		t.Errorf("got %q", got)
	}
}
