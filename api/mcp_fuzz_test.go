package api

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// FuzzMCPBody posts any body to /mcp, of either era: the daemon answers with a message of JSON-RPC, a problem or nothing, it never fails, and
// answers what is right after it (promise 14.5).
func FuzzMCPBody(f *testing.F) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + newEra + `","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"list_sessions","arguments":{},` + meta + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `[]`, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":1,"Method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\u0000"}}`, `{"jsonrpc":"1.0"}`, `{`, `null`, "\xff",
		`{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ringmaster://sessions/../x"}}`,
		strings.Repeat("[", 10_000), `{"jsonrpc":"2.0","id":1e400,"method":"ping"}`,
	} {
		f.Add([]byte(body), true)
		f.Add([]byte(body), false)
	}
	a, err := New(Config{Supervisor: newTree(f), Token: testToken, Version: "test"})
	if err != nil {
		f.Fatal(err)
	}
	server := NewServer(a)
	f.Cleanup(func() {
		if err := server.Close(context.Background()); err != nil {
			f.Error(err)
		}
	})
	post := func(t *testing.T, body []byte, modern bool) *httptest.ResponseRecorder {
		r := cell{pattern: "POST /mcp", host: testHost, token: "Bearer " + testToken, contentType: "application/json"}.request(&guard.Route{})
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Accept", "application/json, text/event-stream")
		if modern {
			r.Header.Set("Mcp-Protocol-Version", newEra)
			var m struct {
				Method string
				Params struct{ Name string }
			}
			_ = json.Unmarshal(body, &m) // a body that is none has no method either
			r.Header.Set("Mcp-Method", m.Method)
			r.Header.Set("Mcp-Name", m.Params.Name)
		}
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() { a.Handler().ServeHTTP(w, r); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatalf("%q: no answer", body)
		}
		if id := w.Header().Get("Mcp-Session-Id"); id != "" { // of the old era: it would be kept for a while
			r := cell{pattern: "DELETE /mcp", host: testHost, token: "Bearer " + testToken}.request(&guard.Route{})
			r.Header.Set("Mcp-Session-Id", id)
			a.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}
		return w
	}
	f.Fuzz(func(t *testing.T, body []byte, modern bool) {
		w := post(t, body, modern)
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%q: %d %s", body, w.Code, w.Body)
		}
		answer := w.Body.Bytes()
		media := w.Header().Get("Content-Type")
		switch {
		case len(bytes.TrimSpace(answer)) == 0:
		case strings.HasPrefix(media, "text/event-stream"):
			frames := protocol.NewSSEReader(w.Body, 1<<20)
			for frame, err := frames.Next(); err == nil; frame, err = frames.Next() {
				if len(frame.Data) > 0 && !json.Valid(frame.Data) {
					t.Fatalf("%q: frame %q", body, frame.Data)
				}
			}
		case strings.Contains(media, "json") && !json.Valid(answer):
			t.Fatalf("%q: %d %q", body, w.Code, answer)
		}
	})
}
