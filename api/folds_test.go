package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFoldsHaveRoom: an answer that nobody reads keeps its memory, and no more than there is for all: who asks for another waits, and is
// told; another principal gets its own; and when the client goes, or is let go, all of it is there again.
func TestFoldsHaveRoom(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
		h.api.folds.bytes, h.api.folds.most = access.NewShares(256<<10, foldFloor), 128<<10
		id := h.create("echo")
		h.turn(id, strings.Repeat("x", 100<<10))
		whole := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "").body
		if len(whole) < 128<<10 {
			t.Fatalf("the state has %d bytes", len(whole))
		}
		other := h.secretOf(access.Token{Scope: access.AdminRead})
		stalled := make([]net.Conn, 0, 2)
		stall := func(bearer string) {
			c := l.dial()
			if _, err := fmt.Fprintf(c, "GET /sessions/%s/state HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n\r\n", id, bearer); err != nil {
				t.Fatal(err)
			}
			stalled = append(stalled, c)
			synctest.Wait()
		}
		stall(testToken)
		began := time.Now()
		h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "GET", "/sessions/"+id+"/state", "")
		if took := time.Since(began); took != foldPatience {
			t.Errorf("told after %v", took)
		}
		h.token = other
		if got := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "").body; string(got) != string(whole) {
			t.Error("another state")
		}
		stall(other)
		if taken := h.api.folds.bytes.Taken(); taken != 256<<10 {
			t.Errorf("%d bytes are taken", taken)
		}
		h.token = ""
		small := h.create("echo")
		h.token = h.secretOf(access.Token{Scope: access.AdminRead}) // what is small is there for everybody
		h.want(http.StatusOK, "GET", "/sessions/"+small+"/state", "")

		_ = stalled[1].Close()
		res, err := http.ReadResponse(bufio.NewReader(stalled[0]), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); err != nil || string(got) != string(whole) {
			t.Errorf("who reads late gets %d bytes, %v", len(got), err)
		}
		synctest.Wait()
		if taken := h.api.folds.bytes.Taken(); taken != 0 {
			t.Errorf("%d bytes are left", taken)
		}
		_ = stalled[0].Close()
	}, func(c *Config) { c.WriteTimeout = time.Minute })
}
