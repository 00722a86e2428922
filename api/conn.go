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
}

type connKey struct{}

// ConnContext is for http.Server: it notes what the guard must know of a new connection.
func ConnContext(ctx context.Context, c net.Conn) context.Context {
	conn := connection{}
	if t, ok := c.(*tls.Conn); ok {
		conn.tls = true
		c = t.NetConn()
	}
	switch c := c.(type) {
	case *net.UnixConn:
		conn.unix, conn.own = true, ownPeer(c)
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
