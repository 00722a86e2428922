package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// editor is what the client of these tests offers.
var editor = []args{
	{"name": "selection", "description": "What the user has selected.", "inputSchema": args{
		"type": "object", "properties": args{"path": args{"type": "string"}}, "required": []string{"path"},
	}},
	{"name": "beep"},
}

// offering is a session whose agent is busy, and a client that offers it the editor's tools.
func (h *harness) offering(version string) (*mcpClient, string) {
	h.t.Helper()
	c := h.connect(version)
	if version != newEra {
		c.listening()
	}
	m := callTool[told](c, "session_message", args{
		"agent": "busy", "cwd": "/work", "message": "go", "new_session": true, "caller_id": "editor", "caller_tools": editor,
	})
	if !m.Spawned {
		h.t.Fatalf("%+v", m)
	}
	return c, m.SessionID
}

// agentClient is the agent of a session as an MCP client.
type agentClient struct {
	*mcpClient
	changed chan struct{} // one slot: its list of tools has changed
	revoke  func()
}

func (h *harness) agentOf(id, version string) *agentClient {
	h.t.Helper()
	secret, revoke := h.api.cfg.Tokens.Grant(id, "")
	h.t.Cleanup(revoke)
	a := &agentClient{changed: make(chan struct{}, 1), revoke: revoke}
	a.mcpClient = h.connectAs(secret, h.base, version, func(o *sdk.ClientOptions) {
		o.ToolListChangedHandler = func(context.Context, *sdk.ToolListChangedRequest) {
			select {
			case a.changed <- struct{}{}:
			default:
			}
		}
	})
	return a
}

// tools are the names of the agent's tools, and the schema of each.
func (a *agentClient) tools() (names []string, schemas map[string]any) {
	a.t.Helper()
	list, err := a.ListTools(a.t.Context(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	schemas = map[string]any{}
	for _, t := range list.Tools {
		names = append(names, t.Name)
		schemas[t.Name] = t.InputSchema
	}
	return names, schemas
}

// calls calls a tool of the editor, and gives what comes of it.
func (a *agentClient) calls(ctx context.Context, tool string, arguments any) <-chan *sdk.CallToolResult {
	done := make(chan *sdk.CallToolResult, 1)
	go func() { // ends with the call
		r, err := a.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			r = &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: "rpc: " + err.Error()}}}
		}
		done <- r
	}()
	return done
}

// asked waits for the n-th call of a caller's tool, from 1.
func (c *mcpClient) asked(id string, n int) protocol.SessionEvent {
	c.t.Helper()
	for since, seen := -1, 0; ; {
		e := callTool[toldEvents](c, "session_events", args{
			"session_id": id, "since_index": since, "types": []string{"caller_tool_request"}, "wait_ms": 55000,
		})
		if seen += len(e.Events); seen >= n {
			return e.Events[len(e.Events)-1-(seen-n)].SessionEvent
		}
		since = e.LastIndex
	}
}

// resolved are the ends of the calls in a log, in order.
func (h *harness) resolved(id string) (list []protocol.RequestResolved) {
	h.t.Helper()
	for line := range strings.Lines(string(h.log(id, ""))) {
		e, err := protocol.Decode([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			h.t.Fatal(err)
		}
		if p, ok := e.Payload.(*protocol.RequestResolved); ok {
			list = append(list, *p)
		}
	}
	return list
}

func (h *harness) state(id string) protocol.State {
	h.t.Helper()
	d, err := h.door().Describe(access.With(h.t.Context(), access.Root), id)
	if err != nil {
		h.t.Fatal(err)
	}
	return d.Status.State
}

// TestCallerTools: a client of either era offers, an agent of either era calls.
// Proves: D1.6/callers
func TestCallerTools(t *testing.T) {
	for _, offers := range []string{oldEra, newEra} {
		for _, calls := range []string{oldEra, newEra} {
			t.Run(offers+" to "+calls, func(t *testing.T) {
				h := newHarness(t)
				c, id := h.offering(offers)
				a := h.agentOf(id, calls)
				names, schemas := a.tools()
				if !slices.Contains(names, "editor_selection") || !slices.Contains(names, "editor_beep") || !slices.Contains(names, "session_join") {
					t.Fatalf("%v", names)
				}
				if got, _ := json.Marshal(schemas["editor_selection"]); !strings.Contains(string(got), `"required":["path"]`) {
					t.Fatalf("%s", got)
				}
				done := a.calls(t.Context(), "editor_selection", args{"path": "main.go"})
				it := c.asked(id, 1)
				if it.RequestID != "c1" || it.Tool != "selection" || it.ToolName != "editor_selection" || it.Arguments != `{"path":"main.go"}` {
					t.Fatalf("%+v", it)
				}
				if offers == oldEra { // and it is pushed
					pushed := c.until(func(l []protocol.SessionEvent) bool {
						return slices.ContainsFunc(l, func(x protocol.SessionEvent) bool { return x.Type == protocol.ItemCallerTool })
					})
					i := slices.IndexFunc(pushed, func(x protocol.SessionEvent) bool { return x.Type == protocol.ItemCallerTool })
					want := it
					want.Index, want.SessionID = 0, id
					if !pushed[i].Equal(want) {
						t.Errorf("pushed %+v, polled %+v", pushed[i], it)
					}
				}
				out := callTool[args](c, "caller_tool_response", args{"session_id": id, "request_id": it.RequestID, "result": "func main() {}", "client_id": "editor"})
				if out["outcome"] != "answered" {
					t.Errorf("%v", out)
				}
				if r := received(t, done); r.IsError || resultText(r) != "func main() {}" {
					t.Errorf("the agent gets %+v", r)
				}
				if got := h.resolved(id); len(got) != 1 || got[0].Outcome != protocol.OutcomeAnswered || got[0].By != "client:editor" {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

// TestLongArgumentsAreForWhoCarriesThemOut: all others that look are told that there are some.
// Proves: I10.2/bounded
func TestLongArgumentsAreForWhoCarriesThemOut(t *testing.T) {
	h := newHarness(t)
	c, id := h.offering(oldEra)
	a := h.agentOf(id, oldEra)
	long := strings.Repeat("a", 100<<10)
	done := a.calls(t.Context(), "editor_selection", args{"path": long})
	if it := c.asked(id, 1); string(it.Arguments) != `{"path":"`+long+`"}` {
		t.Errorf("who carries it out gets %d bytes", len(it.Arguments))
	}
	other := h.connect(oldEra)
	r, err := other.CallTool(t.Context(), &sdk.CallToolParams{Name: "session_events", Arguments: args{"session_id": id, "types": []string{"caller_tool_request"}}})
	if err != nil {
		t.Fatal(err)
	}
	wire, err := json.Marshal(r)
	if err != nil || len(wire) > 32<<10 {
		t.Errorf("%v, %d bytes", err, len(wire))
	}
	if got := resultOf[toldEvents](t, r); len(got.Events) != 1 || !got.Events[0].Truncated {
		t.Errorf("%+v", got)
	}
	callTool[args](c, "caller_tool_response", args{"session_id": id, "request_id": "c1", "result": "ok"})
	received(t, done)
}

// TestCallerToolAnswers: what a client answers, over MCP or over HTTP, and what the agent gets.
// Proves: D4.2.callers/answers, T30
func TestCallerToolAnswers(t *testing.T) {
	h := newHarness(t)
	c, id := h.offering(oldEra)
	a := h.agentOf(id, oldEra)
	overHTTP := func(body string) func(string) {
		return func(rid string) {
			if r := h.do("POST", "/sessions/"+id+"/requests/"+rid, body); r.StatusCode != http.StatusOK {
				t.Errorf("%s: %s", body, r.body)
			}
		}
	}
	overMCP := func(answer args) func(string) {
		return func(rid string) {
			answer["session_id"], answer["request_id"] = id, rid
			callTool[args](c, "caller_tool_response", answer)
		}
	}
	image := args{"content": []args{{"type": "image", "data": "aGk=", "mimeType": "image/png"}}, "isError": false}
	for n, x := range []struct {
		Writer func(rid string)
		text   string
		fails  bool
	}{
		{overMCP(args{"result": args{"b": 1, "a": []int{2}}}), `{"a":[2],"b":1}`, false},
		{overMCP(args{"result": nil}), "null", false},
		{overMCP(args{"result": 7}), "7", false},
		{overMCP(args{"result": args{"content": []args{{"type": "text", "text": "own words"}}, "isError": true}}), "own words", true},
		{overMCP(args{"error": "The file is not open."}), "The file is not open.", true},
		{overHTTP(`{"result":"text"}`), "text", false},
		{overHTTP(`{"result":null}`), "null", false},
		{overHTTP(`{"outcome":"failed","message":"no window"}`), "no window", true},
		{overHTTP(`{"outcome":"cancelled"}`), "the call was cancelled", true},
	} {
		done := a.calls(t.Context(), "editor_beep", nil)
		x.Writer(c.asked(id, n+1).RequestID)
		if r := received(t, done); r.IsError != x.fails || resultText(r) != x.text {
			t.Errorf("%d: %v %q, want %v %q", n, r.IsError, resultText(r), x.fails, x.text)
		}
	}
	done := a.calls(t.Context(), "editor_beep", nil)
	overMCP(args{"result": image})(c.asked(id, 10).RequestID)
	if r := received(t, done); len(r.Content) != 1 || string(r.Content[0].(*sdk.ImageContent).Data) != "hi" {
		t.Errorf("%+v", r)
	}
}

// TestCallerToolBadAnswers: unknown and answered requests, and answers that are none.
// Proves: D4.2.callers/answers, T30
func TestCallerToolBadAnswers(t *testing.T) {
	h := newHarness(t)
	c, id := h.offering(newEra)
	a := h.agentOf(id, newEra)
	done := a.calls(t.Context(), "editor_beep", nil)
	rid := c.asked(id, 1).RequestID
	response := func(change args) args {
		x := args{"session_id": id, "request_id": rid}
		for k, v := range change {
			x[k] = v
		}
		return x
	}
	c.fails(protocol.CodeRequestNotFound, "caller_tool_response", response(args{"request_id": "c9", "result": 1}))
	c.fails(protocol.CodeSessionNotFound, "caller_tool_response", response(args{"session_id": "nobody", "result": 1}))
	c.fails(protocol.CodeInvalidRequest, "caller_tool_response", response(args{}))
	c.fails(protocol.CodeInvalidRequest, "caller_tool_response", response(args{"result": 1, "error": "both"}))
	c.fails(protocol.CodeTooLarge, "caller_tool_response", response(args{"result": strings.Repeat("x", 1<<20)}))
	c.fails(protocol.CodeTooLarge, "caller_tool_response", response(args{"error": strings.Repeat("x", 1<<17)}))
	c.fails(protocol.CodeInvalidRequest, "session_answer", args{"session_id": id, "request_id": rid, "option": "allow_once"})
	c.fails(protocol.CodeRequestNotFound, "session_answer", args{"session_id": id, "option": "allow_once"}) // it is none that is meant
	for _, body := range []string{`{}`, `{"outcome":"failed"}`, `{"outcome":"allowed"}`, `{"result":1,"option":"allow_once"}`, `{"answers":[["x"]]}`} {
		if p := h.do("POST", "/sessions/"+id+"/requests/"+rid, body).problem(t); p.Code != protocol.CodeInvalidRequest {
			t.Errorf("%s: %+v", body, p)
		}
	}
	var open resource.RequestList
	h.do("GET", "/sessions/"+id+"/requests", "").into(t, &open)
	if len(open.Requests) != 1 || open.Requests[0].Kind != protocol.RequestCallerTool || open.Requests[0].CallerID != "editor" || open.Requests[0].Arguments != "{}" {
		t.Errorf("%+v", open)
	}
	if st := h.state(id); st != protocol.StateQueued && st != protocol.StateResponding {
		t.Errorf("the state is %s", st)
	}
	callTool[args](c, "caller_tool_response", response(args{"result": 1}))
	if r := received(t, done); resultText(r) != "1" {
		t.Errorf("%+v", r)
	}
	c.fails(protocol.CodeRequestAlreadyResolved, "caller_tool_response", response(args{"result": 2}))
	if p := h.do("POST", "/sessions/"+id+"/requests/"+rid, `{"result":3}`).problem(t); p.Code != protocol.CodeRequestAlreadyResolved || p.By != "client:mcp" {
		t.Errorf("%+v", p)
	}
}

// TestCallerToolEnds: the ways in which nobody answers.
// Proves: D4.2.callers/ends, T30
func TestCallerToolEnds(t *testing.T) {
	for name, x := range map[string]struct {
		end     func(h *harness, c *mcpClient, a *agentClient, id string, cancel func())
		text    string // empty: the agent hears no more
		outcome protocol.RequestResolved
	}{
		"client leaves": {
			func(_ *harness, c *mcpClient, _ *agentClient, _ string, _ func()) { _ = c.Close() },
			"The caller is not connected.",
			protocol.RequestResolved{Outcome: protocol.OutcomeFailed, Message: "The caller is not connected.", By: "daemon"},
		},
		"client withdraws": {
			func(_ *harness, c *mcpClient, _ *agentClient, id string, _ func()) {
				callTool[told](c, "session_message", args{"session_id": id, "message": "x", "caller_id": "editor", "caller_tools": []args{}})
			},
			"The caller does not offer its tools any more.",
			protocol.RequestResolved{Outcome: protocol.OutcomeFailed, Message: "The caller does not offer its tools any more.", By: "daemon"},
		},
		"agent gives up": {
			func(_ *harness, _ *mcpClient, _ *agentClient, _ string, cancel func()) { cancel() },
			"",
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: "agent"},
		},
		"agent ends its turn": {
			func(h *harness, _ *mcpClient, _ *agentClient, id string, _ func()) {
				h.agent(id).say(adapters.TurnEnded{Status: protocol.TurnCompleted})
			},
			"the call was cancelled",
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: "agent"},
		},
		"agent dies": {
			func(h *harness, _ *mcpClient, _ *agentClient, id string, _ func()) {
				h.agent(id).exit(adapters.Exit{Code: -1, Signal: "killed"})
			},
			"the call was cancelled",
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: "daemon"},
		},
		"token is revoked": {
			func(_ *harness, _ *mcpClient, a *agentClient, _ string, _ func()) { a.revoke() },
			"",
			protocol.RequestResolved{Outcome: protocol.OutcomeCancelled, By: "agent"},
		},
		"time is over": {
			func(*harness, *mcpClient, *agentClient, string, func()) {},
			"editor has not answered within 0 s",
			protocol.RequestResolved{Outcome: protocol.OutcomeExpired, By: "daemon"},
		},
	} {
		for _, era := range []string{oldEra, newEra} {
			t.Run(name+", an agent of "+era, func(t *testing.T) {
				h := newHarness(t, func(c *Config) {
					if name == "time is over" {
						c.CallTimeout = 50 * time.Millisecond
					}
				})
				c, id := h.offering(oldEra)
				a := h.agentOf(id, era)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				done := a.calls(ctx, "editor_beep", nil)
				rid := h.connect(newEra).asked(id, 1).RequestID
				x.end(h, c, a, id, cancel)
				if r := received(t, done); x.text != "" && (!r.IsError || resultText(r) != x.text) {
					t.Errorf("the agent gets %q", resultText(r))
				}
				x.outcome.RequestID = rid
				watcher := h.connect(newEra)
				for since := -1; ; {
					e := callTool[toldEvents](watcher, "session_events", args{"session_id": id, "since_index": since, "types": []string{"request_resolved"}, "wait_ms": 55000})
					if since = e.LastIndex; len(e.Events) > 0 {
						break
					}
				}
				if got := h.resolved(id); len(got) != 1 || fmt.Sprint(got[0]) != fmt.Sprint(x.outcome) {
					t.Errorf("in the log: %+v", got)
				}
			})
		}
	}
}

// TestOffersComeAndGo: the agent's list follows, and it is told.
// Proves: D4.2.callers/offers
func TestOffersComeAndGo(t *testing.T) {
	h := newHarness(t)
	c, id := h.offering(oldEra)
	a := h.agentOf(id, oldEra)
	own := func() (list []string) {
		names, _ := a.tools()
		for _, n := range names {
			if !strings.HasPrefix(n, "session_") && n != "agent_list" {
				list = append(list, n)
			}
		}
		return list
	}
	expect := func(what string, want ...string) {
		t.Helper()
		for received(t, a.changed); !slices.Equal(own(), want); { // what changes in two steps may be told twice
			select {
			case <-a.changed:
			case <-time.After(patience):
				t.Fatalf("%s: %v, want %v", what, own(), want)
			}
		}
	}
	if got := own(); !slices.Equal(got, []string{"editor_beep", "editor_selection"}) {
		t.Fatalf("%v", got)
	}
	other := h.connect(newEra)
	offer := func(c *mcpClient, caller string, tools ...args) {
		t.Helper()
		callTool[told](c, "session_message", args{"session_id": id, "caller_id": caller, "caller_tools": append([]args{}, tools...)})
	}
	offer(other, "shell", args{"name": "run"})
	expect("another caller", "editor_beep", "editor_selection", "shell_run")
	offer(c, "editor", args{"name": "open"})
	expect("replaced", "editor_open", "shell_run")
	offer(other, "shell")
	expect("withdrawn", "editor_open")
	offer(c, "editor", args{"name": "open"}) // the same once more: nothing to tell
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	expect("left")
	// The tools are this session's alone.
	offer(other, "shell", args{"name": "run"})
	if names, _ := h.agentOf(h.create("busy"), oldEra).tools(); slices.Contains(names, "shell_run") {
		t.Errorf("%v", names)
	}
	for _, anybody := range []*mcpClient{other, h.connect(oldEra)} {
		list, err := anybody.ListTools(t.Context(), nil)
		if err != nil || slices.ContainsFunc(list.Tools, func(t *sdk.Tool) bool { return t.Name == "shell_run" }) {
			t.Errorf("%v %+v", err, list)
		}
	}
}

// TestBadOffers: each is refused, and makes no session.
// Proves: D4.2.callers/offers
func TestBadOffers(t *testing.T) {
	h := newHarness(t)
	c := h.connect(newEra)
	many := make([]args, 65)
	for i := range many {
		many[i] = args{"name": fmt.Sprintf("t%d", i)}
	}
	big := args{"type": "object", "description": strings.Repeat("x", 60<<10)}
	for what, x := range map[string]struct {
		caller string
		tools  []args
		code   protocol.Code
	}{
		"no caller":             {"", []args{{"name": "a"}}, protocol.CodeInvalidRequest},
		"a caller of two words": {"my editor", []args{{"name": "a"}}, protocol.CodeInvalidRequest},
		"a long caller":         {strings.Repeat("x", 33), []args{{"name": "a"}}, protocol.CodeInvalidRequest},
		"no name":               {"e", []args{{"name": ""}}, protocol.CodeInvalidRequest},
		"a name with a dot":     {"e", []args{{"name": "a.b"}}, protocol.CodeInvalidRequest},
		"a long name":           {"editor", []args{{"name": strings.Repeat("x", 41)}}, protocol.CodeInvalidRequest},
		"twice":                 {"e", []args{{"name": "a"}, {"name": "a"}}, protocol.CodeInvalidRequest},
		"one of our own":        {"session", []args{{"name": "message"}}, protocol.CodeInvalidRequest},
		"no schema of arguments": {
			"e", []args{{"name": "a", "inputSchema": args{"type": "string"}}}, protocol.CodeInvalidRequest,
		},
		"a header in a bad place": {
			"e",
			[]args{{"name": "a", "inputSchema": args{"type": "object", "properties": args{"x": args{"type": "object", "x-mcp-header": "a b"}}}}},
			protocol.CodeInvalidRequest,
		},
		"too many":             {"e", many, protocol.CodeInvalidRequest},
		"a large schema":       {"e", []args{{"name": "a", "inputSchema": args{"type": "object", "description": strings.Repeat("x", 65<<10)}}}, protocol.CodeTooLarge},
		"a large description":  {"e", []args{{"name": "a", "description": strings.Repeat("x", 5<<10)}}, protocol.CodeTooLarge},
		"too large altogether": {"e", []args{{"name": "a", "inputSchema": big}, {"name": "b", "inputSchema": big}, {"name": "c", "inputSchema": big}, {"name": "d", "inputSchema": big}, {"name": "e", "inputSchema": big}}, protocol.CodeTooLarge},
	} {
		t.Log(what)
		c.fails(x.code, "session_message", args{"agent": "busy", "cwd": "/work", "message": "x", "caller_id": x.caller, "caller_tools": x.tools})
	}
	if page := callTool[args](c, "session_list", args{}); page["total"] != 0.0 {
		t.Errorf("%v", page)
	}
	plain := h.create("busy")
	c.fails(protocol.CodeInvalidRequest, "session_message", args{"session_id": plain})
	c.fails(protocol.CodeInvalidRequest, "session_message", args{"agent": "busy", "cwd": "/work", "caller_id": "e", "caller_tools": []args{{"name": "a"}}})
	c.fails(protocol.CodeConflict, "session_message", args{"session_id": plain, "message": "x", "caller_id": "e", "caller_tools": []args{{"name": "a"}}})
	// One that is found by agent and folder must have the server, too.
	if m := callTool[told](c, "session_message", args{"agent": "busy", "cwd": "/work", "message": "x", "caller_id": "a", "caller_tools": []args{{"name": "b_c"}}}); !m.Spawned {
		t.Errorf("%+v", m)
	} else {
		same := args{"session_id": m.SessionID, "message": "x", "caller_id": "a_b", "caller_tools": []args{{"name": "c"}}}
		c.fails(protocol.CodeConflict, "session_message", same) // both are a_b_c
		for i := range 7 {
			callTool[told](c, "session_message", args{"session_id": m.SessionID, "caller_id": fmt.Sprintf("c%d", i), "caller_tools": []args{{"name": "x"}}})
		}
		c.fails(protocol.CodeOverloaded, "session_message", args{"session_id": m.SessionID, "caller_id": "c9", "caller_tools": []args{{"name": "x"}}})
		h.agentOf(m.SessionID, newEra).fails(protocol.CodeForbidden, "session_message", args{"agent": "busy", "cwd": "/work", "message": "x", "caller_id": "e", "caller_tools": []args{{"name": "a"}}})
	}
}
