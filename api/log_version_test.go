package api

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// hooked does something between the headers of an answer and its body.
type hooked struct {
	*httptest.ResponseRecorder
	hook func()
}

func (w *hooked) WriteHeader(status int) {
	w.ResponseRecorder.WriteHeader(status)
	w.hook()
}

// lastSeq is the seq of a log's last line, and wants all before it to be there.
func lastSeq(t *testing.T, log []byte) (last uint64) {
	t.Helper()
	for e, err := range protocol.Events(bytes.NewReader(log)) {
		if err != nil || e.Seq <= last {
			t.Fatalf("seq %d behind %d: %v", e.Seq, last, err)
		}
		last = e.Seq
	}
	return last
}

// dataOf is what the frames of a stream carry, line by line.
func dataOf(stream []byte) (log []byte) {
	for line := range bytes.Lines(stream) {
		if data, is := bytes.CutPrefix(line, []byte("data: ")); is {
			log = append(log, data...)
		}
	}
	return log
}

// TestLogStopsAtItsVersion: what is appended while a log is answered is not in the body: the header has said where that ends.
// Proves: 002.6.1/version, C11
func TestLogStopsAtItsVersion(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 100)
	seqOf(h, id) // the actor has taken it all
	for query, encoding := range map[string]string{
		"": "", "?since=7": "", "?view=settled": "", "?since=0": "gzip", "?since=1&view=settled": "zstd", "/events": "", "/events?since=7": "",
	} {
		r := h.own(id, query, encoding)
		w := &hooked{ResponseRecorder: httptest.NewRecorder()}
		w.hook = func() {
			newest := seqOf(h, id)
			h.tree.grow(id, 40)
			st := h.stream(id, strconv.FormatUint(newest, 10))
			defer st.close()
			st.untilSeq(newest + 40)
		}
		h.api.Handler().ServeHTTP(w, r)
		body := decoded(t, w.Header().Get("Content-Encoding"), w.Body.Bytes())
		if strings.HasPrefix(query, "/events") {
			body = dataOf(body)
		}
		if got := lastSeq(t, body); w.Code != http.StatusOK || strconv.FormatUint(got, 10) != w.Header().Get("X-Session-Version") {
			t.Errorf("%q %s: %d, the header says %s, and the body ends with %d", query, encoding, w.Code, w.Header().Get("X-Session-Version"), got)
		}
	}
}

// TestLogIsCutInItsMiddle: an answer whose log is lost behind its headers breaks off; net/http then ends the connection.
func TestLogIsCutInItsMiddle(t *testing.T) {
	h := newHarness(t)
	id := h.create("busy")
	h.tree.grow(id, 3000)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	full := h.log(id, "")
	r := h.own(id, "", "identity")
	w := &hooked{ResponseRecorder: httptest.NewRecorder(), hook: func() { shrink(t, h.tree, id, int64(len(full)/2)) }}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("it ends with %v, after %d of %d bytes", p, w.Body.Len(), len(full))
		}
	}()
	h.api.Handler().ServeHTTP(w, r)
}

// own is a request for a log that is handed to the handler itself.
func (h *harness) own(id, query, encoding string) *http.Request {
	h.t.Helper()
	r, err := http.NewRequest(http.MethodGet, "/sessions/"+id+"/log"+query, nil)
	if err != nil {
		h.t.Fatal(err)
	}
	here := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7777}
	r = r.WithContext(context.WithValue(h.t.Context(), http.LocalAddrContextKey, net.Addr(here)))
	r.Host = here.String()
	r.Header.Set("Authorization", "Bearer "+testToken)
	r.Header.Set("Accept-Encoding", encoding)
	return r
}

// TestLogShowsWhatIsShown: events that the journal has and that nobody may see yet, because they are not synced, are no part of the log.
// Proves: 002.6.1/version
func TestLogShowsWhatIsShown(t *testing.T) {
	tr := newTree(t)
	tr.syncFirst = true
	h := serveTree(t, tr)
	id := h.create("busy")
	st := h.stream(id, "")
	st.until(func(e *protocol.Event) bool {
		s, ok := e.Payload.(*protocol.Status)
		return ok && s.State == protocol.StateIdle
	})
	st.close()
	before := h.log(id, "")
	tr.held.Lock()
	tr.grow(id, 100)
	reader, err := h.door().Join(access.With(t.Context(), access.Root), id, "test") // the actor answers behind what it took before
	if err != nil {
		t.Fatal(err)
	}
	reader.Leave()
	_, newest := reader.Log.Bounds()
	r := h.want(http.StatusOK, "GET", "/sessions/"+id+"/log", "")
	tr.held.Unlock()
	if newest <= lastSeq(t, before) {
		t.Fatalf("nothing was appended: %d", newest)
	}
	if version := r.Header.Get("X-Session-Version"); !bytes.Equal(r.body, before) || version != strconv.FormatUint(lastSeq(t, before), 10) {
		t.Errorf("version %s, and the log is\n%s\nwant\n%s", version, r.body, before)
	}
	st = h.stream(id, "")
	defer st.close()
	st.untilSeq(newest)
}
