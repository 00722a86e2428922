package client

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/discovery"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// request is one request as the server saw it.
type request struct {
	method, uri, auth, media, key string
	body                          string
}

// server answers everything with one answer and keeps what it was asked.
func server(t *testing.T, status int, media, text string) (*httptest.Server, *request) {
	t.Helper()
	seen := new(request)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*seen = request{r.Method, r.RequestURI, r.Header.Get("Authorization"), r.Header.Get("Content-Type"), r.Header.Get("Idempotency-Key"), string(body)}
		w.Header().Set("Content-Type", media)
		w.Header().Set("X-Session-Version", "7")
		w.Header().Set("X-Session-Epoch", "2")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s, seen
}

const token = "0123456789abcdef0123456789abcdef"

func at(t *testing.T, address string, options ...Option) *Client {
	t.Helper()
	c, err := At(address, token, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestRequestsOnTheWire(t *testing.T) {
	s, seen := server(t, http.StatusOK, "application/json", `{}`)
	c := at(t, s.URL, Named("me"))
	ctx := t.Context()
	active := true
	for _, test := range []struct {
		do   func() error
		want request
	}{
		{func() error {
			_, err := c.Create(ctx, New{NewSession: resource.NewSession{Agent: "pi", Cwd: "/w", Prompt: &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: "hi"}}}})
			return err
		}, request{"POST", "/sessions", "", "application/json", "", `{"agent":"pi","cwd":"/w","prompt":{"text":"hi","clientId":"me"}}`}},
		{func() error {
			_, err := c.Create(ctx, New{NewSession: resource.NewSession{Agent: "pi", Cwd: "/w"}, Key: "k2"})
			return err
		}, request{"POST", "/sessions", "", "application/json", "k2", `{"agent":"pi","cwd":"/w"}`}},
		{func() error {
			_, err := c.List(ctx, Query{Agent: "pi", Active: &active, States: []string{"idle", "failed"}, Labels: []string{"a:b"}, Text: "x y", Limit: 3})
			return err
		}, request{"GET", "/sessions?active=true&agent=pi&label=a%3Ab&limit=3&q=x+y&state=idle&state=failed", "", "", "", ""}},
		{func() error {
			_, err := c.Prompt(ctx, "a/b", Prompt{Text: "hi", Images: []resource.PromptImage{{MediaType: "image/png", Data: []byte{1, 2}}}, StreamingBehavior: protocol.Steer, Key: "k"})
			return err
		}, request{
			"POST", "/sessions/a%2Fb/prompts", "", "application/json", "k",
			`{"text":"hi","images":[{"mediaType":"image/png","data":"AQI="}],"streamingBehavior":"steer","clientId":"me"}`,
		}},
		{func() error {
			_, err := c.Session("s").Answer(ctx, "r1", resource.RequestAnswer{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue})
			return err
		}, request{"POST", "/sessions/s/requests/r1", "", "application/json", "", `{"outcome":"denied","option":"deny","clientId":"me"}`}},
		{
			func() error { _, err := c.Session("s").Interrupt(ctx); return err },
			request{"POST", "/sessions/s/interrupt", "", "application/json", "", `{"clientId":"me"}`},
		},
		{func() error { _, err := c.Session("s").End(ctx, ""); return err }, request{"POST", "/sessions/s/end", "", "", "", ""}},
		{func() error { return c.Session("s").Remove(ctx) }, request{"DELETE", "/sessions/s", "", "", "", ""}},
		{
			func() error { _, _ = c.Session("s").State(ctx, protocol.Cursor{Epoch: 2, Seq: 5}); return nil }, // {} is no state
			request{"GET", "/sessions/s/state?at=2.5", "", "", "", ""},
		},
		{
			func() error { _, _ = ReadStatePage(ctx, c.Session("s"), protocol.Cursor{}, 20, 300); return nil },
			request{"GET", "/sessions/s/state?before=300&entries=20", "", "", "", ""},
		},
	} {
		if err := test.do(); err != nil {
			t.Errorf("%s: %v", test.want.uri, err)
		}
		test.want.auth = "Bearer " + token
		if test.want.method != http.MethodGet && test.want.key == "" { // one of the client's own
			test.want.key = seen.key
		}
		if (test.want.method == http.MethodGet) != (seen.key == "") {
			t.Errorf("%s %s has the key %q", seen.method, seen.uri, seen.key)
		}
		if *seen != test.want {
			t.Errorf("got  %+v\nwant %+v", *seen, test.want)
		}
	}
}

func TestLog(t *testing.T) {
	s, seen := server(t, http.StatusOK, "application/x-ndjson", "a\nb\n")
	c := at(t, s.URL)
	l, err := c.Session("s").OpenLog(t.Context(), LogQuery{Since: protocol.Cursor{Epoch: 2, Seq: 5}, Settled: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(l)
	if err != nil || l.Close() != nil || string(text) != "a\nb\n" || l.Version != 7 || l.Epoch != 2 {
		t.Errorf("got %q, %+v, %v", text, l, err)
	}
	if seen.uri != "/sessions/s/log?since=2.5&view=settled" || seen.auth != "Bearer "+token {
		t.Errorf("asked %+v", *seen)
	}
}

func TestProblems(t *testing.T) {
	body, err := json.Marshal(map[string]any{
		"code": "invalid_request", "title": "t", "status": 422, "detail": "Some of it.", "hint": "look",
		"errors": []any{map[string]string{"location": "body.agent", "message": "expected a string"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := server(t, http.StatusUnprocessableEntity, "application/problem+json; charset=utf-8", string(body))
	_, err = at(t, s.URL).Session("s").Show(t.Context())
	var p *protocol.Problem
	if !errors.As(err, &p) || p.Code != protocol.CodeInvalidRequest || p.Detail != "Some of it. body.agent expected a string." || p.Hint != "look" {
		t.Errorf("got %+v", err)
	}
	for name, answer := range map[string][2]string{
		"html": {"text/html", "<h1>Bad Gateway</h1>"}, "no code": {"application/problem+json", `{"title":"x"}`}, "garbage": {"application/problem+json", `{`},
	} {
		s, _ := server(t, http.StatusBadGateway, answer[0], answer[1])
		_, err = at(t, s.URL).Session("s").Show(t.Context())
		if err == nil || errors.As(err, &p) || !strings.Contains(err.Error(), "502") || strings.Contains(err.Error(), "<") {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, _ = server(t, http.StatusFound, "text/plain", "")
	if _, err := at(t, s.URL).Session("s").Show(t.Context()); err == nil {
		t.Error("a redirect was taken for an answer")
	}
}

func TestFindPrefersTheSocket(t *testing.T) {
	folder := t.TempDir()
	var gone *Unreachable
	if _, err := Find(folder); !errors.As(err, &gone) || gone.Err != nil || !strings.Contains(gone.Hint(), "ringmaster up") {
		t.Errorf("no daemon: %v", err)
	}
	path := filepath.Join(folder, "s") // short: a socket's path is bounded
	if len(path) > 100 {
		t.Skip("the temporary folder's path is too long for a socket")
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "localhost" {
			t.Errorf("host %q", r.Host)
		}
		_, _ = io.WriteString(w, `{"version":"v"}`)
	}))
	_ = srv.Listener.Close()
	srv.Listener = l
	srv.Start()
	t.Cleanup(srv.Close)
	text, err := json.Marshal(map[string]string{"http": "http://127.0.0.1:1", "socket": path})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, discovery.AddressFile), text, 0o600); err != nil {
		t.Fatal(err)
	}
	find := func() (*Client, error) { return Find(folder) }
	for name, made := range map[string]func() (*Client, error){
		"folder": find, "path": func() (*Client, error) { return At(path, "") }, "unix": func() (*Client, error) { return At("unix:"+path, "") },
	} {
		c, err := made()
		if err != nil {
			t.Fatal(err)
		}
		if v, err := c.Ready(t.Context()); err != nil || v != "v" {
			t.Errorf("%s: %q, %v", name, v, err)
		}
		c.Close()
	}
	srv.Close()
	c, err := find()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ready(t.Context()); !errors.As(err, &gone) || gone.Err == nil || gone.Sent {
		t.Errorf("a killed daemon: %v", err)
	}
}

// HOST:PORT is what a daemon's --listen says, and no file.
func TestAddresses(t *testing.T) {
	for address, where := range map[string]string{
		"127.0.0.1:7433": "http://127.0.0.1:7433", "[::1]:7433": "http://[::1]:7433", "localhost:7433": "http://localhost:7433",
		"a:b": "a:b", "/tmp/x:1": "/tmp/x:1", "./x:1": "./x:1", "unix:1": "1", "x.sock": "x.sock",
	} {
		if got := at(t, address).Where(); got != where {
			t.Errorf("%s is %s, want %s", address, got, where)
		}
	}
	for _, address := range []string{"", "ftp://host", "http://", "http://user@host", "http://host/path", "http://host?x=1", "unix:"} {
		if c, err := At(address, token); err == nil {
			t.Errorf("%s: taken, %+v", address, c)
		}
	}
	for address, beyond := range map[string]bool{
		"127.0.0.1:1": false, "http://[::1]:1": false, "https://LOCALHOST": false, "/tmp/s": false, "192.0.2.1:1": true, "http://example.org": true, "https://localhost.example": true,
	} {
		if BeyondLoopback(address) != beyond {
			t.Errorf("%s is beyond loopback: %v", address, !beyond)
		}
	}
}

// A token that others may read is no secret, and is not sent.
func TestFindRefusesAnOpenToken(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{discovery.AddressFile: `{"http":"http://127.0.0.1:1"}`, discovery.TokenFile: token} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := Find(folder); err != nil || c.Where() != "http://127.0.0.1:1" || c.token != token {
		t.Errorf("%+v, %v", c, err)
	}
	if err := os.Chmod(filepath.Join(folder, discovery.TokenFile), 0o640); err != nil {
		t.Fatal(err)
	}
	var open *discovery.ModeError
	if _, err := Find(folder); !errors.As(err, &open) {
		t.Errorf("a token that others may read: %v", err)
	}
}
