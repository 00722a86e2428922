package api

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// proxy is a network that fails on demand.
type proxy struct {
	t  *testing.T
	l  net.Listener
	to string
	wg sync.WaitGroup

	mu    sync.Mutex
	pairs map[*pair]bool
}

// pair is one connection through it.
type pair struct {
	client, server net.Conn
	hole           bool // the client's side is gone and the server's not told
}

func newProxy(t *testing.T) *proxy {
	p := &proxy{t: t, l: listenLocal(t), pairs: map[*pair]bool{}}
	t.Cleanup(func() {
		_ = p.l.Close()
		p.each(func(x *pair) {
			_ = x.client.Close()
			_ = x.server.Close()
		})
		p.wg.Wait()
	})
	return p
}

func (p *proxy) serve(to string) {
	p.to = to
	p.wg.Go(func() { // ends with the listener
		for {
			client, err := p.l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", p.to)
			if err != nil {
				_ = client.Close()
				continue
			}
			x := &pair{client: client, server: server}
			p.mu.Lock()
			p.pairs[x] = true
			p.mu.Unlock()
			p.wg.Go(func() { p.carry(x, server, client) }) // both end with the connection
			p.wg.Go(func() { p.carry(x, client, server) })
		}
	})
}

func (p *proxy) carry(x *pair, to, from net.Conn) {
	_, _ = io.Copy(to, from)
	p.mu.Lock()
	hole := x.hole
	p.mu.Unlock()
	if hole {
		return
	}
	_ = to.Close()
	_ = from.Close()
}

func (p *proxy) each(do func(*pair)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for x := range p.pairs {
		do(x)
	}
}

// cut closes all connections.
func (p *proxy) cut() {
	p.each(func(x *pair) {
		_ = x.client.Close()
		_ = x.server.Close()
	})
}

// swallow closes the clients' sides only: the server goes on into the void.
func (p *proxy) swallow() {
	p.each(func(x *pair) {
		x.hole = true
		_ = x.client.Close()
	})
}

// TestMCPPushesSurviveTheNetwork: connections are cut and swallowed in the middle of a turn; every push arrives once.
// Proves: 004.D3/resume, D1.9, T18/transport
func TestMCPPushesSurviveTheNetwork(t *testing.T) {
	for name, fail := range map[string]func(*proxy){"cut": (*proxy).cut, "black hole": (*proxy).swallow} {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t)
			h := newHarness(t, func(c *Config) { c.Hosts = []string{p.l.Addr().String()} })
			h.tree.agents["drip"] = dripping(100, 100, 20*time.Millisecond)
			p.serve(strings.TrimPrefix(h.base, "http://"))
			c := h.connectAt("http://"+p.l.Addr().String(), oldEra).listening()
			m := c.say("", "drip", "go")
			for _, n := range []int{20, 60} {
				c.until(func(got []protocol.SessionEvent) bool { return len(got) >= n })
				fail(p)
			}
			got := c.until(idleAgain(1))
			if _, pushed := h.expected(m.SessionID); !sameItems(got, pushed) {
				t.Errorf("%d pushes arrived of %d:\n%+v", len(got), len(pushed), got)
			}
		})
	}
}
