package api

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

const testToken = "0123456789abcdef0123456789abcdef"

func quietEngine(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }

// harness is an API on a real listener over a tree.
type harness struct {
	t     testing.TB
	tree  *tree
	api   *API
	base  string
	token string // empty: testToken
	http  *http.Client
}

func newHarness(t testing.TB, change ...func(*Config)) *harness {
	tr := newTree(t)
	return serveTree(t, tr, change...)
}

func serveTree(t testing.TB, tr *tree, change ...func(*Config)) *harness {
	return serveTreeAt(t, listenLocal(t), tr, change...)
}

func serveTreeAt(t testing.TB, l net.Listener, tr *tree, change ...func(*Config)) *harness {
	cfg := Config{Supervisor: tr, Retention: tr, Token: testToken, Version: "test"}
	for _, f := range change {
		f(&cfg)
	}
	a, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h := served(t, l, NewServer(a))
	h.tree = tr
	return h
}

// served serves until the test's end.
func served(t testing.TB, l net.Listener, s *Server) *harness {
	t.Helper()
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }() // ends with Close
	h := &harness{
		t: t, api: s.api.Load(), base: "http://" + l.Addr().String(),
		http: &http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 8}},
	}
	t.Cleanup(func() {
		h.http.CloseIdleConnections()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return h
}

// reply is an answer that was read whole.
type reply struct {
	*http.Response
	body []byte
}

func (r reply) problem(t testing.TB) (p operation.Problem) {
	t.Helper()
	if ct := r.Header.Get("Content-Type"); ct != protocol.ProblemType {
		t.Fatalf("%d: content type %q, body %s", r.StatusCode, ct, r.body)
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != r.StatusCode || p.Type != "urn:ringmaster:problem:"+string(p.Code) || p.Title == "" || p.Hint == "" {
		t.Fatalf("problem is not whole: %s", r.body)
	}
	return p
}

func (r reply) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
}

func (h *harness) request(method, path, body string, header ...string) *http.Request {
	h.t.Helper()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	r, err := http.NewRequest(method, h.base+path, in)
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+cmp.Or(h.token, testToken))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i+1] == "" {
			r.Header.Del(header[i])
		}
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	return r
}

func (h *harness) do(method, path, body string, header ...string) reply {
	h.t.Helper()
	res, err := h.http.Do(h.request(method, path, body, header...))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{res, b}
}

// want does a request and checks its status.
func (h *harness) want(status int, method, path, body string, header ...string) reply {
	h.t.Helper()
	r := h.do(method, path, body, header...)
	if r.StatusCode != status {
		h.t.Fatalf("%s %s: got %d, want %d: %s", method, path, r.StatusCode, status, r.body)
	}
	return r
}

// refused does a request and checks its problem.
func (h *harness) refused(status int, code protocol.Code, method, path, body string, header ...string) operation.Problem {
	h.t.Helper()
	p := h.want(status, method, path, body, header...).problem(h.t)
	if p.Code != code {
		h.t.Fatalf("%s %s: got code %s, want %s: %s", method, path, p.Code, code, p.Detail)
	}
	return p
}

// create makes a session of an agent.
func (h *harness) create(agent string) string {
	h.t.Helper()
	var s resource.SessionDetail
	h.want(http.StatusCreated, "POST", "/sessions", `{"agent":"`+agent+`","cwd":"/work/x"}`).into(h.t, &s)
	return s.ID
}

// turn sends a prompt and waits for the turn's end.
func (h *harness) turn(id, text string) {
	h.t.Helper()
	var p resource.PromptAccepted
	h.want(http.StatusAccepted, "POST", "/sessions/"+id+"/prompts", `{"text":"`+text+`"}`).into(h.t, &p)
	st := h.stream(id, p.Cursor)
	defer st.close()
	st.until(func(e *protocol.Event) bool {
		s, ok := e.Payload.(*protocol.Status)
		return ok && s.State == protocol.StateIdle
	})
}

// log reads a session's log as it comes.
func (h *harness) log(id, query string) []byte {
	h.t.Helper()
	return h.want(http.StatusOK, "GET", "/sessions/"+id+"/log"+query, "").body
}

// follower reads a stream.
type follower struct {
	h      *harness
	res    *http.Response
	frames *protocol.SSEReader
	cancel context.CancelFunc
	ids    []string // of the frames read
	lines  []byte   // the events read, as a log
}

func (h *harness) stream(id, since string, header ...string) *follower {
	h.t.Helper()
	path := "/sessions/" + id + "/stream"
	if since != "" {
		path += "?since=" + since
	}
	return h.follow(path, header...)
}

// follow reads an answer of server-sent events.
func (h *harness) follow(path string, header ...string) *follower {
	h.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	res, err := h.http.Do(h.request("GET", path, "", header...).WithContext(ctx))
	if err != nil {
		h.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		h.t.Fatalf("stream: %d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	return &follower{h: h, res: res, cancel: cancel, frames: protocol.NewSSEReader(res.Body, 0)}
}

// next reads a frame; nil at the end.
func (f *follower) next() protocol.Message {
	f.h.t.Helper()
	frame, err := f.frames.Next()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		f.h.t.Fatal(err)
	}
	m, err := protocol.DecodeMessage(frame.Data)
	if err != nil {
		f.h.t.Fatalf("%v: %s", err, frame.Data)
	}
	f.ids = append(f.ids, frame.ID)
	if _, ok := m.(*protocol.Event); ok {
		f.lines = append(append(f.lines, frame.Data...), '\n')
	}
	return m
}

// until reads events up to one that is wanted.
func (f *follower) until(want func(e *protocol.Event) bool) *protocol.Event {
	f.h.t.Helper()
	for {
		m := f.next()
		if m == nil {
			f.h.t.Fatal("the stream ended before the event that is wanted")
		}
		if e, ok := m.(*protocol.Event); ok && want(e) {
			return e
		}
	}
}

func (f *follower) untilSeq(seq uint64) {
	f.h.t.Helper()
	f.until(func(e *protocol.Event) bool { return e.Seq >= seq })
}

// rest reads to the end.
func (f *follower) rest() {
	f.h.t.Helper()
	for f.next() != nil {
	}
}

func (f *follower) close() {
	f.cancel()
	_ = f.res.Body.Close()
}
