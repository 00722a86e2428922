// Package memory is a Core inside the process, for tests: also in virtual time, and with what can befall a Core (befall.go).
package memory

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/fate"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Place is what Core keeps, as a database is: nodes have a Core each. The zero value is empty.
type Place struct {
	// Fate is what befalls it. An error of Disturb that is none of the contract's becomes a *core.AwayError.
	fate.Fate
	now    state
	lives  map[string]uint64          // newest life of each node; it does not go back with the rest
	epochs map[string]uint64          // newest of each session that a claim has begun; likewise
	turned time.Duration              // by which the clock is ahead of the process's
	doors  map[string]core.Credential // of nodes, by id; likewise
}

// state is what a fail-over to a replica that lags takes back.
type state struct {
	nodes    map[string]node
	sessions map[string]*session
	gone     map[string]time.Time // when sessions were removed
	objects  map[string]object    // by key: those that no session names
}

// object is one that no session names.
type object struct {
	session string
	at      time.Time // since when
	givenUp bool
}

// session is one of a state. Its rows and segments are never changed, only replaced.
type session struct {
	at     core.Position
	began  uint64 // seq at which the position's epoch began
	record core.Record
	works  bool            // behind the newest batch
	epochs protocol.Epochs // also the first one
	rows   []row
	lost   []core.Piece
	noted  time.Time // when record or owner were changed

	segments []*core.Segment
	pictures []core.Picture       // in the order of their digests
	natives  []core.NativeSegment // in the order of Archived
	number   uint64               // that Number gave last
	flushed  time.Time            // when something was appended last
}

// row is a stretch, and who has appended it.
type row struct {
	store.Stretch
	lease core.Lease
}

// Core gives a way to the place.
func (p *Place) Core() core.Core { return reach(p, nil) }

func reach(p *Place, link *fate.Fate) core.Core {
	c := &client{place: p, link: link, closed: make(chan struct{})}
	c.archive = archive{c}
	return c
}

// Link is a way to a place that has a fate of its own, beside the place's.
type Link struct {
	fate.Fate
	Place *Place
}

// Core gives a way to the place over the link.
func (l *Link) Core() core.Core {
	return reach(l.Place, &l.Fate)
}

// client is one node's way to a place.
type client struct {
	archive
	place  *Place
	link   *fate.Fate // nil: there is none between
	once   sync.Once
	closed chan struct{}
}

// archive is the side of a client that knows what is in objects.
type archive struct{ c *client }

var _ core.Core = (*client)(nil)

func (c *client) Close() { c.once.Do(func() { close(c.closed) }) }

// do carries out a call that reads or changes the state, as the place's fate has it.
func (c *client) do(ctx context.Context, op string, act func(s *state)) error {
	p := c.place
	reach := func() error {
		return p.Do(ctx, c.closed, op, func() error {
			p.now.ready()
			act(&p.now)
			return nil
		})
	}
	if c.link != nil {
		return told(op, c.link.Do(ctx, c.closed, op, reach))
	}
	return told(op, reach())
}

// told gives an error the type that the contract wants.
func told(op string, err error) error {
	var away *core.AwayError
	var access *core.AccessError
	var schema *core.SchemaError
	var refused *core.RefusedError
	var full *core.FullError
	if err == nil || errors.As(err, &away) || errors.As(err, &access) || errors.As(err, &schema) || errors.As(err, &refused) || errors.As(err, &full) {
		return err
	}
	return &core.AwayError{Op: op, Err: err}
}

func (s *state) ready() {
	if s.nodes == nil {
		s.nodes, s.sessions, s.gone, s.objects = map[string]node{}, map[string]*session{}, map[string]time.Time{}, map[string]object{}
	}
}

// clone copies a state as far as it is changed in place.
func (s *state) clone() state {
	c := state{maps.Clone(s.nodes), map[string]*session{}, maps.Clone(s.gone), maps.Clone(s.objects)}
	for id, one := range s.sessions {
		copied := *one
		copied.epochs, copied.rows, copied.lost = slices.Clone(one.epochs), slices.Clone(one.rows), slices.Clone(one.lost)
		copied.segments, copied.pictures, copied.natives = slices.Clone(one.segments), slices.Clone(one.pictures), slices.Clone(one.natives)
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
