package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSlowBodies: clients that do not send what they promised take nobody's place, and are let go in time.
func TestSlowBodies(t *testing.T) {
	for _, path := range []string{"/sessions", "/mcp"} {
		t.Run(path, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
				h.api.front.requests = access.NewShares(1, 0)
				began, answers := time.Now(), make(chan int)
				const slow = 5
				for range slow {
					conn := l.dial()
					defer conn.Close()
					if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n"+
						"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{", path, testToken); err != nil {
						t.Fatal(err)
					}
					go func() {
						res, err := http.ReadResponse(bufio.NewReader(conn), nil)
						if err != nil {
							t.Error(err)
							answers <- 0
							return
						}
						_ = res.Body.Close()
						answers <- res.StatusCode
					}()
				}
				synctest.Wait()
				h.create("echo")
				h.want(http.StatusOK, "GET", "/agents", "")
				for range slow {
					if got := <-answers; got != http.StatusRequestTimeout {
						t.Errorf("a slow body is answered with %d", got)
					}
				}
				if took := time.Since(began); took != h.api.cfg.BodyTimeout {
					t.Errorf("the last was let go after %v", took)
				}
			})
		})
	}
}

// TestBodyWithoutPlace: the limit holds for requests whose body has come.
func TestBodyWithoutPlace(t *testing.T) {
	logs, keep := audited()
	h := newHarness(t, keep, func(c *Config) { c.MaxRequests = 1 })
	if !h.api.front.requests.Take(access.Root, 1) {
		t.Fatal("no place")
	}
	body := `{"agent":"echo","cwd":"/work/x"}`
	full := h.want(http.StatusServiceUnavailable, "POST", "/sessions", body)
	if p := full.problem(t); p.Code != protocol.CodeOverloaded || full.Header.Get("Retry-After") == "" {
		t.Errorf("%+v, %v", p, full.Header)
	}
	if told := logs.take(); len(told) != 1 || told[0]["outcome"] != string(protocol.CodeOverloaded) {
		t.Errorf("the audit has %v", told)
	}
	h.api.front.requests.Give(access.Root, 1)
	for range 2 { // each leaves its place
		h.want(http.StatusCreated, "POST", "/sessions", body)
	}
}

// secretOf makes a token.
func (h *harness) secretOf(token access.Token) string {
	h.t.Helper()
	token.Name = "n"
	_, secret, err := h.api.cfg.Tokens.Create(token)
	if err != nil {
		h.t.Fatal(err)
	}
	return secret
}

// TestBodiesHaveShares: bodies that do not end cost no more memory than there is for them, and one principal's leave the others theirs.
func TestBodiesHaveShares(t *testing.T) {
	const all = 16 << 20
	h := newHarness(t, func(c *Config) { c.MaxBodies = all })
	mine, others := h.secretOf(access.Token{Scope: access.Owner, Owner: "ann"}), h.secretOf(access.Token{Scope: access.Owner, Owner: "bob"})
	id := h.create("busy")
	part := strings.Repeat(" ", 5<<20)
	var open []net.Conn
	begin := func(bearer string, length int) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
		t.Cleanup(func() { _ = c.Close() }) // before the server's end, which waits for it
		_, _ = fmt.Fprintf(c, "POST /sessions/%s/prompts HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			id, strings.TrimPrefix(h.base, "http://"), bearer, length, part) // who is refused closes
		return c
	}
	taken := func(n int64) {
		t.Helper()
		for h.api.front.bodies.Taken() < n {
			if t.Context().Err() != nil {
				t.Fatal("it never came")
			}
			runtime.Gosched()
		}
	}
	const endless = 6 << 20
	begin(mine, endless)
	begin(mine, endless)
	taken(10 << 20)
	res, err := http.ReadResponse(bufio.NewReader(begin(mine, len(part))), nil) // a whole one: if it is not refused, that is answered at once
	if err != nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" {
		t.Fatalf("over the share: %v, %v", res, err)
	}
	_ = res.Body.Close()
	begin(others, endless) // five of the six that are left
	taken(15 << 20)
	h.token = others
	h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"echo","cwd":"/work/x"}`)
	h.token = mine // a part of its own that it has used: even so it is told, and typed
	h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "POST", "/sessions", `{"agent":"echo","cwd":"/work/x","title":"`+strings.Repeat("x", 400)+`"}`+strings.Repeat(" ", 5<<20))
	for _, c := range open {
		_ = c.Close()
	}
	for h.api.front.bodies.Taken() > 0 { // until they are seen to be gone
		if t.Context().Err() != nil {
			t.Fatal("memory is not given back")
		}
		runtime.Gosched()
	}
}

// TestReadersSendLittle: a token that only reads sends small requests, with a length and without.
func TestReadersSendLittle(t *testing.T) {
	h := newHarness(t)
	h.token = h.secretOf(access.Token{Scope: access.AdminRead})
	body := `{"jsonrpc":"2.0","id":1,"method":"ping"` + strings.Repeat(" ", guard.ReadOnlyBody) + `}`
	h.refused(http.StatusRequestEntityTooLarge, protocol.CodeTooLarge, "POST", "/mcp", body)
	r := h.request("POST", "/mcp", body)
	r.ContentLength = -1
	res, err := h.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("in chunks: %d", res.StatusCode)
	}
	h.token = ""
	if res := h.do("POST", "/mcp", body); res.StatusCode == http.StatusRequestEntityTooLarge {
		t.Errorf("one that writes: %d", res.StatusCode)
	}
}

// TestBrokenChunks: a body whose framing is broken is the client's mistake.
func TestBrokenChunks(t *testing.T) {
	h := newHarness(t)
	for _, path := range []string{"/sessions", "/mcp"} {
		c, err := net.Dial("tcp", strings.TrimPrefix(h.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
			path, strings.TrimPrefix(h.base, "http://"), testToken)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		if res.StatusCode != http.StatusBadRequest || !strings.Contains(string(text), `"code":"invalid_request"`) {
			t.Errorf("%s: %d %s", path, res.StatusCode, text)
		}
		_ = c.Close()
	}
}
