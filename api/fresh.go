package api

import (
	"net"
	"net/http"
	"sync"
)

// fresh are the connections on which no request has come yet: browsers and HTTP clients open some in advance.
// http.Server.Shutdown waits 5 s for each, which is half of the time that a daemon has for its end. The zero value is ready.
type fresh struct {
	mu      sync.Mutex
	conns   map[net.Conn]struct{}
	closing bool
}

// state is for http.Server.ConnState.
func (f *fresh) state(c net.Conn, s http.ConnState) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case s != http.StateNew:
		delete(f.conns, c)
	case f.closing:
		_ = c.Close() // nothing was said on it
	default:
		if f.conns == nil {
			f.conns = map[net.Conn]struct{}{}
		}
		f.conns[c] = struct{}{}
	}
}

// close ends those that are there, and those that come.
func (f *fresh) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closing = true
	for c := range f.conns {
		_ = c.Close() // nothing was said on it
	}
}
