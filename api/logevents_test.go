package api

import (
	"bytes"
	"net/http"
	"strconv"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLogEvents: the events of the log are those of its bytes, from any cursor, and they end while the session goes on.
// Proves: I10.3/streams
func TestLogEvents(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 2000) // more than one buffer of frames
	log := h.log(id, "")
	newest := seqOf(h, id)
	for _, since := range []uint64{0, 1, newest / 2, newest - 1, newest} {
		cursor := strconv.FormatUint(since, 10)
		f := h.follow("/sessions/" + id + "/log/events?since=" + cursor)
		for f.next() != nil {
			if last := f.ids[len(f.ids)-1]; last == "" {
				t.Errorf("since %s: a frame without an id", cursor)
			}
		}
		if want := h.log(id, "?since="+cursor); !bytes.Equal(f.lines, want) || !bytes.HasSuffix(log, want) {
			t.Errorf("since %s: %d bytes of events, the log has %d", cursor, len(f.lines), len(want))
		}
		if v := f.res.Header.Get("X-Session-Version"); v != strconv.FormatUint(newest, 10) || f.res.Header.Get("X-Session-Epoch") != "1" {
			t.Errorf("since %s: %v", cursor, f.res.Header)
		}
		f.close()
	}
	f := h.follow("/sessions/"+id+"/log/events?since=1", "Last-Event-ID", strconv.FormatUint(newest-1, 10))
	if e, ok := f.next().(*protocol.Event); !ok || e.Seq != newest || f.next() != nil {
		t.Errorf("Last-Event-ID does not win over since: %+v", e)
	}
	f.close()
	head := h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/log/events", "")
	if len(head.body) != 0 || head.Header.Get("X-Session-Version") != strconv.FormatUint(newest, 10) {
		t.Errorf("HEAD: %v", head.Header)
	}
	h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log/events?since=x", "")
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/log/events?view=full", "")
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/"+missingID+"/log/events", "")
}

// TestLogEventsReset: a cursor of another log is no error to a stream, but its first frame.
// Proves: I10.3/streams
func TestLogEventsReset(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	newest := seqOf(h, id)
	for _, cursor := range []string{"999999", "2.1"} {
		f := h.follow("/sessions/" + id + "/log/events?since=" + cursor)
		if r, ok := f.next().(*protocol.Reset); !ok || r.Epoch != 1 || r.Oldest != 1 || r.Newest != newest {
			t.Errorf("since %s: the first frame is %+v", cursor, r)
		}
		for f.next() != nil {
		}
		if !bytes.Equal(f.lines, h.log(id, "")) {
			t.Errorf("since %s: behind the reset stands %s", cursor, f.lines)
		}
		f.close()
	}
}

// TestLogEventsAreCutLoudly: half a log says that it is one.
func TestLogEventsAreCutLoudly(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 3000)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	shrink(t, h.tree, id, int64(len(h.log(id, ""))/2))
	f := h.follow("/sessions/" + id + "/log/events")
	defer f.close()
	var last protocol.Message
	for m := f.next(); m != nil; m = f.next() {
		last = m
	}
	if _, ok := last.(*protocol.Damage); !ok {
		t.Errorf("half a log was answered as a whole one: %+v", last)
	}
}
