package scenarios

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
)

// wire is one client's own way to the daemon, which the steps can cut and block.
type wire struct {
	dial func(ctx context.Context, network, address string) (net.Conn, error)

	mu    sync.Mutex
	down  bool
	conns map[*wireConn]bool
	gate  chan struct{} // nil: the client reads
}

// client reaches the daemon over this wire, with a token; empty: the daemon's own.
func (l *wire) client(d daemon, token string) *http.Client {
	t := d.client().Transport.(*http.Transport).Clone()
	if l.dial = t.DialContext; l.dial == nil {
		l.dial = new(net.Dialer).DialContext
	}
	t.DialContext, t.DisableKeepAlives = l.connect, true
	return &http.Client{Transport: bearer{t, cmp.Or(token, d.token())}}
}

var errDown = errors.New("the wire is down")

func (l *wire) connect(ctx context.Context, network, address string) (net.Conn, error) {
	if l.isDown() {
		return nil, errDown
	}
	c, err := l.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w := &wireConn{Conn: c, wire: l, closed: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conns == nil {
		l.conns = map[*wireConn]bool{}
	}
	l.conns[w] = true
	return w, nil
}

// cut breaks all connections, and no other comes about before mend.
func (l *wire) cut() {
	l.mu.Lock()
	l.down = true
	var all []*wireConn
	for c := range l.conns {
		all = append(all, c)
	}
	l.mu.Unlock()
	for _, c := range all {
		c.Close()
	}
}

func (l *wire) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
	if l.gate != nil {
		close(l.gate)
		l.gate = nil
	}
}

// block leaves unread what comes.
func (l *wire) block() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gate == nil {
		l.gate = make(chan struct{})
	}
}

func (l *wire) isDown() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.down
}

// whole says that what was sent has arrived, or will.
func (l *wire) whole() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.down && l.gate == nil
}

type wireConn struct {
	net.Conn
	wire   *wire
	closed chan struct{}
	once   sync.Once
}

// Read keeps to itself what comes while the client does not read.
func (c *wireConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.wire.mu.Lock()
	gate := c.wire.gate
	c.wire.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-c.closed:
		}
	}
	return n, err
}

func (c *wireConn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.wire.mu.Lock()
		delete(c.wire.conns, c)
		c.wire.mu.Unlock()
	})
	return c.Conn.Close()
}

// bearer adds the daemon's token.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}
