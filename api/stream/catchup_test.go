package stream

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFramesOfLongLines: lines around and far above the sizes of the buffers become the frames that they are, and so do many short ones, from wherever a reader
// begins; also where many readers lag, and have small buffers.
func TestFramesOfLongLines(t *testing.T) {
	t.Run("large", framesOfLongLines)
	t.Run("small", func(t *testing.T) {
		lagging.lent.Add(catchUpLarge)
		defer lagging.lent.Add(-catchUpLarge)
		framesOfLongLines(t)
	})
}

func framesOfLongLines(t *testing.T) {
	var sizes []int
	for _, n := range []int{
		1, frameGap(catchUpSmall), catchUpSmall - frameGap(catchUpSmall), catchUpSmall,
		frameGap(catchUpBytes), catchUpBytes - frameGap(catchUpBytes), catchUpBytes, 5 * catchUpBytes,
	} {
		sizes = append(sizes, max(n-200, 1), max(n-100, 1), max(n-64, 1), n)
	}
	for range 2 * frameGap(catchUpBytes) / frameBytes { // more frames in a buffer than it has room for what they have beside their lines
		sizes = append(sizes, 1)
	}
	var log []byte
	for i, n := range sizes {
		log = protocol.AppendLine(log, &protocol.Event{Seq: uint64(i + 1), Payload: &protocol.EntryDelta{
			EntryID: "e1", Delta: &protocol.TextAppend{Text: strings.Repeat("x", n)},
		}})
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	lines = lines[:len(lines)-1]
	for since := 0; since < len(lines); since += 5 {
		var want []byte
		for i, line := range lines[since:] {
			want = fmt.Appendf(want, "id: %d\ndata: %s\n", since+i+1, line)
		}
		w := httptest.NewRecorder()
		s := &stream{reader: readerOf(t, log, len(lines)), w: w, out: http.NewResponseController(w), at: protocol.Cursor{Epoch: 1, Seq: uint64(since)}}
		if err := s.fromJournal(t.Context(), uint64(len(lines))); err != nil {
			t.Fatal(err)
		}
		if got := w.Body.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("since %d: %d bytes instead of %d", since, len(got), len(want))
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

// readerOf reads a log of n lines.
func readerOf(t *testing.T, log []byte, n int) *session.Reader {
	t.Helper()
	w, err := new(memory.Store).Create("log")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Append(store.Batch{First: 1, Count: n, Lines: log}); err != nil {
		t.Fatal(err)
	}
	return &session.Reader{Log: w.Log()}
}
