// Package peering joins a daemon with the other nodes on its Core: its key, the listener at which it takes what they pass on, and the way to theirs.
package peering

import (
	"context"
	"crypto/tls"
	"errors"
	"net"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/api"
	"github.com/ringmaster-agents/ringmaster/api/peer"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/datafolder"
	"github.com/ringmaster-agents/ringmaster/supervisor/elsewhere"
	"github.com/ringmaster-agents/ringmaster/supervisor/peers"
)

// At says where a daemon with a Core takes requests that other nodes pass on.
type At struct {
	Listen  string // HOST:PORT; empty: nowhere
	Address string // HOST:PORT at which others reach it; empty: Listen's
}

// Peering is of one daemon. The zero value is that of a daemon without a Core.
type Peering struct {
	identity  *peers.Identity // nil: there is no Core
	listener  net.Listener    // nil: it takes no requests of others
	address   string          // that others are told
	book      *peers.Book
	forwarder *peer.Forwarder
	most      int           // requests that are passed on at once
	served    chan struct{} // closed when the listener's server has ended; nil: it was not begun
}

// Told adds to a beat what other nodes have to know.
func (p *Peering) Told(b core.Beat) core.Beat {
	if b.Address = p.address; p.identity != nil {
		b.Key = p.identity.Key
	}
	return b
}

// Forwarder passes on requests; nil: there is no Core.
func (p *Peering) Forwarder() *peer.Forwarder { return p.forwarder }

// Mirrors are fed by the way to other nodes; it follows Begin.
func (p *Peering) Mirrors() *peer.Mirrors { return &peer.Mirrors{Forwarder: p.forwarder} }

// ListenError says why an address cannot be listened on.
type ListenError struct {
	Address string
	Err     error
}

func (e *ListenError) Error() string {
	return "listen for peers on " + e.Address + ": " + e.Err.Error()
}
func (e *ListenError) Unwrap() error { return e.Err }

// Hint is what mends it.
func (*ListenError) Hint() string {
	return "name another port with --peer-listen; port 0 takes a free one"
}

// Open reads the daemon's key, and listens with what listen says of sockets; at most so many requests are passed on at once. The folder's lock is held.
func (p *Peering) Open(keyFile string, at At, listen net.ListenConfig, most int) (err error) {
	p.most = most
	if p.identity, err = peers.Load(keyFile, datafolder.Replace); err != nil || at.Listen == "" {
		return err
	}
	tcp, err := listen.Listen(context.Background(), "tcp", at.Listen)
	if err != nil {
		return &ListenError{at.Listen, err}
	}
	p.address, p.listener = at.Address, tls.NewListener(tcp, p.identity.Server())
	if p.address == "" {
		p.address = tcp.Addr().String()
	}
	return nil
}

// Begin has the daemon know its peers, and pass on to them.
func (p *Peering) Begin(here string, where elsewhere.Where, log *zap.Logger) {
	p.book = peers.NewBook(peers.Config{Nodes: where.Nodes, Here: here})
	dialer := &peers.Dialer{Book: p.book, Identity: p.identity}
	p.forwarder = peer.New(peer.Config{
		Here: here, Where: where, Dial: dialer.Dial, Log: log, Most: p.most,
		Reaches: func(ctx context.Context, node string) (string, error) {
			at, err := p.book.At(ctx, node)
			return at.Key, err
		},
	})
}

// Serve has requests of peers answered, and tells when that fails.
func (p *Peering) Serve(server *api.Server, failed chan<- error) {
	if p.listener == nil {
		return
	}
	served := make(chan struct{})
	p.served = served
	go func() { // ends with Server.Close
		defer close(served)
		err := server.ServePeers(p.listener, peer.Listener{
			Key: peers.KeyOf, Speaker: p.book.Speaker, Unread: peers.ErrUnread,
		})
		if err != nil {
			select {
			case failed <- err:
			default:
			}
		}
	}()
}

// Close lets go of the other nodes.
func (p *Peering) Close() {
	if p.book != nil {
		p.book.Close()
		p.forwarder.Close()
	}
}

// CloseListener closes the listener, of which the server has ended or was never begun.
func (p *Peering) CloseListener() error {
	if p.listener == nil {
		return nil
	}
	err := p.listener.Close()
	if p.served != nil {
		<-p.served
	}
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
