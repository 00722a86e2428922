package api

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// shrink cuts the newest segment of a session's journal behind its back.
func shrink(t *testing.T, tr *tree, id string, size int64) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(tr.dir, id, "*.ndjson"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	if err := os.Truncate(files[len(files)-1], size); err != nil {
		t.Fatal(err)
	}
}

func TestStrictBodies(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	long := strings.Repeat("x", 1<<20+1)
	for _, row := range []struct {
		name, method, path, body string
		status                   int
	}{
		{"unknown key", "POST", "/sessions", `{"agent":"echo","cwd":"/work","bogus":1}`, 422},
		{"key in another case", "POST", "/sessions", `{"Agent":"echo","cwd":"/work"}`, 422},
		{"both cases", "POST", "/sessions", `{"agent":"none","AGENT":"echo","cwd":"/work"}`, 422},
		{"key twice", "POST", "/sessions", `{"agent":"none","agent":"echo","cwd":"/work"}`, 400},
		{"key twice, escaped", "POST", "/sessions", `{"agent":"none","\u0061gent":"echo","cwd":"/work"}`, 400},
		{"nested key twice", "POST", "/sessions", `{"agent":"echo","cwd":"/work","labels":{"a":"1","a":"2"}}`, 400},
		{"missing key", "POST", "/sessions", `{"agent":"echo"}`, 422},
		{"wrong type", "POST", "/sessions", `{"agent":7,"cwd":"/work"}`, 422},
		{"null", "POST", "/sessions", `{"agent":null,"cwd":"/work"}`, 422},
		{"empty agent", "POST", "/sessions", `{"agent":"","cwd":"/work"}`, 422},
		{"array", "POST", "/sessions", `[]`, 400},
		{"text", "POST", "/sessions", `"x"`, 400},
		{"broken", "POST", "/sessions", `{"agent":`, 400},
		{"two values", "POST", "/sessions", `{"agent":"echo","cwd":"/work"}{}`, 400},
		{"no UTF-8", "POST", "/sessions", "{\"agent\":\"echo\",\"cwd\":\"/work\xff\"}", 400},
		{"too deep", "POST", "/sessions", `{"agent":` + strings.Repeat("[", 1000) + strings.Repeat("]", 1000) + `}`, 400},
		{"NaN", "POST", "/sessions", `{"agent":NaN}`, 400},
		{"title too long", "POST", "/sessions", `{"agent":"echo","cwd":"/work","title":"` + strings.Repeat("x", 501) + `"}`, 422},
		{"label with a colon", "POST", "/sessions", `{"agent":"echo","cwd":"/work","labels":{"a:b":"c"}}`, 400},
		{"prompt of a wrong type", "POST", "/sessions", `{"agent":"echo","cwd":"/work","prompt":7}`, 422},
		{"empty prompt", "POST", "/sessions", `{"agent":"echo","cwd":"/work","prompt":{}}`, 400},
		{"prompt with an unknown key", "POST", "/sessions", `{"agent":"echo","cwd":"/work","prompt":{"text":"x","bogus":1}}`, 422},
		{"no text", "POST", "/sessions/" + id + "/prompts", `{}`, 400},
		{"text too long", "POST", "/sessions/" + id + "/prompts", `{"text":"` + long + `"}`, 422},
		{"unknown behavior", "POST", "/sessions/" + id + "/prompts", `{"text":"x","streamingBehavior":"now"}`, 422},
		{"unknown outcome", "POST", "/sessions/" + id + "/requests/r1", `{"outcome":"maybe"}`, 422},
		{"body over the limit", "POST", "/sessions/" + id + "/requests/r1", `{"message":"` + long + `"}`, 413},
		{"patch of a wrong type", "PATCH", "/sessions/" + id, `{"labels":7}`, 422},
		{"end with an unknown key", "POST", "/sessions/" + id + "/end", `{"force":true}`, 422},
		{"interrupt with an array", "POST", "/sessions/" + id + "/interrupt", `[]`, 400},
	} {
		r := h.do(row.method, row.path, row.body)
		if r.StatusCode != row.status {
			t.Errorf("%s: got %d, want %d: %s", row.name, r.StatusCode, row.status, r.body)
			continue
		}
		if p := r.problem(t); len(r.body) > 4096 {
			t.Errorf("%s: an answer of %d bytes: %s", row.name, len(r.body), p.Detail)
		}
	}
	h.want(http.StatusBadRequest, "POST", "/sessions", "", "Content-Type", "application/json")
	var s resource.SessionDetail // and nothing of it had an effect
	h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &s)
	if s.Status.State != protocol.StateIdle {
		t.Errorf("state %s", s.Status.State)
	}
}

// TestChunkedBody: a body without a length is cut at the limit as well.
func TestChunkedBody(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	body := io.MultiReader(strings.NewReader(`{"reason":"`), strings.NewReader(strings.Repeat("x", 64<<10)), strings.NewReader(`"}`))
	r := h.request("POST", "/sessions/"+id+"/end", "x")
	r.Body, r.ContentLength = io.NopCloser(body), -1
	res, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("got %d", res.StatusCode)
	}
}

// TestSlowBody: a client that does not send its body is let go.
func TestSlowBody(t *testing.T) {
	bubble(t, func(t *testing.T, _ *harness, l *pipeListener) {
		c := l.dial()
		defer c.Close()
		if _, err := fmt.Fprintf(c, "POST /sessions HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", testToken); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(c) // virtual: 30 s
		if !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") {
			t.Errorf("got %q, %v", answer, err)
		}
	})
}

func TestSlowHeader(t *testing.T) {
	bubble(t, func(t *testing.T, _ *harness, l *pipeListener) {
		c := l.dial()
		defer c.Close()
		if _, err := io.WriteString(c, "GET /health HTTP/1.1\r\nHost: pi"); err != nil {
			t.Fatal(err)
		}
		if answer, _ := io.ReadAll(c); len(answer) > 0 && !bytes.Contains(answer, []byte(" 408 ")) && !bytes.Contains(answer, []byte(" 400 ")) {
			t.Errorf("got %q", answer)
		}
	})
}

func TestQueryIsStrict(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	for _, path := range []string{
		"/sessions?x=1", "/sessions/" + id + "?x=1", "/sessions/" + id + "/log?Since=1", "/sessions/" + id + "/state?x", "/agents?x=1", "/health?x=1",
	} {
		h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", path, "")
	}
}

// TestPanic: a handler that panics answers with a problem, and the log says where and not what.
func TestPanic(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, Log: zap.New(core)})
	if err != nil {
		t.Fatal(err)
	}
	a.routes.HandleFunc("GET /panic", func(http.ResponseWriter, *http.Request) { panic("SECRET prompt") })
	a.routes.HandleFunc("GET /late", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("SECRET prompt")
	})
	w := httptest.NewRecorder()
	a.Handler().ServeHTTP(w, cell{pattern: "GET /panic", host: testHost, token: "Bearer " + testToken}.request(&guard.Route{}))
	if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), `"code":"internal"`) || strings.Contains(w.Body.String(), "SECRET") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("a half answer ends with %v", p)
			}
		}()
		a.Handler().ServeHTTP(httptest.NewRecorder(), cell{pattern: "GET /late", host: testHost, token: "Bearer " + testToken}.request(&guard.Route{}))
	}()
	text := dump(logs)
	if !strings.Contains(text, "handler panicked") || !strings.Contains(text, "badinput_test.go") || strings.Contains(text, "SECRET") {
		t.Errorf("logged: %s", text)
	}
}

// TestInternalErrors: what goes wrong inside is told to the log, not to the client.
// Proves: P4/problems
func TestInternalErrors(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	h := newHarness(t, func(c *Config) { c.Log = zap.New(core) })
	id := h.create("busy")
	h.tree.grow(id, 3000)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	file := filepath.Join(h.tree.dir, id, "000001.ndjson")
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o700)); err != nil { // neither damage nor a disk's word
		t.Fatal(err)
	}
	r := h.want(http.StatusInternalServerError, "GET", "/sessions/"+id+"/state", "")
	if p := r.problem(t); p.Code != protocol.CodeInternal || bytes.Contains(r.body, []byte(".ndjson")) || p.Detail != "" {
		t.Errorf("got %s", r.body)
	}
	if text := dump(logs); !strings.Contains(text, "request failed") || !strings.Contains(text, "getSessionState") {
		t.Errorf("logged: %s", text)
	}
}

// TestNoTextInLogs: neither what users write nor what agents say nor the token gets into the daemon's own log.
func TestNoTextInLogs(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	h := newHarness(t, func(c *Config) { c.Log = zap.New(core) })
	id := h.create("echo")
	h.turn(id, "SECRETPROMPT")
	h.log(id, "")
	h.do("GET", "/sessions?q=SECRETQUERY", "")
	h.do("GET", "/SECRETPATH", "")
	h.do("POST", "/sessions", `{"SECRETKEY":"SECRETVALUE"}`)
	h.do("POST", "/sessions", `{"agent":"SECRETAGENT","cwd":"/SECRETCWD"}`)
	h.do("GET", "/agents", "", "Authorization", "Bearer SECRETTOKEN")
	text := dump(logs)
	if strings.Contains(text, "SECRET") || strings.Contains(text, testToken) {
		t.Errorf("logged: %s", text)
	}
	if !strings.Contains(text, "POST /sessions/{id}/prompts") {
		t.Errorf("the access log lacks its lines: %s", text)
	}
}

// TestStrangersFillNoLog: what can be sent without a token is counted, and logged at a bounded rate; a token's requests are logged one by one.
func TestStrangersFillNoLog(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	h := newHarness(t, func(c *Config) { c.Log = zap.New(core) })
	const each = 300
	kinds := [][]string{
		{"/sessions", "Authorization", ""}, {"/sessions", "Authorization", "Bearer wrong"}, {"/nothing"}, {"/health", "Authorization", ""},
	}
	began := time.Now()
	for range each {
		for _, k := range kinds {
			h.do("GET", k[0], "", k[1:]...)
		}
		h.want(http.StatusOK, "GET", "/agents", "")
	}
	seconds := int(time.Since(began)/time.Second) + 2 // the first one and the last one are not whole
	of := map[bool]int{}
	for _, e := range logs.FilterMessage("request").All() {
		of[e.ContextMap()["route"] == "GET /agents"]++
	}
	if of[false] == 0 || of[false] > seconds*strangersLogged || of[true] != each {
		t.Errorf("in %d s, lines of strangers: %d, of a token: %d", seconds, of[false], of[true])
	}
	metrics := string(h.want(http.StatusOK, "GET", "/metrics", "").body)
	if want := fmt.Sprintf(`route="none",status="401"} %d`, 2*each); !strings.Contains(metrics, want) {
		t.Errorf("no %s in the metrics", want)
	}
}

func dump(logs *observer.ObservedLogs) string {
	var b strings.Builder
	for _, e := range logs.All() {
		line, err := zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()).EncodeEntry(e.Entry, e.Context)
		if err == nil {
			b.Write(line.Bytes())
		}
	}
	return b.String()
}

// picture is an image of a prompt, as clients send it.
type picture struct {
	MediaType string `json:"mediaType"`
	Data      []byte `json:"data"`
}

// pictures are the smallest headers of two kinds.
func pictures(w, h int) map[string][]byte {
	be16 := func(n int) string { return string([]byte{byte(n >> 8), byte(n)}) }
	le16 := func(n int) string { return string([]byte{byte(n), byte(n >> 8)}) }
	return map[string][]byte{
		"image/png": []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00" + be16(w) + "\x00\x00" + be16(h) + "\x08\x06\x00\x00\x00"),
		"image/gif": []byte("GIF89a" + le16(w) + le16(h) + "\x00\x00\x00"),
	}
}

func TestImages(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	send := func(images ...picture) reply {
		body, err := json.Marshal(map[string]any{"text": "look", "images": images})
		if err != nil {
			t.Fatal(err)
		}
		return h.do("POST", "/sessions/"+id+"/prompts", string(body))
	}
	png := pictures(640, 480)["image/png"]
	for _, row := range []struct {
		name   string
		images []picture
		status int
	}{
		{"wrong media type", []picture{{"image/gif", png}}, 400},
		{"svg", []picture{{"image/svg+xml", []byte("<svg/>")}}, 422},
		{"svg under a false name", []picture{{"image/png", []byte("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")}}, 400},
		{"empty", []picture{{"image/png", nil}}, 422},
		{"header only", []picture{{"image/png", png[:10]}}, 400},
		{"too many", []picture{{"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}, {"image/png", png}}, 422},
		{"too large", []picture{{"image/png", append(bytes.Clone(png), make([]byte, 10<<20)...)}}, 413},
		{"pixels", []picture{{"image/png", pictures(50000, 50000)["image/png"]}}, 413},
	} {
		if r := send(row.images...); r.StatusCode != row.status {
			t.Errorf("%s: got %d, want %d: %s", row.name, r.StatusCode, row.status, r.body)
		}
	}
	if r := h.do("POST", "/sessions/"+id+"/prompts", `{"images":[{"mediaType":"image/png","data":"!!!"}]}`); r.StatusCode != 422 && r.StatusCode != 400 {
		t.Errorf("no base64: %d", r.StatusCode)
	}
	if r := send(picture{"image/png", png}); r.StatusCode != http.StatusAccepted {
		t.Fatalf("a good image: %d %s", r.StatusCode, r.body)
	}
	ref := ""
	for e := range events(t, h.log(id, "")) {
		if q, ok := e.Payload.(*protocol.PromptQueued); ok && len(q.Images) == 1 {
			ref = q.Images[0]
		}
	}
	digest, media, ok := strings.Cut(strings.TrimPrefix(ref, "sha256:"), ";")
	if !ok || media != "image/png" {
		t.Fatalf("reference %q", ref)
	}
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/images/"+digest, "")
	if !bytes.Equal(r.body, png) || r.Header.Get("Content-Type") != "image/png" {
		t.Errorf("read back as %s: %s", r.Header.Get("Content-Type"), base64.StdEncoding.EncodeToString(r.body))
	}
	h.want(http.StatusNotModified, "GET", "/sessions/"+id+"/images/"+digest, "", "If-None-Match", r.Header.Get("ETag"))
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "GET", "/sessions/"+id+"/images/"+strings.Repeat("0", 64), "")
	h.refused(http.StatusNotFound, protocol.CodeNotFound, "GET", "/sessions/"+id+"/images/..%2f..%2ftoken", "")
}

func TestCreateWithImage(t *testing.T) {
	h := newHarness(t)
	body, err := json.Marshal(map[string]any{"agent": "busy", "cwd": "/work", "prompt": map[string]any{
		"text": "look", "images": []picture{{"image/png", pictures(2, 2)["image/png"]}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var s resource.CreatedSession
	h.want(http.StatusCreated, "POST", "/sessions", string(body)).into(t, &s)
	if s.Prompt == nil || s.Prompt.PromptID != "p1" {
		t.Errorf("prompt %+v", s.Prompt)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h.tree.images = filepath.Join(file, "images") // as a disk that refuses
	p := h.refused(http.StatusServiceUnavailable, protocol.CodeReadOnly, "POST", "/sessions", string(body))
	if !protocol.ValidSessionID(p.SessionID) {
		t.Fatalf("the session that was made is not named: %+v", p)
	}
	h.want(http.StatusOK, "GET", "/sessions/"+p.SessionID, "")
}

// overSocket serves on a unix socket, and gives a client that knows no other way.
func overSocket(t *testing.T, cfg Config) *http.Client {
	t.Helper()
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(a)
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
}

// TestUnixSocket: the daemon's own user needs no token there; the Host is checked all the same.
func TestUnixSocket(t *testing.T) {
	client := overSocket(t, Config{Supervisor: newTree(t)})
	tokens := access.NewTokens()
	_, made, err := tokens.Create(access.Token{Name: "agent", Scope: access.OwnerRead, Owner: "ann"})
	if err != nil {
		t.Fatal(err)
	}
	agents := overSocket(t, Config{
		Supervisor: newTree(t), Token: "root", Tokens: tokens, OfAgent: func(pid int) bool { return pid == os.Getpid() },
	})
	for url, want := range map[string]int{"http://localhost/agents": 200, "http://evil.example/agents": 403} {
		res, err := client.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d", url, res.StatusCode)
		}
	}
	helloTo := func(client *http.Client, bearer string) int {
		r, err := http.NewRequest("POST", "http://localhost/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if bearer != "" {
			r.Header.Set("Authorization", bearer)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	hello := func(bearer string) int { return helloTo(client, bearer) }
	if none, wrong := hello(""), hello("Bearer wrong"); none != http.StatusOK || wrong != http.StatusUnauthorized {
		t.Errorf("MCP answers %d without a token, %d with a wrong one", none, wrong)
	}
	for bearer, want := range map[string]int{"": 403, "Bearer root": 403, "Bearer " + made: 200} {
		if got := helloTo(agents, bearer); got != want {
			t.Errorf("an agent's process with %q is answered with %d, want %d", bearer, got, want)
		}
	}
}
