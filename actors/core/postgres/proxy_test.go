package postgres_test

import (
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between a test and the database, and cuts connections.
type proxy struct {
	listener net.Listener
	to       string
	cutting  atomic.Bool
	all      sync.WaitGroup

	mu     sync.Mutex
	random *rand.Rand
	open   map[net.Conn]bool
	cuts   int
}

// between starts a proxy to the database of a URL, and gives the URL through it.
func between(t *testing.T, address string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, to: u.Host, random: rand.New(rand.NewPCG(5, 5)), open: map[net.Conn]bool{}}
	p.all.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.sever()
		p.all.Wait()
	})
	u.Host = l.Addr().String()
	return p, u.String()
}

func (p *proxy) accept() {
	for {
		in, err := p.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", p.to)
		if err != nil {
			_ = in.Close()
			continue
		}
		p.mu.Lock()
		p.open[in], p.open[out] = true, true
		p.mu.Unlock()
		p.all.Go(func() { p.pass(in, out) })
		p.all.Go(func() { p.pass(out, in) })
	}
}

// pass moves what comes, and now and then cuts: before something is through, so that the database never hears of it, or behind it.
func (p *proxy) pass(from, to net.Conn) {
	defer func() {
		_, _ = from.Close(), to.Close()
		p.mu.Lock()
		delete(p.open, from)
		p.mu.Unlock()
	}()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if p.cut() {
			return
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
		if p.cut() {
			return
		}
	}
}

func (p *proxy) cut() bool {
	if !p.cutting.Load() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.random.IntN(60) > 0 {
		return false
	}
	p.cuts++
	return true
}

// sever cuts all connections at once.
func (p *proxy) sever() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		_ = c.Close()
	}
}
