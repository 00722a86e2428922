package api

import (
	"net"
	"net/http"
	"sync"
)

// room bounds the connections over TCP. Who comes when it is full waits in the system's queue until somebody leaves: descriptors
// stay for the files of sessions and the pipes of agents. The unix socket is this user's own and not counted, so that he gets in.
type room struct {
	places chan struct{} // nil: no bound
}

func newRoom(n int) *room {
	if n <= 0 {
		return &room{}
	}
	return &room{make(chan struct{}, n)}
}

const bounded = "tcp"

// listen makes a listener take a place for each connection.
func (r *room) listen(l net.Listener) net.Listener {
	if r.places == nil || l.Addr().Network() != bounded {
		return l
	}
	return &roomListener{Listener: l, room: r, closed: make(chan struct{})}
}

// changed is for http.Server: a connection that ends gives its place back.
func (r *room) changed(c net.Conn, s http.ConnState) {
	if (s == http.StateClosed || s == http.StateHijacked) && r.places != nil && c.LocalAddr().Network() == bounded {
		<-r.places
	}
}

type roomListener struct {
	net.Listener
	room   *room
	closed chan struct{}
	once   sync.Once
}

func (l *roomListener) Accept() (net.Conn, error) {
	select {
	case l.room.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.room.places
	}
	return c, err
}

func (l *roomListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}
