package connection

import (
	"net"
	"net/http"
	"sync"
)

// Idle are the connections on which no request has come yet: browsers and HTTP clients open some in advance.
// http.Server.Shutdown waits 5 s for each, which is half of the time that a daemon has for its end. The zero value is ready.
type Idle struct {
	mu      sync.Mutex
	conns   map[net.Conn]struct{}
	closing bool
}

// Changed is for http.Server.ConnState.
func (i *Idle) Changed(c net.Conn, s http.ConnState) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case s != http.StateNew:
		delete(i.conns, c)
	case i.closing:
		_ = c.Close() // nothing was said on it
	default:
		if i.conns == nil {
			i.conns = map[net.Conn]struct{}{}
		}
		i.conns[c] = struct{}{}
	}
}

// Close ends those that are there, and those that come.
func (i *Idle) Close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closing = true
	for c := range i.conns {
		_ = c.Close() // nothing was said on it
	}
}
