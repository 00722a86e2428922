package bridge

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// FuzzRun gives the bridge any bytes of a client, and any answer of the daemon: each line goes to the daemon whole and unchanged or not at
// all, and what the client hears are lines of JSON (promise 14.5).
func FuzzRun(f *testing.F) {
	const call = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`
	f.Add([]byte(call+"\n"), []byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`), false)
	f.Add([]byte("\n \r\n"+call+"\r\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"), []byte("data: {\"id\":1,\ndata: \"result\":{}}\n\ndata: x\n\n: c\n\n"), true)
	f.Add([]byte(`[{"id":1,"method":"a"},{"id":2,"method":"b"}]`+"\n[\n{\n"), []byte("[1,\n2]"), false)
	f.Add([]byte(`{"id":"é","method":"tools/call","params":{"name":"é\n","_meta":{"io.modelcontextprotocol/protocolVersion":"2026\r\nX: y"}}}`), []byte("not JSON"), false)
	f.Add([]byte(`{"method":"notifications/cancelled","params":{"requestId":1}}`+"\n"+`{"id":null,"method":"initialize"}`), []byte{}, true)
	f.Fuzz(func(t *testing.T, said, answer []byte, stream bool) {
		whole := map[string]bool{}
		for _, line := range bytes.Split(said, []byte{'\n'}) {
			whole[string(bytes.TrimSpace(line))] = true
		}
		daemon := func(_ context.Context, method string, _ http.Header, body []byte) (*http.Response, error) {
			if method != http.MethodPost {
				return &http.Response{StatusCode: http.StatusMethodNotAllowed, Body: http.NoBody, Header: http.Header{}}, nil
			}
			if !whole[string(body)] || bytes.IndexByte(body, '\n') >= 0 {
				t.Errorf("the daemon got %q of %q", body, said)
			}
			media := "application/json"
			if stream {
				media = "text/event-stream"
			}
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {media}, "Mcp-Session-Id": {"s"}},
				Body: io.NopCloser(bytes.NewReader(answer)),
			}, nil
		}
		var out heard
		if err := Run(t.Context(), daemon, bytes.NewReader(said), &out, io.Discard); err != nil && len(said) < maxLine {
			t.Fatalf("%q: %v", said, err)
		}
		for line := range strings.Lines(out.text.String()) {
			if !strings.HasSuffix(line, "\n") || !json.Valid([]byte(line)) {
				t.Errorf("the client hears %q", line)
			}
		}
	})
}

// heard is a client's ear, which several goroutines speak to.
type heard struct {
	mu   sync.Mutex
	text strings.Builder
}

func (h *heard) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.Write(b)
}
