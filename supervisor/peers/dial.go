package peers

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"time"
)

// A connection to a node in the same network is there in milliseconds; a node that is gone is not waited for.
const dialTime = time.Second

// A peer whose machine is gone says nothing, also not that it is: after so long without a sign of life its connections end.
var alive = net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 3}

// Dialer connects to peers.
type Dialer struct {
	Book     *Book
	Identity *Identity
}

// Dial connects to a node at the address that Core has, and takes it for that node where it proves to have the key that Core has. Nothing was sent to it where
// the error is not nil.
func (d *Dialer) Dial(ctx context.Context, node string) (net.Conn, error) {
	p, err := d.Book.At(ctx, node)
	if err != nil {
		return nil, err
	}
	conn, err := Connect(ctx, d.Identity, p)
	if err == nil {
		return conn, nil
	}
	d.Book.Renew(ctx) // it may have started again at another address
	now, gone := d.Book.At(ctx, node)
	if gone != nil || now == p {
		return nil, err
	}
	return Connect(ctx, d.Identity, now)
}

// Connect connects to a peer, where it proves to have the key that it is said to have.
func Connect(ctx context.Context, as *Identity, p Peer) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	plain, err := (&net.Dialer{KeepAliveConfig: alive}).DialContext(ctx, "tcp", p.Address)
	if err != nil {
		return nil, fmt.Errorf("peer: %w", err)
	}
	conn := tls.Client(plain, as.client(p.Key))
	if err := conn.HandshakeContext(ctx); err != nil {
		_ = plain.Close() // nothing was said on it
		return nil, fmt.Errorf("peer: %w", err)
	}
	return conn, nil
}
