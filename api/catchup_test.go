package api

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// TestCatchUpOfLongLines: lines around and far above the sizes of the buffer come as they are in the log, and so do many short ones,
// from wherever a reader begins; also where many readers lag, and have small buffers.
func TestCatchUpOfLongLines(t *testing.T) {
	t.Run("large", catchUpOfLongLines)
	t.Run("small", func(t *testing.T) {
		lagging.lent.Add(catchUpLarge)
		defer lagging.lent.Add(-catchUpLarge)
		catchUpOfLongLines(t)
	})
}

func catchUpOfLongLines(t *testing.T) {
	tr := newTree(t)
	tr.ring = 1 << 10
	h := serveTree(t, tr)
	id := h.create("busy")
	a := tr.agentOf(id)
	for _, n := range []int{
		1, frameGap(catchUpSmall), catchUpSmall - frameGap(catchUpSmall), catchUpSmall,
		frameGap(catchUpBytes), catchUpBytes - frameGap(catchUpBytes), catchUpBytes, 5 * catchUpBytes,
	} {
		for _, size := range []int{n - 200, n - 100, n - 64, n} {
			a.say(a.message(strings.Repeat("x", max(size, 1)), 1)...)
		}
	}
	for range 2 * frameGap(catchUpBytes) / frameBytes { // more frames in a buffer than it has room for what they have beside their lines
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

// TestManyThatLag: thousands that lag at once and read nothing cost a small buffer each, and a large one is there again when one is done.
func TestManyThatLag(t *testing.T) {
	var c catchUpBuffers
	first, done := c.take()
	bytes := len(first)
	for n := range 4095 {
		buf, _ := c.take()
		if bytes += len(buf); n < catchUpLarge-1 && len(buf) < catchUpBytes {
			t.Fatalf("reader %d has %d bytes", n+2, len(buf))
		}
	}
	if limit := 20 << 20; bytes > limit {
		t.Errorf("4096 readers that lag have %d bytes, at most %d", bytes, limit)
	}
	done()
	if buf, _ := c.take(); len(buf) != catchUpBytes {
		t.Errorf("when one was done the next has %d bytes", len(buf))
	}
}
