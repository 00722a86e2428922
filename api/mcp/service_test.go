package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/tool"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// hollow is a daemon without sessions, whose list of agents panics.
type hollow struct{}

var errHollow = protocol.NewProblem(protocol.CodeSessionNotFound, "No session has this id.", "")

func (hollow) Create(context.Context, supervisor.NewSession) (supervisor.Created, error) {
	return supervisor.Created{}, errors.New("secret insides")
}

func (hollow) Claim(context.Context, supervisor.NewSession, string) (supervisor.Created, error) {
	return supervisor.Created{}, errors.New("secret insides")
}

func (hollow) List(context.Context, supervisor.Query) (supervisor.Page, error) {
	return supervisor.Page{}, nil
}

func (hollow) Agents(context.Context) ([]supervisor.AgentInfo, error) { panic("the secret of a user") }

func (hollow) Started(context.Context, *supervisor.Created) (session.Description, error) {
	return session.Description{}, errHollow
}

func (hollow) NativeSessions(context.Context, string, string) ([]supervisor.NativeSession, error) {
	return nil, nil
}
func (hollow) Pin(context.Context, string, bool) error { return nil }

func (hollow) Pinned(string) bool { return false }

func (hollow) Roots(context.Context) ([]string, error) { return nil, nil }

func (hollow) DeleteListed(context.Context, *session.Summary) error { return errHollow }
func (hollow) Delete(context.Context, string) error                 { return errHollow }

func (hollow) CheckLabels(map[string]string) error { return nil }

func (hollow) TitleFits(string) bool { return true }

func (hollow) AtRest(context.Context, string) (*session.Description, error) { return nil, errHollow }

func (hollow) Find(context.Context, string) (session.Ref, error) { return session.Ref{}, errHollow }

func (hollow) FindAgain(context.Context, string) (session.Ref, error) {
	return session.Ref{}, errHollow
}

func (hollow) Look(context.Context, string) (session.Summary, error) {
	return session.Summary{}, errHollow
}

func (hollow) State(context.Context, *session.Reader, uint64, StateBounds) ([]byte, map[string]int, error) {
	return nil, nil, errHollow
}

func (hollow) EntryText(context.Context, string, string) (string, error) { return "", errHollow }

func (hollow) Prompt(context.Context, string, tool.Prompt) (session.Receipt, error) {
	return session.Receipt{}, errHollow
}

// host serves a service on a listener of its own.
type host struct {
	t    *testing.T
	s    *Service
	base string
	http *http.Client
	who  atomic.Pointer[access.Principal] // of the requests
}

func newHost(t *testing.T, cfg Config) *host {
	cfg.Backend = hollow{}
	return newHostOf(t, cfg)
}

// newHostOf serves a service of another daemon.
func newHostOf(t *testing.T, cfg Config) *host {
	s := New(cfg)
	h := &host{t: t, s: s}
	h.who.Store(access.Root)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(w, r.WithContext(access.With(r.Context(), h.who.Load())))
	}))
	h.base, h.http = server.URL, server.Client()
	t.Cleanup(func() {
		s.Close()
		server.Close()
	})
	return h
}

func (h *host) do(method, session, body string) (*http.Response, string) {
	h.t.Helper()
	res, err := h.http.Do(h.request(h.t.Context(), method, session, body))
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res, string(b)
}

func (h *host) request(ctx context.Context, method, session, body string) *http.Request {
	h.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, h.base, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Content-Type", "application/json")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	return r
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// open opens an MCP session.
func (h *host) open() string {
	h.t.Helper()
	res, body := h.do("POST", "", hello)
	id := res.Header.Get("Mcp-Session-Id")
	if id == "" {
		h.t.Fatalf("%s: %s", res.Status, body)
	}
	h.do("POST", id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return id
}

func (h *host) ping(id string) int {
	res, _ := h.do("POST", id, `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	return res.StatusCode
}

// listen opens the stream of notifications; closing ends it.
func (h *host) listen(id string) (closing func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	res, err := h.http.Do(h.request(ctx, "GET", id, ""))
	if err != nil || res.StatusCode != http.StatusOK {
		h.t.Fatalf("%v %+v", err, res)
	}
	return func() {
		cancel()
		_ = res.Body.Close()
	}
}

// TestPanics of a tool are errors of the call, without what the panic said.
func TestPanics(t *testing.T) {
	h := newHost(t, Config{})
	id := h.open()
	for _, name := range []string{"agent_list", "session_create"} {
		_, body := h.do("POST", id, fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":%q,"arguments":{"agent":"a","cwd":"/"}}}`, name))
		if name == "agent_list" {
			_, body = h.do("POST", id, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"agent_list"}}`)
		}
		if strings.Contains(body, "secret") || !strings.Contains(body, "daemon's log") {
			t.Errorf("%s: %s", name, body)
		}
	}
	if h.ping(id) != http.StatusOK {
		t.Error("the MCP session did not survive a panic")
	}
}

// TestSessionsAreBounded: where all places are taken the one that was idle longest goes, and none that listens.
func TestSessionsAreBounded(t *testing.T) {
	h := newHost(t, Config{MaxSessions: 2})
	listens := h.open()
	defer h.listen(listens)()
	idle := h.open()
	fresh := h.open()
	if h.ping(idle) != http.StatusNotFound || h.ping(listens) != http.StatusOK || h.ping(fresh) != http.StatusOK {
		t.Errorf("idle %d, listening %d, new %d", h.ping(idle), h.ping(listens), h.ping(fresh))
	}
	defer h.listen(fresh)()
	res, body := h.do("POST", "", hello)
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Content-Type") != protocol.ProblemType || res.Header.Get("Retry-After") == "" {
		t.Errorf("%s: %s", res.Status, body)
	}
}

// TestSessionsOfAnAgentAreBounded: an agent that opens one after the other takes nobody else's places.
func TestSessionsOfAnAgentAreBounded(t *testing.T) {
	h := newHost(t, Config{MaxSessions: client.MaxOfAgent + 2})
	others := []string{h.open(), h.open()}
	h.who.Store(&access.Principal{ID: "k1", Scope: access.Agent, Session: "s1", Revoked: t.Context()})
	var own []string
	for range client.MaxOfAgent + 3 {
		own = append(own, h.open())
	}
	if h.ping(own[0]) != http.StatusNotFound || h.ping(own[len(own)-1]) != http.StatusOK {
		t.Error("its oldest ones give way")
	}
	h.who.Store(access.Root)
	for _, id := range others {
		if got := h.ping(id); got != http.StatusOK {
			t.Errorf("another's answers %d", got)
		}
	}
}

// TestSessionsHaveShares: one token that opens one after the other takes nobody else's, and where all are taken who has most gives way.
func TestSessionsHaveShares(t *testing.T) {
	const most = 20 // 15 of one
	h := newHost(t, Config{MaxSessions: most})
	ann, bob := &access.Principal{ID: "ann", Scope: access.Owner, Owner: "ann"}, &access.Principal{ID: "bob", Scope: access.Owner, Owner: "bob"}
	h.who.Store(bob)
	others := h.open()
	h.who.Store(ann)
	own := make([]string, 0, most)
	for range most {
		own = append(own, h.open())
	}
	if h.ping(own[0]) != http.StatusNotFound || h.ping(own[most-1]) != http.StatusOK {
		t.Error("its own oldest ones give way")
	}
	h.who.Store(bob)
	if got := h.ping(others); got != http.StatusOK {
		t.Errorf("another's answers %d", got)
	}
	for range 6 { // seven with the first, and 22 in all
		h.open()
	}
	if got := h.ping(others); got != http.StatusOK {
		t.Errorf("the first of who has fewer answers %d", got)
	}
	h.who.Store(ann)
	if got := h.ping(own[most-1]); got != http.StatusOK {
		t.Errorf("the newest of who has most answers %d", got)
	}
	if n := len(h.s.clients.All()); n > most {
		t.Errorf("%d sessions", n)
	}
}

// revocation is the end of a token, of which those that wait for it are told one by one: the server of the agent first, then its MCP session.
type revocation struct {
	context.Context
	done chan struct{}

	mu      sync.Mutex
	follows []func()
}

func (r *revocation) Done() <-chan struct{} { return r.done }

func (r *revocation) Err() error {
	select {
	case <-r.done:
		return context.Canceled
	default:
		return nil
	}
}

// AfterFunc is for context.AfterFunc.
func (r *revocation) AfterFunc(f func()) func() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.follows = append(r.follows, f)
	return func() bool { return false }
}

func (r *revocation) follow(i int) {
	r.mu.Lock()
	f := r.follows[i]
	r.mu.Unlock()
	f()
}

// TestCloseEndsSessionsOfRevokedAgents: an agent's token is taken back as the service ends, so that its server is gone already and nothing more
// is begun for it. Its MCP session ends all the same, and nobody waits for it for ever.
func TestCloseEndsSessionsOfRevokedAgents(t *testing.T) {
	h := newHost(t, Config{})
	revoked := &revocation{Context: t.Context(), done: make(chan struct{})}
	h.who.Store(&access.Principal{ID: "k1", Scope: access.Agent, Session: "s1", Revoked: revoked})
	x := h.s.clients.Find(h.open())
	close(revoked.done)
	revoked.follow(0) // what follows the revocation comes so far and no further
	for len(h.s.callers.All()) > 0 {
		runtime.Gosched()
	}
	closed := make(chan struct{})
	go func() { // ends with the service
		defer close(closed)
		h.s.Close()
	}()
	<-h.s.life.Done() // nothing is begun any more
	revoked.follow(1)
	select {
	case <-closed:
	case <-time.After(20 * time.Second):
		_ = x.Session.Close()
		t.Error("the MCP session of an agent whose token is gone was not ended")
	}
}

// TestIdleSessionsEnd, and those that listen do not.
func TestIdleSessionsEnd(t *testing.T) {
	var clock atomic.Int64 // it goes when both are there
	h := newHost(t, Config{IdleTimeout: 100 * time.Millisecond, Now: func() time.Time { return time.Unix(clock.Load(), 0) }})
	listens := h.open()
	defer h.listen(listens)()
	idle := h.open()
	x := h.s.clients.Find(idle)
	clock.Store(1)
	<-x.Life.Done()
	if got := h.ping(idle); got != http.StatusNotFound {
		t.Errorf("the idle one answers %d", got)
	}
	if got := h.ping(listens); got != http.StatusOK {
		t.Errorf("the one that listens answers %d", got)
	}
}

// TestRequestsAreBounded: one more than may be is turned away, and the next after one has ended is not.
func TestRequestsAreBounded(t *testing.T) {
	h := newHost(t, Config{MaxRequests: 1})
	id := h.open()
	leave := h.listen(id)
	if got := h.ping(id); got != http.StatusServiceUnavailable {
		t.Errorf("got %d", got)
	}
	leave()
	for h.ping(id) != http.StatusOK { // until its handler has ended
		if t.Context().Err() != nil {
			t.Fatal("no room came")
		}
	}
}

// TestSlowBodies: a client that does not send what it promised takes no place, neither of a request nor of an MCP session.
func TestSlowBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{Backend: hollow{}, MaxRequests: 1, MaxSessions: 1})
		defer s.Close()
		call := func(body io.Reader) *httptest.ResponseRecorder {
			r := httptest.NewRequestWithContext(access.With(t.Context(), access.Root), "POST", "/mcp", body)
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return w
		}
		slow, end := io.Pipe()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				if w := call(io.NopCloser(slow)); w.Code != http.StatusRequestTimeout {
					t.Errorf("a slow body is answered with %d", w.Code)
				}
			})
		}
		synctest.Wait() // for what they send
		if w := call(strings.NewReader(hello)); w.Code != http.StatusOK || w.Header().Get("Mcp-Session-Id") == "" {
			t.Errorf("another is answered with %d: %s", w.Code, w.Body)
		}
		_ = end.CloseWithError(os.ErrDeadlineExceeded)
		wg.Wait()
	})
}

// TestHeartbeats keep a silent stream alive.
func TestHeartbeats(t *testing.T) {
	h := newHost(t, Config{Heartbeat: 5 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	res, err := h.http.Do(h.request(ctx, "GET", h.open(), ""))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	want := ": ok\n\n: heartbeat\n\n: heartbeat\n\n: heartbeat\n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(res.Body, got); err != nil || string(got) != want {
		t.Errorf("%q, %v", got, err)
	}
}
