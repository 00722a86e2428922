package live

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// mcp sends a request of MCP's revision without sessions, with a token.
func (w *world) mcp(token, method string, params map[string]any) *http.Response {
	w.Helper()
	const revision = "2026-07-28"
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion": revision, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
		"io.modelcontextprotocol/clientInfo": map[string]any{"name": "live", "version": "1"},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		w.Fatal(err)
	}
	address, err := datafolder.Folder{Path: w.daemon.data}.ReadAddress()
	if err != nil {
		w.Fatal(err)
	}
	req, err := http.NewRequestWithContext(w.Context(), http.MethodPost, address.HTTP+"/mcp", bytes.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	name, _ := params["name"].(string)
	for key, value := range map[string]string{
		"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": revision, "Mcp-Method": method, "Mcp-Name": name,
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

// callTool calls a tool as a client of the daemon's does; it must work.
func (w *world) callTool(name string, args map[string]any) {
	w.Helper()
	token, err := datafolder.ReadToken(datafolder.Folder{Path: w.daemon.data}.TokenFile())
	if err != nil {
		w.Fatal(err)
	}
	res := w.mcp(token, "tools/call", map[string]any{"name": name, "arguments": args})
	var text []byte
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		var frame protocol.SSEFrame
		frame, err = protocol.NewSSEReader(res.Body, 0).Next()
		text = frame.Data
	} else {
		text, err = io.ReadAll(res.Body)
	}
	var answer struct{ Result *struct{ IsError bool } }
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err != nil || answer.Result == nil || answer.Result.IsError {
		w.Fatalf("%s: %s: %s %v", name, res.Status, text, err)
	}
}
