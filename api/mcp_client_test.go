package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	oldEra    = "2025-11-25"
	olderEra  = "2025-06-18"
	newEra    = "2026-07-28"
	taskField = "io.modelcontextprotocol/tasks"
)

// mcpClient is an SDK client that keeps what it is told.
type mcpClient struct {
	t testing.TB
	*sdk.ClientSession

	mu       sync.Mutex
	pushed   []protocol.SessionEvent
	updated  []string
	progress []float64
	late     []time.Duration // of each push
	arrived  chan struct{}   // one slot
}

// bearer adds a token.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}

// connect connects a client of a revision; base is that of the harness, or of a proxy before it.
func (h *harness) connect(version string, change ...func(*sdk.ClientOptions)) *mcpClient {
	h.t.Helper()
	return h.connectAs(testToken, h.base, version, change...)
}

func (h *harness) connectAt(base, version string, change ...func(*sdk.ClientOptions)) *mcpClient {
	h.t.Helper()
	return h.connectAs(testToken, base, version, change...)
}

func (h *harness) connectAs(token, base, version string, change ...func(*sdk.ClientOptions)) *mcpClient {
	h.t.Helper()
	return h.connectBy(&sdk.StreamableClientTransport{Endpoint: base + "/mcp"}, token, version, change...)
}

func (h *harness) connectBy(to *sdk.StreamableClientTransport, token, version string, change ...func(*sdk.ClientOptions)) *mcpClient {
	h.t.Helper()
	c := &mcpClient{t: h.t, arrived: make(chan struct{}, 1)}
	opts := &sdk.ClientOptions{
		LoggingMessageHandler: func(_ context.Context, r *sdk.LoggingMessageRequest) { //nolint:staticcheck // the old era
			var it protocol.SessionEvent
			raw, err := json.Marshal(r.Params.Data)
			if err == nil {
				err = json.Unmarshal(raw, &it)
			}
			if err != nil {
				h.t.Error(err)
			}
			c.note(func() {
				c.pushed = append(c.pushed, it)
				c.late = append(c.late, time.Since(time.UnixMilli(it.Ts)))
			})
		},
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) {
			c.note(func() { c.updated = append(c.updated, r.Params.URI) })
		},
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			c.note(func() { c.progress = append(c.progress, r.Params.Progress) })
		},
	}
	for _, f := range change {
		f(opts)
	}
	transport := &http.Transport{}
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	to.HTTPClient, to.MaxRetries = &http.Client{Transport: bearer{transport, token}}, 20
	cs, err := client.Connect(h.t.Context(), to, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		h.t.Fatal(err)
	}
	c.ClientSession = cs
	h.t.Cleanup(func() {
		_ = cs.Close()
		transport.CloseIdleConnections()
	})
	return c
}

// listening sets the level, as clients of the old era must.
func (c *mcpClient) listening() *mcpClient {
	c.t.Helper()
	if err := c.SetLoggingLevel(c.t.Context(), &sdk.SetLoggingLevelParams{Level: "info"}); err != nil { //nolint:staticcheck // the old era
		c.t.Fatal(err)
	}
	return c
}

func (c *mcpClient) note(do func()) {
	c.mu.Lock()
	do()
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// patience is what a test waits at most for something that must come: far more than any load takes.
const patience = 2 * time.Minute

// received is what comes next; a test whose channel stays silent fails by itself, before the whole run is out of time.
func received[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(patience):
		t.Fatal("nothing came")
		panic("not reached")
	}
}

// await waits until what the client was told satisfies.
func (c *mcpClient) await(ok func() bool) {
	c.t.Helper()
	late := time.After(patience)
	for {
		c.mu.Lock()
		done := ok()
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.arrived:
		case <-late:
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("pushed: %+v, updated: %v", c.pushed, c.updated)
		}
	}
}

// until waits until what was pushed satisfies.
func (c *mcpClient) until(ok func([]protocol.SessionEvent) bool) (got []protocol.SessionEvent) {
	c.t.Helper()
	c.await(func() bool {
		got = slices.Clone(c.pushed)
		return ok(got)
	})
	return got
}

// idleAgain says that the n-th turn has ended.
func idleAgain(n int) func([]protocol.SessionEvent) bool {
	return func(got []protocol.SessionEvent) bool {
		count := 0
		for _, it := range got {
			if it.Type == protocol.ItemStatus && it.Text == "idle" {
				count++
			}
		}
		return count >= n
	}
}

func callTool[T any](c *mcpClient, name string, args any) (out T) {
	c.t.Helper()
	r := c.call(name, args)
	if r.IsError {
		c.t.Fatalf("%s: %s", name, resultText(r))
	}
	return resultOf[T](c.t, r)
}

func resultOf[T any](t testing.TB, r *sdk.CallToolResult) (out T) {
	t.Helper()
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (c *mcpClient) call(name string, args any) *sdk.CallToolResult {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		c.t.Fatalf("%s: %v", name, err)
	}
	if r.StructuredContent != nil {
		c.checkOutput(name, r.StructuredContent)
	}
	return r
}

// outputSchemas are those of the tools, by name: *openapi3.Schema.
var outputSchemas sync.Map

// checkOutput holds what a tool answered against the schema that is listed for it: the daemon itself trusts its own answers.
func (c *mcpClient) checkOutput(name string, out any) {
	c.t.Helper()
	if _, ok := outputSchemas.Load(name); !ok {
		for tool, err := range c.Tools(c.t.Context(), nil) {
			if err != nil {
				c.t.Fatal(err)
			}
			if tool.OutputSchema == nil {
				continue // such as session, whose answers are those of other tools
			}
			s := new(openapi3.Schema)
			raw, err := json.Marshal(tool.OutputSchema)
			if err == nil {
				err = json.Unmarshal(raw, s)
			}
			if err != nil {
				c.t.Fatalf("%s: %v", tool.Name, err)
			}
			outputSchemas.Store(tool.Name, s)
		}
	}
	if s, ok := outputSchemas.Load(name); ok {
		if err := s.(*openapi3.Schema).VisitJSON(out); err != nil {
			c.t.Errorf("%s: %v", name, err)
		}
	}
}

// fails calls a tool that must refuse, with a code.
func (c *mcpClient) fails(code protocol.Code, name string, args any) {
	c.t.Helper()
	r := c.call(name, args)
	if text := resultText(r); !r.IsError || !strings.Contains(text, "("+string(code)+")") {
		c.t.Errorf("%s %v: want %s, got %s", name, args, code, text)
	}
}

func resultText(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, x := range r.Content {
		if t, ok := x.(*sdk.TextContent); ok {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

type args map[string]any

type toldEvent struct {
	protocol.SessionEvent
	Event json.RawMessage `json:"event"`
}

type toldEvents struct {
	Events        []toldEvent       `json:"events"`
	LastIndex     int               `json:"last_index"`
	HasMore       bool              `json:"has_more"`
	Status        string            `json:"status"`
	State         string            `json:"state"`
	Reset         bool              `json:"reset"`
	DroppedEvents int               `json:"dropped_events"`
	Cursors       map[string]string `json:"cursors"`
}

func (e toldEvents) items() (list []protocol.SessionEvent) {
	for _, x := range e.Events {
		list = append(list, x.SessionEvent)
	}
	return list
}

type told struct {
	SessionID      string `json:"session_id"`
	Spawned        bool   `json:"spawned"`
	LastEventIndex int    `json:"last_event_index"`
	PromptID       string `json:"prompt_id"`
	Repeated       bool   `json:"repeated"`
	Push           string `json:"push"`

	Ignored []string `json:"ignored"`
}

var everyType = []string{
	"status", "delta", "message", "tool_call", "tool_result", "completion", "error", "thinking", "prompt", "request", "request_resolved", "system",
}

// say sends a message to a session of an agent, a new one where id is empty.
func (c *mcpClient) say(id, agent, text string) told {
	c.t.Helper()
	if id != "" {
		return callTool[told](c, "session_message", args{"session_id": id, "message": text})
	}
	return callTool[told](c, "session_message", args{"agent": agent, "cwd": "/work", "message": text, "new_session": true})
}

// poll pages through the events of a session.
func (c *mcpClient) poll(id string, page int, types ...string) (list []protocol.SessionEvent) {
	c.t.Helper()
	for since := -1; ; {
		e := callTool[toldEvents](c, "session_events", args{"session_id": id, "since_index": since, "max_events": page, "types": types})
		list = append(list, e.items()...)
		if since = e.LastIndex; !e.HasMore {
			return list
		}
	}
}

// settledMCP waits for the end of a turn.
func (c *mcpClient) settled(id string, since int) toldEvents {
	c.t.Helper()
	return callTool[toldEvents](c, "session_events", args{"session_id": id, "since_index": since, "follow": true, "wait_ms": 55000, "max_bytes": 4 << 20})
}

// expected folds a log as it stands on HTTP: what is polled, and what is pushed.
func (h *harness) expected(id string) (polled, pushed []protocol.SessionEvent) {
	h.t.Helper()
	items, push := new(protocol.Items), protocol.NewPush(id)
	for line := range strings.Lines(string(h.log(id, ""))) {
		e, err := protocol.Decode([]byte(strings.TrimSuffix(line, "\n")))
		if err != nil {
			h.t.Fatal(err)
		}
		if it, ok := items.Item(&e); ok {
			polled = append(polled, it)
		}
		if it, ok := push.Item(&e); ok {
			pushed = append(pushed, it)
		}
	}
	return polled, pushed
}

// rpc is an answer of the new era's HTTP transport.
type rpc struct {
	Status int
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// modern sends a request of the new era by hand: the SDK's client knows no tasks.
func (h *harness) modern(method string, params args, tasks bool) (out rpc) {
	h.t.Helper()
	return h.modernAt(h.base, method, params, tasks)
}

func (h *harness) modernAt(base, method string, params args, tasks bool) (out rpc) {
	h.t.Helper()
	capabilities := args{"elicitation": args{}}
	if tasks {
		capabilities["extensions"] = args{taskField: args{}}
	}
	params["_meta"] = args{
		sdk.MetaKeyProtocolVersion: newEra, sdk.MetaKeyClientCapabilities: capabilities,
		sdk.MetaKeyClientInfo: args{"name": "test", "version": "1"},
	}
	body, err := json.Marshal(args{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		h.t.Fatal(err)
	}
	r := h.request("POST", "/mcp", string(body), "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", newEra, "Mcp-Method", method)
	for _, key := range []string{"name", "uri", "taskId"} {
		if name, ok := params[key].(string); ok {
			r.Header.Set("Mcp-Name", name)
		}
	}
	r.URL.Host = strings.TrimPrefix(base, "http://")
	res, err := h.http.Do(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	out.Status = res.StatusCode
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		raw, err := io.ReadAll(res.Body)
		if err == nil {
			err = json.Unmarshal(raw, &out)
		}
		if err != nil {
			h.t.Fatalf("%s: %v", raw, err)
		}
		return out
	}
	for frames := protocol.NewSSEReader(res.Body, 0); ; {
		frame, err := frames.Next()
		if err != nil {
			h.t.Fatalf("%s: the answer is missing: %v", method, err)
		}
		if err := json.Unmarshal(frame.Data, &out); err != nil {
			h.t.Fatal(err)
		}
		if out.Result != nil || out.Error != nil {
			return out
		}
	}
}
