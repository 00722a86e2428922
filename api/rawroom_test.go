package api

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// spoken is a session of echo with a native line of a length.
func spoken(h *harness, length int) (id string) {
	h.t.Helper()
	id = h.create("echo")
	a := raw.New(filepath.Join(h.tree.dir, id, "raw"), raw.Options{})
	defer a.Close()
	r := a.Record(1, raw.Beginning{})
	r.Out([]byte(`{"text":"` + strings.Repeat("long ", length/5) + `"}`))
	r.Batch(1)
	return id
}

// TestRawHasRoom: native lines that are read take their share of the memory of all large answers, more where a line is long; who finds none waits, and is told;
// another principal gets its own; and when the client goes, all of it is there again.
func TestRawHasRoom(t *testing.T) {
	const all = 16 << 20
	bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
		id, long := spoken(h, 100<<10), spoken(h, 3<<20)
		other := h.secretOf(access.Token{Scope: access.AdminRead})
		stall := func(id, bearer string, taken int64) net.Conn {
			t.Helper()
			before := h.api.folds.Taken()
			c := l.dial()
			if _, err := fmt.Fprintf(c, "GET /sessions/%s/raw HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n\r\n", id, bearer); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if got := h.api.folds.Taken() - before; got != taken {
				t.Errorf("%d bytes are taken, want %d", got, taken)
			}
			return c
		}
		first := stall(long, testToken, all/2)
		var small []net.Conn
		for range 4 {
			small = append(small, stall(id, testToken, 1<<20))
		}
		began := time.Now()
		h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "GET", "/sessions/"+id+"/raw", "")
		if took := time.Since(began); took != 10*time.Second {
			t.Errorf("told after %v", took)
		}
		h.refused(http.StatusServiceUnavailable, protocol.CodeOverloaded, "GET", "/sessions/"+long+"/raw", "")
		h.token = other
		h.want(http.StatusOK, "GET", "/sessions/"+id+"/raw", "")
		for _, c := range small {
			_ = c.Close()
		}
		res, err := http.ReadResponse(bufio.NewReader(first), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(res.Body); err != nil || len(got) < 3<<20 {
			t.Errorf("who reads late gets %d bytes, %v", len(got), err)
		}
		_ = first.Close()
		h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/raw", "")
		h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11/raw", "")
		synctest.Wait()
		if taken := h.api.folds.Taken(); taken != 0 {
			t.Errorf("%d bytes are left", taken)
		}
	}, func(c *Config) { c.WriteTimeout, c.MaxAnswers = time.Minute, all })
}
