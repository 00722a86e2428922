package api

import (
	"net/http"
	"runtime"
	"testing"
)

// TestStreamsAreShallow: of a stream that waits there are two goroutines, net/http's reader of the connection and the handler, and the handler's stack
// is of 8 KiB: what stands in it for as long as the stream lasts leaves room for what sending needs.
func TestStreamsAreShallow(t *testing.T) {
	if raceEnabled {
		t.Skip("-race: frames are larger")
	}
	const streams, most = 256, 13 << 10
	h := newHarness(t)
	id := h.create("echo")
	before := stacks()
	for range streams {
		g := h.guest(t)
		g.ask("/sessions/"+id+"/stream", testToken)
		g.answered(http.StatusOK)
	}
	each := (stacks() - before) / streams
	t.Logf("%d bytes of stacks for a stream", each)
	if each > most {
		t.Errorf("a stream has %d bytes of stacks, and should have at most %d", each, most)
	}
}

// stacks is what all stacks take, in bytes.
func stacks() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.StackInuse)
}
