package api

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"runtime/pprof"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestProfiles: each kind is a profile of this program, one of the processor's time at a time, and what is none is refused.
// Proves: I15.8/pprof
func TestProfiles(t *testing.T) {
	h := newHarness(t)
	for _, kind := range []string{"allocs", "goroutine", "heap", "threadcreate", "heap?collect=true", "profile?seconds=1"} {
		r := h.want(http.StatusOK, "GET", "/debug/pprof/"+kind, "")
		if got := r.Header.Get("Content-Type"); got != "application/octet-stream" {
			t.Errorf("%s is of type %s", kind, got)
		}
		packed, err := gzip.NewReader(bytes.NewReader(r.body))
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		text, err := io.ReadAll(packed)
		if err != nil || !bytes.Contains(text, []byte("nanoseconds")) && !bytes.Contains(text, []byte("runtime.")) {
			t.Errorf("%s: %d bytes, %v", kind, len(text), err)
		}
	}
	for _, wrong := range []string{"cmdline", "symbol", "trace", "", "profile?seconds=0", "profile?seconds=61", "heap?debug=1"} {
		if r := h.do("GET", "/debug/pprof/"+wrong, ""); r.StatusCode != http.StatusUnprocessableEntity && r.StatusCode != http.StatusNotFound {
			t.Errorf("%q: %d %s", wrong, r.StatusCode, r.body)
		}
	}
}

// TestOneProfileOfTime: the second one is told so.
func TestOneProfileOfTime(t *testing.T) {
	h := newHarness(t)
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	h.refused(http.StatusConflict, protocol.CodeConflict, "GET", "/debug/pprof/profile?seconds=1", "")
	pprof.StopCPUProfile()
}
