package api

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestBodyThatNobodyReads: a client that is turned away cannot keep its connection with a body that never comes.
func TestBodyThatNobodyReads(t *testing.T) {
	for _, c := range []struct{ request, status string }{
		{"POST /sessions HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100", "401"},
		{"POST /sessions HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked", "401"},
		{"POST /nowhere HTTP/1.1\r\nContent-Length: 100", "404"},
		{"GET /health HTTP/1.1\r\nContent-Length: 100", "413"},
		{"POST /mcp HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 100", "415"},
	} {
		bubble(t, func(t *testing.T, _ *harness, l *pipeListener) {
			conn := l.dial()
			defer conn.Close()
			began := time.Now()
			if _, err := fmt.Fprintf(conn, "%s\r\nHost: pipe\r\n\r\n", c.request); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(conn)
			if took := time.Since(began); !strings.HasPrefix(string(answer), "HTTP/1.1 "+c.status) || took > 4*time.Second {
				t.Errorf("%s: after %v %q, %v", c.request, took, answer, err)
			}
		})
	}
}
