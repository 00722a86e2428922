package api

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/peers"
)

// peered are two nodes of one cluster: what is asked of front for a session goes to own, which has it.
type peered struct {
	t          testing.TB
	front, own *harness
	passes     string // where own takes what front passes on
	keys       map[string]string
	front1     *peers.Identity
	ownKey     string
	ownAt      atomic.Pointer[string] // the node that own takes for the session's; nil: itself
	at         atomic.Pointer[string] // the node that front takes for the session's; nil: own
	now        atomic.Pointer[string] // the node that Core names when front asks it; nil: own
	key        atomic.Pointer[string] // that own is known by
	gone       atomic.Pointer[error]  // why own cannot be asked; nil: it can
	dialled    atomic.Int32
	stranger   atomic.Bool             // own does not believe front
	wrap       func(net.Conn) net.Conn // what befalls connections; nil: nothing
	dialling   func() error            // what befalls who connects; nil: nothing
}

type whereIs func(now bool) string

func (w whereIs) Owner(context.Context, string, bool) string { return w(false) }
func (w whereIs) OwnerNow(context.Context, string) string    { return w(true) }
func (w whereIs) Here(context.Context, string) bool          { return w(false) == "" }

var errForeign = errors.New("nobody's key")

func identity(t testing.TB) *peers.Identity {
	t.Helper()
	id, err := peers.Load(filepath.Join(t.TempDir(), "peer.pem"), func(path string, text []byte) error { return os.WriteFile(path, text, 0o600) })
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func newPeered(t testing.TB) *peered {
	t.Helper()
	p := &peered{t: t, front1: identity(t)}
	own := identity(t)
	p.ownKey = own.Key
	p.key.Store(&own.Key)
	p.keys = map[string]string{p.front1.Key: "front"}
	forward := func(here string, where whereIs, dial func(context.Context, string) (net.Conn, error)) *peer.Forwarder {
		f := peer.New(peer.Config{
			Here: here, Where: where, Dial: dial, Log: zap.NewNop(), Reaches: func(context.Context, string) (string, error) {
				if gone := p.gone.Load(); gone != nil {
					return "", *gone
				}
				return *p.key.Load(), nil
			},
		})
		t.Cleanup(f.Close)
		return f
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.passes = l.Addr().String()
	tr := newTree(t)
	a, err := New(Config{Supervisor: tr, Retention: tr, Token: testToken, Version: "test", Peers: forward("own", func(bool) string {
		if at := p.ownAt.Load(); at != nil {
			return *at
		}
		return ""
	}, func(context.Context, string) (net.Conn, error) { return nil, errors.New("a second hop") })})
	if err != nil {
		t.Fatal(err)
	}
	s := NewServer(a)
	served1 := make(chan error, 1)
	t.Cleanup(func() {
		if err := <-served1; err != nil {
			t.Error(err)
		}
	})
	p.own = served(t, listenLocal(t), s)
	p.own.tree = tr
	go func() { // ends with the server
		served1 <- s.ServePeers(tls.NewListener(l, own.Server()), peer.Listener{
			Key: peers.KeyOf, Unread: peers.ErrUnread,
			Speaker: func(_ context.Context, key string) (string, error) {
				if node := p.keys[key]; node != "" && !p.stranger.Load() {
					return node, nil
				}
				return "", errForeign
			},
		})
	}()
	p.front = newHarness(t, func(c *Config) {
		c.Peers = forward("front", func(now bool) string {
			at := &p.at
			if now {
				at = &p.now
			}
			if at := at.Load(); at != nil {
				return *at
			}
			return "own"
		}, func(ctx context.Context, node string) (net.Conn, error) {
			if node != "own" {
				return nil, errors.New("no such node")
			}
			p.dialled.Add(1)
			if p.dialling != nil {
				if err := p.dialling(); err != nil {
					return nil, err
				}
			}
			c, err := p.dial(ctx, p.front1)
			if err == nil && p.wrap != nil {
				c = p.wrap(c)
			}
			return c, err
		})
	})
	return p
}

// dial connects to own as somebody.
func (p *peered) dial(ctx context.Context, as *peers.Identity) (net.Conn, error) {
	return peers.Connect(ctx, as, peers.Peer{Node: "own", Address: p.passes, Key: p.ownKey})
}

// TestScopesThroughPeers: what a token of each scope may do with sessions of another node is what it may do with those of its own, in every cell of the matrix.
//
// Proves: I16.7/scopes
func TestScopesThroughPeers(t *testing.T) {
	p := newPeered(t)
	fresh := func() []string { return []string{p.own.owned("ann", ""), p.own.owned("bob", ""), missingID} }
	direct, passed := holders(t, p.own.api.cfg.Tokens, fresh()[0]), holders(t, p.front.api.cfg.Tokens, missingID)
	cells, forbidden := 0, 0
	for pattern := range p.own.api.routes.Patterns() {
		if _, path, _ := strings.Cut(pattern, " "); !strings.HasPrefix(path, "/sessions/{id}") || !peer.Passes(path) {
			continue
		}
		for _, who := range []holder{"admin", "admin:ro", "owner", "owner:ro", "agent"} {
			here, there := fresh(), fresh()
			for i := range here {
				cells++
				method, path := at(pattern, here[i])
				want := p.own.ask(direct[who], method, path, bodies[pattern])
				_, path = at(pattern, there[i])
				got := p.front.ask(passed[who], method, path, bodies[pattern])
				if got.StatusCode != want.StatusCode || got.code() != want.code() {
					t.Errorf("%s: %s: %d %s, want %d %s", who, pattern, got.StatusCode, got.body, want.StatusCode, want.body)
				}
				if want.StatusCode == http.StatusForbidden {
					forbidden++
				}
			}
		}
	}
	if p.dialled.Load() == 0 || forbidden == 0 {
		t.Errorf("%d connections, %d cells are forbidden", p.dialled.Load(), forbidden)
	}
	t.Logf("%d cells", cells)
}

// carried are the headers by which a peer says for whom it asks.
func carried(p *access.Principal, hop string) []string {
	return []string{"X-Ringmaster-As", p.Carry(), "X-Ringmaster-Hop", hop}
}

// TestPeersAreBelievedAlone: what a peer says of whom it has let in, nobody else can say; and a peer that is none is turned away in words.
//
// Proves: I16.7/strangers
func TestPeersAreBelievedAlone(t *testing.T) {
	p := newPeered(t)
	id := p.own.owned("ann", "")
	reader, secret, err := p.own.api.cfg.Tokens.Create(access.Token{Name: "n", Scope: access.OwnerRead, Owner: "bob"})
	if err != nil {
		t.Fatal(err)
	}
	admin := carried(access.Root, "front")
	for _, h := range []*harness{p.own, p.front} { // the daemon's own address
		for bearer, want := range map[string]int{"": 401, "Bearer " + secret: 403, "Bearer wrong": 401} {
			if h == p.front && bearer == "Bearer "+secret {
				want = 401 // the token is not of this node
			}
			r, err := h.http.Do(h.request("POST", "/sessions/"+id+"/prompts", `{"text":"hi"}`, append(admin, "Authorization", bearer)...))
			if err != nil {
				t.Fatal(err)
			}
			_ = r.Body.Close()
			if r.StatusCode != want {
				t.Errorf("%q with the headers of a peer: %d, want %d", bearer, r.StatusCode, want)
			}
		}
	}
	if s, err := p.own.tree.Look(t.Context(), id); err != nil || s.Turns != 0 {
		t.Fatalf("%+v, %v", s, err)
	}

	var as *peers.Identity
	to := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialTLSContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return p.dial(ctx, as)
	}}}
	ask := func(method, path string, headers ...string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "https://own"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{}
		for i := 0; i < len(headers); i += 2 {
			r.Header.Add(headers[i], headers[i+1])
		}
		answer, err := to.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	foreign, agent := identity(t), base64.RawURLEncoding.EncodeToString([]byte(`{"id":"a","scope":"agent","session":"`+id+`"}`))
	token := []string{"Authorization", "Bearer " + testToken}
	for name, c := range map[string]struct {
		as      *peers.Identity
		path    string
		headers []string
		want    int
		says    string
	}{
		"a peer":                   {p.front1, "/sessions/" + id, admin, 200, id},
		"a foreign key":            {foreign, "/sessions/" + id, admin, 403, "nobody's key"},
		"a foreign key, and token": {foreign, "/sessions/" + id, append(token, admin...), 403, "nobody's key"},
		"a peer for nobody":        {p.front1, "/sessions/" + id, admin[2:], 400, "for whom"},
		"a peer with a token":      {p.front1, "/sessions/" + id, append(token, admin[2:]...), 400, "for whom"},
		"a peer as another one":    {p.front1, "/sessions/" + id, carried(access.Root, "other"), 400, "another node"},
		"a peer twice":             {p.front1, "/sessions/" + id, append(admin, admin...), 400, "for whom"},
		"a peer for nonsense":      {p.front1, "/sessions/" + id, []string{"X-Ringmaster-As", "e30", "X-Ringmaster-Hop", "front"}, 400, "for whom"},
		"a peer for an owner of nothing": {
			p.front1, "/sessions/" + id,
			carried(&access.Principal{ID: "t", Scope: access.Owner}, "front"), 400, "for whom",
		},
		"a peer for another's owner": {p.front1, "/sessions/" + id, carried(&access.Principal{ID: reader.ID, Scope: access.OwnerRead, Owner: "bob"}, "front"), 404, ""},
		"another path":               {p.front1, "/tokens", admin, 403, "sessions alone"},
		"another path, in disguise":  {p.front1, "/sessions/../tokens", admin, 404, ""},
		"MCP":                        {p.front1, "/mcp", admin, 403, "sessions alone"},
		"the list":                   {p.front1, "/sessions", admin, 421, ""},
		"what is no session":         {p.front1, "/sessions/x", admin, 421, ""},
		"an agent":                   {p.front1, "/sessions/" + id, []string{"X-Ringmaster-As", agent, "X-Ringmaster-Hop", "front"}, 400, "for whom"},
	} {
		as = c.as
		if status, text := ask("GET", c.path, c.headers...); status != c.want || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d %s, want %d with %q", name, status, text, c.want, c.says)
		}
	}
	as = p.front1
	if status, text := ask("POST", "/sessions", admin...); status != http.StatusMisdirectedRequest {
		t.Errorf("a session without a parent: %d %s", status, text)
	}
}

// TestOneHop: a request that comes to a node which does not have the session goes no further. The first node asks Core anew, and once more at most.
//
// Proves: I16.7/one-hop
func TestOneHop(t *testing.T) {
	p := newPeered(t)
	id := p.own.owned("", "")
	other, own, here := "front", "own", ""
	p.ownAt.Store(&other)
	path := "/sessions/" + id + "/prompts"
	r := p.front.do("POST", path, `{"text":"hi"}`)
	if r.StatusCode != http.StatusServiceUnavailable || r.code() != protocol.CodeUnavailable || r.Header.Get("Retry-After") == "" ||
		!strings.Contains(string(r.body), "nothing was changed") {
		t.Errorf("%v %s", r.Header, r.body)
	}
	p.now.Store(&own) // it is there after all
	p.front.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "POST", path, `{"text":"hi"}`)
	p.now.Store(&here)
	p.front.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "POST", path, `{"text":"hi"}`) // front's own word
	if s, err := p.own.tree.Look(t.Context(), id); err != nil || s.Turns != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	p.ownAt.Store(nil)
	p.front.want(http.StatusAccepted, "POST", path, `{"text":"hi"}`)
}

// TestChangesThatDidNotComeThere: where a node cannot be reached, Core is asked anew before a change is refused: another node may have the session, or this one.
//
// Proves: I16.7/one-hop
func TestChangesThatDidNotComeThere(t *testing.T) {
	p := newPeered(t)
	id := p.own.owned("", "")
	path := "/sessions/" + id + "/prompts"
	other, here, gone := "gone", "", errors.New("its node has left")
	p.at.Store(&other)
	p.front.want(http.StatusAccepted, "POST", path, `{"text":"hi"}`) // Core names the one that has it
	p.at.Store(nil)
	p.gone.Store(&gone)
	r := p.front.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "POST", path, `{"text":"hi"}`)
	if !strings.Contains(r.Detail, gone.Error()) || !strings.Contains(r.Detail, "nothing was changed") {
		t.Errorf("%+v", r)
	}
	p.now.Store(&here)
	p.front.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "POST", path, `{"text":"hi"}`) // front's own word
}

// TestNotBelievedYet: a node that is back is not believed at once. What reads is answered by the node itself then, and what changes is told to come again, in
// words that are about neither the client nor its token.
//
// Proves: I16.7/strangers
func TestNotBelievedYet(t *testing.T) {
	p := newPeered(t)
	id := p.own.owned("", "")
	path := "/sessions/" + id
	p.front.want(http.StatusOK, "GET", path, "")
	p.stranger.Store(true)
	p.front.refused(http.StatusNotFound, protocol.CodeSessionNotFound, "GET", path, "") // front's own word
	r := p.front.refused(http.StatusServiceUnavailable, protocol.CodeUnavailable, "POST", path+"/prompts", `{"text":"hi"}`)
	if !strings.Contains(r.Detail, "does not take this node for one that is alive") || !strings.Contains(r.Detail, "nothing was changed") {
		t.Errorf("%+v", r)
	}
	p.stranger.Store(false)
	p.front.want(http.StatusAccepted, "POST", path+"/prompts", `{"text":"hi"}`)
}

// TestConnectionsAreOfAKey: a connection to who had a node's key serves while the node is known by it.
//
// Proves: I16.7/strangers
func TestConnectionsAreOfAKey(t *testing.T) {
	p := newPeered(t)
	path := "/sessions/" + p.own.owned("", "")
	for range 3 {
		p.front.want(http.StatusOK, "GET", path, "")
	}
	if n := p.dialled.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
	other := "another"
	p.key.Store(&other)
	p.front.want(http.StatusOK, "GET", path, "")
	if n := p.dialled.Load(); n != 2 {
		t.Errorf("%d connections, one of which is of an earlier key", n)
	}
	if text := string(p.front.do("GET", "/metrics", "").body); !strings.Contains(text, "\nringmaster_http_requests_passed_on ") {
		t.Error("nothing tells how much is passed on")
	}
}
