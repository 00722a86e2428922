// Package network stands between a test and a server, as networks do: it ends connections, is silent or is slow.
package network

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// Condition is what a network does to what it carries.
type Condition int

// The conditions of a network.
const (
	Good   Condition = iota
	Torn             // connections end now and then: before a piece is through, so that nobody ever hears of it, or behind it
	Slow             // each piece comes late
	Silent           // nothing comes through, and nobody is told; what was under way comes when that is over
	Void             // connections end for clients alone: the server is not told, and goes on into the void; none is made
	Cut              // connections end, and none is made
)

// Late is how late a piece comes through a slow network, in each direction.
const Late = 150 * time.Millisecond

// Network is what is before a server. It has the condition Good at first.
type Network struct {
	listener net.Listener
	to       string
	all      sync.WaitGroup

	mu      sync.Mutex
	is      Condition
	changed chan struct{} // closed with the next change
	links   map[*link]bool
	random  *rand.Rand
	word    []byte        // none: nil
	came    chan struct{} // closed when the word came
}

// link is a connection through a network.
type link struct {
	client, server net.Conn
	void           bool // it has ended for the client alone
}

// Before has a network before the server of a URL, and gives the URL through it. It ends with the test, and its connections with it.
func Before(t testing.TB, server string) (*Network, string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &Network{listener: l, to: u.Host, changed: make(chan struct{}), links: map[*link]bool{}, random: rand.New(rand.NewPCG(5, 5))}
	n.all.Go(n.accept)
	t.Cleanup(func() {
		_ = l.Close()
		n.Become(Cut)
		n.all.Wait()
	})
	u.Host = l.Addr().String()
	return n, u.String()
}

// Become changes what the network does from now on.
func (n *Network) Become(c Condition) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.become(c)
}

func (n *Network) become(c Condition) {
	n.is = c
	close(n.changed)
	n.changed = make(chan struct{})
	for l := range n.links {
		if c == Cut {
			_, _ = l.client.Close(), l.server.Close()
		}
		if c == Void {
			l.void = true
			_ = l.client.Close()
		}
	}
}

// Disturb has the network be torn, or good.
func (n *Network) Disturb(on bool) {
	if on {
		n.Become(Torn)
	} else {
		n.Become(Good)
	}
}

// SilentAt has the network become silent as soon as a piece has the word in it, which does not come through, and gives what is closed then.
func (n *Network) SilentAt(word string) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.word, n.came = []byte(word), make(chan struct{})
	return n.came
}

func (n *Network) accept() {
	for {
		client, err := n.listener.Accept()
		if err != nil {
			return
		}
		server, err := new(net.Dialer).DialContext(context.Background(), "tcp", n.to)
		if err != nil {
			_ = client.Close()
			continue
		}
		l := &link{client: client, server: server}
		n.mu.Lock()
		if n.is == Cut || n.is == Void {
			_, _ = client.Close(), server.Close()
		}
		n.links[l] = true
		n.mu.Unlock()
		n.all.Go(func() { n.pass(l, client, server) })
		n.all.Go(func() { n.pass(l, server, client) })
	}
}

// pass moves what comes, until the link ends.
func (n *Network) pass(l *link, from, to net.Conn) {
	defer n.end(l)
	piece := make([]byte, 32<<10)
	for {
		size, err := from.Read(piece)
		n.look(piece[:size])
		n.hold()
		if n.tears() {
			return
		}
		if _, failed := to.Write(piece[:size]); failed != nil || err != nil || n.tears() {
			return
		}
	}
}

// end ends a link for both sides, unless the server is not to know.
func (n *Network) end(l *link) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !l.void {
		_, _ = l.client.Close(), l.server.Close()
		delete(n.links, l)
	}
}

func (n *Network) look(piece []byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.word != nil && bytes.Contains(piece, n.word) {
		n.word = nil
		n.become(Silent)
		close(n.came)
	}
}

// hold returns when a piece is to go on.
func (n *Network) hold() {
	for {
		n.mu.Lock()
		is, changed := n.is, n.changed
		n.mu.Unlock()
		switch is {
		case Silent:
			<-changed
		case Slow:
			select {
			case <-time.After(Late):
			case <-changed:
			}
			return
		default:
			return
		}
	}
}

func (n *Network) tears() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.is == Torn && n.random.IntN(60) == 0
}
