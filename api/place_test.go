package api

import (
	"bufio"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestSlowBodies: clients that do not send what they promised take nobody's place, and are let go in time.
func TestSlowBodies(t *testing.T) {
	for _, path := range []string{"/sessions", "/mcp"} {
		t.Run(path, func(t *testing.T) {
			bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
				h.api.guard.maxRequests = 1
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
	other := &place{guard: h.api.guard}
	if !other.take() {
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
	other.leave()
	for range 2 { // each leaves its place
		h.want(http.StatusCreated, "POST", "/sessions", body)
	}
}
