package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mcp sends a request of MCP's revision without sessions, with a token, as a client of these extensions.
func (w *world) mcp(token, method string, params map[string]any, extensions ...string) *http.Response {
	w.Helper()
	able := map[string]any{}
	for _, name := range extensions {
		able[name] = map[string]any{}
	}
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion": newEra, "io.modelcontextprotocol/clientCapabilities": map[string]any{"extensions": able},
		"io.modelcontextprotocol/clientInfo": map[string]any{"name": "live", "version": "1"},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		w.Fatal(err)
	}
	url, _ := w.daemon.mcpServer(w)
	req, err := http.NewRequestWithContext(w.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	name, _ := params["name"].(string)
	if task, ok := params["taskId"].(string); ok {
		name = task
	}
	for key, value := range map[string]string{
		"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": newEra, "Mcp-Method": method, "Mcp-Name": name,
	} {
		req.Header.Set(key, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = res.Body.Close() })
	return res
}

// accepts is the status with which a token is answered.
func (w *world) accepts(token string) int {
	w.Helper()
	return w.mcp(token, "tools/list", map[string]any{}).StatusCode
}

// mcpServer is where a daemon serves MCP, and the token of who administers it.
func (d *daemon) mcpServer(t testing.TB) (url, token string) {
	t.Helper()
	place := datafolder.Folder{Path: d.data}
	address, err := place.ReadAddress()
	if err == nil {
		token, err = discovery.ReadToken(place.TokenFile())
	}
	if err != nil {
		t.Fatal(err)
	}
	return address.HTTP + "/mcp", token
}

// request sends a request as a client of the daemon's does, and reads its result.
func (w *world) request(method string, params map[string]any, out any, extensions ...string) error {
	w.Helper()
	_, token := w.daemon.mcpServer(w)
	res := w.mcp(token, method, params, extensions...)
	var text []byte
	var err error
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		var frame protocol.SSEFrame
		frame, err = protocol.NewSSEReader(res.Body, 0).Next()
		text = frame.Data
	} else {
		text, err = io.ReadAll(res.Body)
	}
	var answer struct{ Result json.RawMessage }
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || answer.Result == nil {
		return fmt.Errorf("%s: %s: %s %w", method, res.Status, text, err)
	}
	return json.Unmarshal(answer.Result, out)
}

// callTool calls a tool; it must work.
func (w *world) callTool(name string, args map[string]any) {
	w.Helper()
	var answer struct{ IsError bool }
	if err := w.request("tools/call", map[string]any{"name": name, "arguments": args}, &answer); err != nil || answer.IsError {
		w.Fatalf("%s: %+v %v", name, answer, err)
	}
}

const tasksExtension = "io.modelcontextprotocol/tasks"

// task is one as the wire has it: the SDK knows none.
type task struct {
	ResultType string
	TaskID     string
	Status     string
	Result     *struct {
		IsError           bool
		StructuredContent result
	}
	Error *struct {
		Code    int
		Message string
	}
}

// beginTask sends a prompt by its key, as a task.
func (s *session) beginTask(text, key string) (k task, err error) {
	s.Helper()
	err = s.request("tools/call", map[string]any{"name": "session_message", "arguments": map[string]any{
		"session_id": s.id, "message": text, "idempotency_key": key,
	}}, &k, tasksExtension)
	if err == nil && k.ResultType != "task" {
		err = fmt.Errorf("it is no task: %+v", k)
	}
	return k, err
}

// getTask looks at a task.
func (s *session) getTask(id string) (k task, err error) {
	s.Helper()
	err = s.request("tasks/get", map[string]any{"taskId": id}, &k, tasksExtension)
	return k, err
}
