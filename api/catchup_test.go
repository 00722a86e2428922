package api

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// TestCatchUpOfLongLines: lines around and far above the sizes of the buffer come as they are in the log, and so do many short ones,
// from wherever a reader begins.
func TestCatchUpOfLongLines(t *testing.T) {
	const small, large = 4 << 10, 48 << 10 // buffers, of which package stream has the sizes
	tr := newTree(t)
	tr.ring = 1 << 10
	h := serveTree(t, tr)
	id := h.create("busy")
	a := tr.agentOf(id)
	for _, n := range []int{
		1, small / 4, small - small/4, small, 2 << 10, large - 2<<10, large, 5 * large,
	} {
		for _, size := range []int{n - 200, n - 100, n - 64, n} {
			a.say(a.message(strings.Repeat("x", max(size, 1)), 1)...)
		}
	}
	for range 64 { // more frames in a buffer than it has room for what they have beside their lines
		a.say(a.message("y", 1)...)
	}
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	log := h.log(id, "")
	lines := bytes.SplitAfter(log, []byte("\n"))
	for since := 0; since < len(lines)-1; since += 5 {
		st := h.stream(id, strconv.Itoa(since))
		st.rest()
		st.close()
		if want := bytes.Join(lines[since:], nil); !bytes.Equal(st.lines, want) {
			t.Errorf("since %d: %d bytes instead of %d", since, len(st.lines), len(want))
		}
		if last := st.ids[len(st.ids)-1]; last != strconv.Itoa(len(lines)-1) {
			t.Errorf("since %d: the last id is %s of %d", since, last, len(lines)-1)
		}
	}
}
