// Package memory is a Core inside the process, for tests: also in virtual time, and with what can befall a Core (befall.go).
package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Place is what Core keeps, as a database is: nodes have a Core each. The zero value is empty.
type Place struct {
	mu     sync.Mutex
	now    state
	lives  map[string]uint64 // newest life of each node; it does not go back with the rest
	fate   fate
	change chan struct{} // closed when the fate changes; nil: nobody waits for that
}

// state is what a fail-over to a replica that lags takes back.
type state struct {
	nodes    map[string]uint64 // the life that a node is in
	sessions map[string]*session
}

// session is one of a state. Its rows are never changed, only replaced.
type session struct {
	at     core.Position
	began  uint64 // seq at which the position's epoch began
	record core.Record
	epochs protocol.Epochs // also the first one
	rows   []store.Stretch
	lost   []store.Stretch
}

// Core gives a way to the place.
func (p *Place) Core() core.Core { return &client{place: p, closed: make(chan struct{})} }

// client is one node's way to a place.
type client struct {
	place  *Place
	once   sync.Once
	closed chan struct{}
}

var _ core.Core = (*client)(nil)

var errClosed = errors.New("closed")

func (c *client) Close() { c.once.Do(func() { close(c.closed) }) }

// do carries out a call that reads or changes the state, as the place's fate has it.
func (c *client) do(ctx context.Context, op string, act func(s *state)) error {
	p := c.place
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := c.reach(ctx); err != nil {
		return told(op, err)
	}
	if before := p.fate.before; before != nil {
		if err := before(op); err != nil {
			return told(op, err)
		}
	}
	p.now.ready()
	act(&p.now)
	if after := p.fate.after; after != nil {
		return told(op, after(op))
	}
	return nil
}

// reach waits, for a holder of the lock, while the place is silent.
func (c *client) reach(ctx context.Context) error {
	p := c.place
	for {
		select {
		case <-c.closed:
			return errClosed
		default:
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case p.fate.away != nil:
			return p.fate.away
		case !p.fate.silent:
			return nil
		}
		if p.change == nil {
			p.change = make(chan struct{})
		}
		change := p.change
		p.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-c.closed:
		case <-change:
		}
		p.mu.Lock()
	}
}

// told gives an error the type that the contract wants.
func told(op string, err error) error {
	var away *core.AwayError
	var access *core.AccessError
	var schema *core.SchemaError
	var refused *core.RefusedError
	if err == nil || errors.As(err, &away) || errors.As(err, &access) || errors.As(err, &schema) || errors.As(err, &refused) {
		return err
	}
	return &core.AwayError{Op: op, Err: err}
}

func (s *state) ready() {
	if s.nodes == nil {
		s.nodes, s.sessions = map[string]uint64{}, map[string]*session{}
	}
}

// clone copies a state as far as it is changed in place.
func (s *state) clone() state {
	c := state{map[string]uint64{}, map[string]*session{}}
	for node, life := range s.nodes {
		c.nodes[node] = life
	}
	for id, one := range s.sessions {
		copied := *one
		copied.epochs, copied.rows, copied.lost = slices.Clone(one.epochs), slices.Clone(one.rows), slices.Clone(one.lost)
		c.sessions[id] = &copied
	}
	return c
}

// position is that of a session, or the zero value.
func (s *state) position(id string) core.Position {
	if one := s.sessions[id]; one != nil {
		return one.at
	}
	return core.Position{}
}

// newLease is a random UUID.
func newLease() core.Lease {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return core.Lease(fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:]))
}
