package connection

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// Limit bounds the connections over TCP: descriptors stay for the files of sessions and the pipes of agents. A connection that comes when it is reached takes
// the place of the one that was idle longest: of those that never named a principal, or else of all. Where none is idle it waits until one ends. Few may
// be of strangers, however many there may be in all. The unix socket is this user's own and not counted, so that the user gets in.
type Limit struct {
	most  int            // 0: no bound
	crowd int            // of them, that have not named a principal and on which nothing is at work
	of    *access.Shares // the places, by principal
	freed chan struct{}  // one slot

	mu      sync.Mutex
	seats   map[net.Conn]*seat
	leaving int // of them, that were told to end for another one
	// Seats on which nothing is at work, the longest idle first.
	strangers, known list.List
}

// seat is a connection's place.
type seat struct {
	limit *Limit
	conn  net.Conn

	// With limit.mu:
	who     *access.Principal // whose requests came on it last; nil: it has named none
	busy    int               // requests at work
	idle    *list.Element     // in strangers or known; nil: it is at work, or has to go
	since   time.Time         // when it began to be idle
	leaving bool
}

// NewLimit makes the limit of n connections; 0: there is none. Each principal is sure of some, whatever others have.
func NewLimit(n int, sure int64) *Limit {
	l := &Limit{most: max(n, 0), crowd: maxStrangers, freed: make(chan struct{}, 1), seats: map[net.Conn]*seat{}}
	if n > 0 {
		l.of = access.NewShares(int64(n), sure)
	}
	return l
}

// maxStrangers is how many connections there are that have not named a principal and ask for nothing: whoever reaches the port opens them for nothing, and
// each takes some 20 KiB. Those that connect, ask and go are strangers for a moment.
const maxStrangers = 1024

const bounded = "tcp"

// Listen makes a listener take a place for each connection.
func (l *Limit) Listen(inner net.Listener) net.Listener {
	if l.most == 0 || inner.Addr().Network() != bounded {
		return inner
	}
	return &listener{Listener: inner, limit: l, closed: make(chan struct{})}
}

// Changed is for http.Server: a connection that ends gives its place back, and one on which a request begins has time to say whose it is.
func (l *Limit) Changed(c net.Conn, s http.ConnState) {
	if s != http.StateClosed && s != http.StateHijacked && s != http.StateActive {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	x := l.seats[c]
	switch {
	case x == nil:
		return
	case s == http.StateActive:
		if x.since = time.Now(); x.idle != nil {
			l.idleOf(x).MoveToBack(x.idle)
		}
		return
	}
	delete(l.seats, c)
	x.take()
	if x.leaving {
		l.leaving--
	}
	if x.who != nil {
		l.of.Give(x.who, 1)
	}
	l.tell()
}

// tell has those that wait look again.
func (l *Limit) tell() {
	select {
	case l.freed <- struct{}{}:
	default:
	}
}

// take takes a seat out of the idle ones. With mu held.
func (x *seat) take() {
	if x.idle != nil {
		x.limit.idleOf(x).Remove(x.idle)
		x.idle = nil
	}
}

func (l *Limit) idleOf(x *seat) *list.List {
	if x.who == nil {
		return &l.strangers
	}
	return &l.known
}

// seat gives a connection a place, where there is one, or sees to it that there will be.
func (l *Limit) seat(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	crowded := l.strangers.Len() >= l.crowd
	if len(l.seats) < l.most && !crowded {
		x := &seat{limit: l, conn: c, since: time.Now()}
		x.idle = l.strangers.PushBack(x)
		l.seats[c] = x
		return true
	}
	if l.leaving == 0 {
		l.evict(crowded)
	}
	return false
}

// idleGrace is how long a connection has to say something before another one may take its place. With a tenth of it, of 2,000 clients that came back all the
// time on two busy processors one in 50,000 was taken for a silent one.
const idleGrace = time.Second

// lookAgain is how often a connection that waits for a place looks for one that has been silent for long enough.
const lookAgain = 25 * time.Millisecond

// evict ends the connection that can be missed most; one of a stranger, where there are too many of these. With mu held.
func (l *Limit) evict(crowded bool) {
	x := missed(&l.strangers)
	if x == nil && !crowded {
		x = missed(&l.known)
	}
	if x == nil {
		return
	}
	x.take()
	x.leaving = true
	l.leaving++
	_ = plain(x.conn).Close() // its reader sees it
}

// missed finds a connection on which there was time to say something and nothing was said. What has come and was not read yet, on a busy machine, is said.
func missed(idle *list.List) *seat {
	for e := idle.Front(); e != nil; {
		x := e.Value.(*seat)
		if time.Since(x.since) < idleGrace {
			return nil
		}
		if !unread(plain(x.conn)) {
			return x
		}
		next := e.Next()
		x.since = time.Now()
		idle.MoveToBack(e)
		e = next
	}
	return nil
}

// unread says that something has come on a connection and was not read.
func unread(c net.Conn) (is bool) {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		n, _, err := syscall.Recvfrom(int(fd), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		is = err == nil && n > 0
	})
	return is && err == nil
}

// plain is a connection without the encryption, whose end would wait for the client.
func plain(c net.Conn) net.Conn {
	if t, ok := c.(*tls.Conn); ok {
		return t.NetConn()
	}
	return c
}

type seatKey struct{}

// Context is for http.Server: it notes the seat of a connection.
func (l *Limit) Context(ctx context.Context, c net.Conn) context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	if x := l.seats[c]; x != nil {
		return context.WithValue(ctx, seatKey{}, x)
	}
	return ctx
}

// Owned says that a request of a principal has come on its connection: that is whose the last one was. It is not where the principal has
// too many of them.
func Owned(ctx context.Context, p *access.Principal) (ok bool) {
	x, seated := ctx.Value(seatKey{}).(*seat)
	if !seated || p == nil {
		return true
	}
	l := x.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	if x.who != nil && p.Share() == x.who.Share() {
		return true
	}
	if !l.of.Take(p, 1) {
		return false
	}
	if x.who != nil {
		l.of.Give(x.who, 1)
	}
	x.who = p
	return true
}

// Occupy says that a request is at work on its connection; done must follow.
func Occupy(ctx context.Context) (done func()) {
	x, seated := ctx.Value(seatKey{}).(*seat)
	if !seated {
		return func() {}
	}
	l := x.limit
	l.mu.Lock()
	defer l.mu.Unlock()
	if x.take(); l.strangers.Len() == l.crowd-1 { // those that wait for that look again
		l.tell()
	}
	x.busy++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if x.busy--; x.busy == 0 && !x.leaving && l.seats[x.conn] == x {
			x.since = time.Now()
			x.idle = l.idleOf(x).PushBack(x)
		}
	}
}

type listener struct {
	net.Listener
	limit  *Limit
	closed chan struct{}
	once   sync.Once
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if l.limit.seat(c) {
		return c, nil
	}
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for !l.limit.seat(c) {
		select {
		case <-again.C:
		case <-l.limit.freed:
		case <-l.closed:
			_ = c.Close() // it was not served yet
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
