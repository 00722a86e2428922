package api

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

// room bounds the connections over TCP: descriptors stay for the files of sessions and the pipes of agents. Who comes when it is full takes
// the place of the connection that was idle longest: of those that never named a principal, or else of all. Where none is idle he waits
// until somebody leaves. Few may be of nobody that is known, whatever room there is. The unix socket is this user's own and not counted, so that he
// gets in.
type room struct {
	most  int            // 0: no bound
	crowd int            // of them, on which nobody has said who he is and nothing is at work
	of    *access.Shares // the places, by principal
	freed chan struct{}  // one slot

	mu      sync.Mutex
	seats   map[net.Conn]*seat
	leaving int // of them, that were told to end for somebody else
	// Seats on which nothing is at work, the longest idle first.
	strangers, known list.List
}

// seat is a connection's place.
type seat struct {
	room *room
	conn net.Conn

	// With room.mu:
	who     *access.Principal // whose requests came on it last; nil: nobody's that has a name
	busy    int               // requests at work
	idle    *list.Element     // in strangers or known; nil: it is at work, or has to go
	since   time.Time         // when it began to be idle
	leaving bool
}

func newRoom(n int) *room {
	r := &room{most: max(n, 0), crowd: maxStrangers, freed: make(chan struct{}, 1), seats: map[net.Conn]*seat{}}
	if n > 0 {
		r.of = access.NewShares(int64(n), surePlaces)
	}
	return r
}

// maxStrangers is how many connections there are that have not named a principal and ask for nothing: whoever reaches the port opens them for nothing, and
// each takes some 20 KiB. Those that connect, ask and go are strangers for a moment.
const maxStrangers = 1024

const bounded = "tcp"

// listen makes a listener take a place for each connection.
func (r *room) listen(l net.Listener) net.Listener {
	if r.most == 0 || l.Addr().Network() != bounded {
		return l
	}
	return &roomListener{Listener: l, room: r, closed: make(chan struct{})}
}

// changed is for http.Server: a connection that ends gives its place back, and one on which a request begins has time to say whose it is.
func (r *room) changed(c net.Conn, s http.ConnState) {
	if s != http.StateClosed && s != http.StateHijacked && s != http.StateActive {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.seats[c]
	switch {
	case x == nil:
		return
	case s == http.StateActive:
		if x.since = time.Now(); x.idle != nil {
			r.idleOf(x).MoveToBack(x.idle)
		}
		return
	}
	delete(r.seats, c)
	x.take()
	if x.leaving {
		r.leaving--
	}
	if x.who != nil {
		r.of.Give(x.who, 1)
	}
	r.tell()
}

// tell has who waits look again.
func (r *room) tell() {
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// take takes a seat out of the idle ones. With mu held.
func (x *seat) take() {
	if x.idle != nil {
		x.room.idleOf(x).Remove(x.idle)
		x.idle = nil
	}
}

func (r *room) idleOf(x *seat) *list.List {
	if x.who == nil {
		return &r.strangers
	}
	return &r.known
}

// seat gives a connection a place, where there is one, or sees to it that there will be.
func (r *room) seat(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	crowded := r.strangers.Len() >= r.crowd
	if len(r.seats) < r.most && !crowded {
		x := &seat{room: r, conn: c, since: time.Now()}
		x.idle = r.strangers.PushBack(x)
		r.seats[c] = x
		return true
	}
	if r.leaving == 0 {
		r.makeRoom(crowded)
	}
	return false
}

// idleGrace is how long a connection has to say something, whoever waits for its place. With a tenth of it, of 2,000 clients that came back all the
// time on two busy processors one in 50,000 was taken for a silent one.
const idleGrace = time.Second

// lookAgain is how often who waits for a place looks for somebody who has been silent for long enough.
const lookAgain = 25 * time.Millisecond

// makeRoom ends the connection that can be missed most; one of a stranger, where there are too many of these. With mu held.
func (r *room) makeRoom(crowded bool) {
	x := missed(&r.strangers)
	if x == nil && !crowded {
		x = missed(&r.known)
	}
	if x == nil {
		return
	}
	x.take()
	x.leaving = true
	r.leaving++
	_ = plain(x.conn).Close() // its reader sees it
}

// missed finds who has had time to say something and has not. What has come and was not read yet, on a busy machine, is said.
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

// context is for http.Server: it notes the seat of a connection.
func (r *room) context(ctx context.Context, c net.Conn) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	if x := r.seats[c]; x != nil {
		return context.WithValue(ctx, seatKey{}, x)
	}
	return ctx
}

// owned says that a request of a principal has come on its connection: that is whose the last one was. It is not where the principal has
// too many of them.
func owned(ctx context.Context, p *access.Principal) (ok bool) {
	x, seated := ctx.Value(seatKey{}).(*seat)
	if !seated || p == nil {
		return true
	}
	r := x.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if p == x.who {
		return true
	}
	if !r.of.Take(p, 1) {
		return false
	}
	if x.who != nil {
		r.of.Give(x.who, 1)
	}
	x.who = p
	return true
}

// occupy says that a request is at work on its connection; done must follow.
func occupy(ctx context.Context) (done func()) {
	x, seated := ctx.Value(seatKey{}).(*seat)
	if !seated {
		return func() {}
	}
	r := x.room
	r.mu.Lock()
	defer r.mu.Unlock()
	if x.take(); r.strangers.Len() == r.crowd-1 { // who waits for that looks again
		r.tell()
	}
	x.busy++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if x.busy--; x.busy == 0 && !x.leaving && r.seats[x.conn] == x {
			x.since = time.Now()
			x.idle = r.idleOf(x).PushBack(x)
		}
	}
}

type roomListener struct {
	net.Listener
	room   *room
	closed chan struct{}
	once   sync.Once
}

func (l *roomListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if l.room.seat(c) {
		return c, nil
	}
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for !l.room.seat(c) {
		select {
		case <-again.C:
		case <-l.room.freed:
		case <-l.closed:
			_ = c.Close() // it was not served yet
			return nil, net.ErrClosed
		}
	}
	return c, nil
}

func (l *roomListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
