package api

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// agentOf is the running fake agent of a session.
func (tr *tree) agentOf(id string) *fakeAgent {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.sessions[id].agent
}

// grow appends events: about n of them, as messages of 20 deltas.
func (tr *tree) grow(id string, n int) {
	a := tr.agentOf(id)
	for i := 0; i < n; i += 22 {
		a.say(a.message("part", 20)...)
	}
}

func seqOf(h *harness, id string) uint64 {
	h.t.Helper()
	var s resource.SessionDetail
	h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(h.t, &s)
	return s.Seq
}

func TestStreamEndsWithTheSession(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	st := h.stream(id, "")
	defer st.close()
	h.turn(id, "hi")
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "")
	st.rest() // the server closes
	if log := h.log(id, ""); !bytes.Equal(st.lines, log) {
		t.Fatalf("the stream gave\n%s\nthe log is\n%s", st.lines, log)
	}
	last := st.ids[len(st.ids)-1]
	h.want(http.StatusNoContent, "GET", "/sessions/"+id+"/stream", "", "Last-Event-ID", last)
	h.want(http.StatusNoContent, "GET", "/sessions/"+id+"/stream?since="+last, "")
	h.want(http.StatusNoContent, "GET", "/sessions/"+id+"/stream?since=1", "", "Last-Event-ID", last) // the header wins
	before := strconv.Itoa(len(st.ids) - 1)
	again := h.stream(id, before)
	defer again.close()
	again.rest()
	if len(again.ids) != 1 || again.ids[0] != last {
		t.Fatalf("after %s came %v", before, again.ids)
	}
}

func TestStreamHeaders(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	st := h.stream(id, "")
	defer st.close()
	for k, want := range map[string]string{"Cache-Control": "no-store", "X-Accel-Buffering": "no", "X-Session-Epoch": "1", "Content-Encoding": ""} {
		if got := st.res.Header.Get(k); got != want {
			t.Errorf("%s is %q, want %q", k, got, want)
		}
	}
	if st.next(); st.frames.Retry() < time.Second || st.frames.Retry() > 2*time.Second {
		t.Errorf("retry is %v", st.frames.Retry())
	}
	head := h.want(http.StatusOK, "HEAD", "/sessions/"+id+"/stream", "")
	if len(head.body) != 0 || head.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: %v", head.Header)
	}
	h.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", "/sessions/0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11/stream", "")
	for _, bad := range []string{"x", "-1", "01", "1.5", "1.", ".1", "99999999999999999999", " 1", "1e3"} {
		h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/stream", "", "Last-Event-ID", bad+"x")
		h.refused(http.StatusBadRequest, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/stream?since="+strings.ReplaceAll(bad, " ", "%20"), "")
	}
	h.refused(http.StatusUnprocessableEntity, protocol.CodeInvalidRequest, "GET", "/sessions/"+id+"/stream?from=1", "")
}

func TestStreamReset(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	newest := seqOf(h, id)
	for _, cursor := range []string{"999999", "2.1", "7.999"} {
		st := h.stream(id, cursor)
		r, ok := st.next().(*protocol.Reset)
		if !ok || r.Epoch != 1 || r.Oldest != 1 || r.Newest != newest {
			t.Fatalf("cursor %s: the first frame is %+v", cursor, r)
		}
		if st.ids[0] != "" {
			t.Errorf("the reset frame has the id %q", st.ids[0])
		}
		if e, ok := st.next().(*protocol.Event); !ok || e.Seq != 1 {
			t.Errorf("after the reset comes %+v", e)
		}
		st.close()
	}
	st := h.stream(id, "0")
	defer st.close()
	if e, ok := st.next().(*protocol.Event); !ok || e.Seq != 1 {
		t.Errorf("the start is answered with %+v", e)
	}
}

// TestHandOver: 50 readers join while 6,000 events are appended, with a ring that holds a few hundred: each sees each event
// once, in order.
func TestHandOver(t *testing.T) {
	tr := newTree(t)
	tr.ring = 64 << 10
	h := serveTree(t, tr)
	id := h.create("busy")
	const events, readers = 6000, 50
	var wg sync.WaitGroup
	grown := make(chan struct{})
	go func() {
		defer close(grown)
		tr.grow(id, events)
	}()
	results := make([][]byte, readers)
	for i := range readers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			st := h.stream(id, "")
			defer st.close()
			st.untilSeq(events)
			results[i] = st.lines
		}()
	}
	wg.Wait()
	received(t, grown)
	log := h.log(id, "")
	for i, got := range results {
		if len(got) == 0 || !bytes.HasPrefix(log, got) {
			t.Fatalf("reader %d saw something else than the log", i)
		}
	}
}

// TestPatchProperty: full(V1) and patch(V1→V2) make full(V2), over /log and /stream, with random cuts.
// Proves: 002.6.2, T01
func TestPatchProperty(t *testing.T) {
	tr := newTree(t)
	tr.ring = 32 << 10 // so that cuts fall into the ring and into the journal
	h := serveTree(t, tr)
	id := h.create("busy")
	tr.grow(id, 2000)
	h.want(http.StatusOK, "POST", "/sessions/"+id+"/end", "") // a barrier: everything before it is in the log
	full := h.log(id, "")
	count := bytes.Count(full, []byte("\n"))
	offset := func(n int) int { // of the line after n lines
		at := 0
		for range n {
			at += bytes.IndexByte(full[at:], '\n') + 1
		}
		return at
	}
	rapid.Check(t, func(rt *rapid.T) {
		v1 := rapid.IntRange(0, count).Draw(rt, "V1")
		since := strconv.Itoa(v1)
		patch := h.log(id, "?since="+since)
		if got := append(full[:offset(v1):offset(v1)], patch...); !bytes.Equal(got, full) {
			rt.Fatalf("log: full(%d) and its patch are not the whole log", v1)
		}
		if v1 == count {
			return // 204
		}
		st := h.stream(id, since)
		defer st.close()
		cut := rapid.IntRange(v1+1, count).Draw(rt, "cut")
		st.untilSeq(uint64(cut))
		got := append(full[:offset(v1):offset(v1)], st.lines...)
		if cut < count {
			rest := h.stream(id, "1", "Last-Event-ID", st.ids[len(st.ids)-1])
			defer rest.close()
			rest.rest()
			got = append(got, rest.lines...)
		}
		if !bytes.Equal(got, full) {
			rt.Fatalf("stream: since %d, cut at %d: not the whole log", v1, cut)
		}
	})
}

// TestStreamSurvivesPassivation: the session's actor is put away and comes back; the reader notices nothing.
func TestStreamSurvivesPassivation(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	st := h.stream(id, "")
	defer st.close()
	seq := seqOf(h, id)
	st.untilSeq(seq)
	h.tree.passivate(id)
	h.want(http.StatusOK, "PATCH", "/sessions/"+id, `{"title":"woken"}`)
	e := st.until(func(*protocol.Event) bool { return true })
	if m, ok := e.Payload.(*protocol.SessionMeta); !ok || *m.Title != "woken" || e.Seq != seq+1 {
		t.Fatalf("after the passivation comes %d %+v", e.Seq, e.Payload)
	}
}

// TestStreamGoesOnInAnotherEpoch: the log goes on in another epoch behind what the reader has, and what comes is read from the log: its cursors are of that epoch,
// so that none of them names what another copy of the log has.
// Proves: I16.1/stream
func TestStreamGoesOnInAnotherEpoch(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	st := h.stream(id, "")
	defer st.close()
	seq := seqOf(h, id)
	st.untilSeq(seq)
	h.tree.lose(id, 2, fmt.Appendf(nil, `{"seq":%d,"ts":1,"type":"epoch","epoch":2,"reason":"node lost"}`+"\n"+`{"seq":%d,"ts":1,"type":"session_meta","title":"a"}`+"\n", seq+1, seq+2))
	h.want(http.StatusOK, "PATCH", "/sessions/"+id, `{"title":"woken"}`)
	for n := range uint64(3) {
		frame, err := st.frames.Next()
		for err == nil && !bytes.Contains(frame.Data, []byte(`"seq":`)) { // heartbeats
			frame, err = st.frames.Next()
		}
		if want := fmt.Sprintf("2.%d", seq+1+n); err != nil || frame.ID != want {
			t.Fatalf("the cursor is %q, want %q, %v", frame.ID, want, err)
		}
	}
}

func TestStreamEndsWhenTheSessionIsDeleted(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	st := h.stream(id, "")
	defer st.close()
	st.next()
	h.want(http.StatusNoContent, "DELETE", "/sessions/"+id, "")
	st.rest()
}

func TestStreamLimits(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.MaxStreams, c.MaxStreamsPerSession = 2, 1 })
	one, two, three := h.create("echo"), h.create("echo"), h.create("echo")
	overloaded := func(id string) bool {
		t.Helper()
		st := h.stream(id, "") // 200: EventSource would give up on 503
		defer st.close()
		over := st.next() == nil
		if over && st.frames.Retry() < 5*time.Second {
			t.Errorf("retry is %v", st.frames.Retry())
		}
		return over
	}
	a := h.stream(one, "")
	a.next()
	if !overloaded(one) {
		t.Error("a second stream of one session was let in")
	}
	b := h.stream(two, "")
	b.next()
	if !overloaded(three) {
		t.Error("a third stream was let in")
	}
	h.want(http.StatusOK, "GET", "/agents", "") // streams take no room from requests
	a.close()
	b.close()
	for h.api.streams.Open() > 0 { // the handlers notice when their clients have gone
		h.want(http.StatusOK, "GET", "/agents", "")
	}
	if overloaded(three) {
		t.Error("there is no room after the streams have ended")
	}
}

// pipeListener hands net.Pipe connections to a server, which is what synctest can see through.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

func (l *pipeListener) dial() net.Conn {
	a, b := net.Pipe()
	l.conns <- b
	return a
}

// bubble runs a test in virtual time over net.Pipe.
func bubble(t *testing.T, f func(t *testing.T, h *harness, l *pipeListener), change ...func(*Config)) {
	synctest.Test(t, func(t *testing.T) {
		tr := newTree(t)
		cfg := Config{Supervisor: tr, Token: testToken, Hosts: []string{"pipe"}}
		for _, c := range change {
			c(&cfg)
		}
		a, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		s, l := NewServer(a), newPipeListener()
		served := make(chan error, 1)
		go func() { served <- s.Serve(l) }() // ends with Close
		h := &harness{t: t, tree: tr, api: a, base: "http://pipe", http: &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true, DisableCompression: true,
			DialContext: func(context.Context, string, string) (net.Conn, error) { return l.dial(), nil },
		}}}
		f(t, h, l)
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
		tr.stop()
		time.Sleep(3 * time.Second) // virtual: the engine's dead-letter timers end
	})
}

// Proves: 002.6.3/heartbeat, C10, T04
func TestHeartbeat(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, _ *pipeListener) {
		id := h.create("busy")
		st := h.stream(id, "")
		seq := seqOf(h, id)
		st.untilSeq(seq)
		for n := range 3 {
			before := time.Now()
			beat, ok := st.next().(*protocol.Heartbeat)
			if !ok || beat.Seq != seq || beat.Ts != time.Now().UnixMilli() || st.ids[len(st.ids)-1] != strconv.FormatUint(seq, 10) {
				t.Fatalf("heartbeat %d: %+v with id %s", n, beat, st.ids[len(st.ids)-1])
			}
			if took := time.Since(before); took != 15*time.Second {
				t.Errorf("heartbeat %d after %v", n, took)
			}
		}
		// An event moves the heartbeat.
		time.Sleep(10 * time.Second) // virtual
		a := h.tree.agentOf(id)
		a.say(a.message("x", 1)...)
		st.untilSeq(seq + 3)
		before := time.Now()
		if beat, ok := st.next().(*protocol.Heartbeat); !ok || beat.Seq != seq+3 || time.Since(before) != 15*time.Second {
			t.Errorf("after an event: %+v after %v", beat, time.Since(before))
		}
		st.close()
	})
}

// TestHeartbeatBeforeAnyEvent: a reader that has everything gets its own position, never the log's end.
func TestHeartbeatBeforeAnyEvent(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, _ *pipeListener) {
		id := h.create("busy")
		seq := strconv.FormatUint(seqOf(h, id), 10)
		st := h.stream(id, seq)
		if _, ok := st.next().(*protocol.Heartbeat); !ok || st.ids[0] != seq {
			t.Errorf("the first frame has the id %v", st.ids)
		}
		st.close()
	})
}

// TestStalledReader: a reader that stops reading is cut after the write timeout, and goes on afterwards where it was.
func TestStalledReader(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
		id := h.create("busy")
		c := l.dial()
		request := fmt.Sprintf("GET /sessions/%s/stream HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n\r\n", id, testToken)
		if _, err := io.WriteString(c, request); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 300)
		if _, err := io.ReadFull(c, buf); err != nil {
			t.Fatal(err)
		}
		h.tree.grow(id, 5000) // and read nothing of it
		synctest.Wait()
		if h.api.streams.Open() != 1 {
			t.Fatal("the stream is not there")
		}
		before := time.Now()
		for h.api.streams.Open() > 0 {
			time.Sleep(time.Second) // virtual
			if time.Since(before) > time.Minute {
				t.Fatal("a reader that does not read is kept for ever")
			}
		}
		if took := time.Since(before); took > 11*time.Second {
			t.Errorf("cut after %v", took)
		}
		_ = c.Close()
		st := h.stream(id, "3")
		st.untilSeq(5000)
		st.close()
	})
}

// TestStalledReaderChangesNothing: beside 20 readers that read nothing, one that reads gets everything at once.
// Proves: T05, I2/stalled
func TestStalledReaderChangesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, l *pipeListener) {
		id := h.create("busy")
		for range 20 {
			c := l.dial()
			defer c.Close()
			if _, err := fmt.Fprintf(c, "GET /sessions/%s/stream HTTP/1.1\r\nHost: pipe\r\nAuthorization: Bearer %s\r\n\r\n", id, testToken); err != nil {
				t.Fatal(err)
			}
		}
		st := h.stream(id, "")
		before := time.Now()
		h.tree.grow(id, 3000)
		st.untilSeq(3000)
		if took := time.Since(before); took != 0 {
			t.Errorf("the reader that reads waited %v", took)
		}
		st.close()
	})
}

// TestReadersComeAndGo: whoever reads is in the subscriber set, and nobody stays in it: a session that is read by somebody is
// never put away.
func TestReadersComeAndGo(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, _ *pipeListener) {
		id := h.create("echo")
		readers := func() []resource.SessionReader {
			synctest.Wait()
			var d resource.SessionDetail
			h.want(http.StatusOK, "GET", "/sessions/"+id, "").into(t, &d)
			return d.Readers
		}
		seq := seqOf(h, id)
		st := h.stream(id, "")
		st.untilSeq(seq)
		if r := readers(); len(r) != 1 || r[0].Name != "stream" || r[0].Seq != seq || r[0].Behind != 0 {
			t.Errorf("while one reads: %+v", r)
		}
		h.log(id, "")
		h.want(http.StatusOK, "GET", "/sessions/"+id+"/state", "")
		h.refused(http.StatusGone, protocol.CodeCursorReset, "GET", "/sessions/"+id+"/log?since=999", "")
		st.close()
		if r := readers(); len(r) != 0 {
			t.Errorf("after all have gone: %+v", r)
		}
	})
}

// TestCloseEndsStreams: an orderly shutdown does not wait for readers.
func TestCloseEndsStreams(t *testing.T) {
	bubble(t, func(t *testing.T, h *harness, _ *pipeListener) {
		id := h.create("busy")
		st := h.stream(id, "")
		st.next()
		h.api.close()
		before := time.Now()
		st.rest()
		if took := time.Since(before); took != 0 {
			t.Errorf("the stream lasted another %v", took)
		}
		h.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "GET", "/ready", "")
	})
}
