package api

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
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
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("told after %v", took)
		}
		h.token = other
		if got := h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "").body; string(got) != string(whole) {
			t.Error("another state")
		}
		stall(other)
		if taken := h.api.folds.Taken(); taken != 256<<10 {
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
		if taken := h.api.folds.Taken(); taken != 0 {
			t.Errorf("%d bytes are left", taken)
		}
		_ = stalled[0].Close()
	}, func(c *Config) { c.WriteTimeout, c.MaxAnswers = time.Minute, 256<<10 })
}

// TestLargeStateIsCut: one whose log is lost while it is sent does not look whole.
func TestLargeStateIsCut(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
		h.api.folds.Large, h.api.folds.Long = 0, 0
		id := h.create("echo")
		h.turn(id, strings.Repeat("x", 200<<10))
		ask := func() *http.Response {
			c := l.dial()
			if _, err := fmt.Fprintf(c, "GET /sessions/%s/state HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n\r\n", id, testToken); err != nil {
				t.Fatal(err)
			}
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || res.StatusCode != http.StatusOK {
				t.Fatal(res, err)
			}
			t.Cleanup(func() { _ = c.Close() })
			return res
		}
		if whole, err := io.ReadAll(ask().Body); err != nil || !bytes.HasSuffix(whole, []byte("}\n")) || len(whole) < 600<<10 {
			t.Errorf("%d bytes, %v", len(whole), err)
		}
		res := ask()
		synctest.Wait() // the first piece is on its way
		if err := os.Truncate(filepath.Join(h.tree.dir, id, "000001.ndjson"), 0); err != nil {
			t.Fatal(err)
		}
		if part, err := io.ReadAll(res.Body); err == nil {
			t.Errorf("%d bytes look whole", len(part))
		}
	})
}
