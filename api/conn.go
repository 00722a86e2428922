package api

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
)

// connection is what the guard knows of the connection that a request came on.
type connection struct {
	local netip.AddrPort // of TCP; the port is that of the listener
	tls   bool
	unix  bool
	own   bool // on unix: the peer runs as the daemon's own user
	agent bool // and it is an agent's process, which is not the daemon's user
}

type connKey struct{}

// connContext is for http.Server: it notes what the guard must know of a new connection. Who connected is looked at now, while it is there.
func (a *API) connContext(ctx context.Context, c net.Conn) context.Context {
	conn := connection{}
	if t, ok := c.(*tls.Conn); ok {
		conn.tls = true
		c = t.NetConn()
	}
	switch c := c.(type) {
	case *net.UnixConn:
		var pid int
		conn.unix = true
		conn.own, pid = ownPeer(c)
		conn.agent = pid != 0 && a.cfg.OfAgent != nil && a.cfg.OfAgent(pid) // one that cannot be seen descends from nobody here
	default:
		conn.local = addrPort(c.LocalAddr())
	}
	return context.WithValue(ctx, connKey{}, conn)
}

func connOf(ctx context.Context) connection {
	if c, ok := ctx.Value(connKey{}).(connection); ok {
		return c
	}
	addr, _ := ctx.Value(http.LocalAddrContextKey).(net.Addr)
	return connection{local: addrPort(addr)}
}

func addrPort(a net.Addr) netip.AddrPort {
	if t, ok := a.(*net.TCPAddr); ok {
		return t.AddrPort()
	}
	return netip.AddrPort{}
}
