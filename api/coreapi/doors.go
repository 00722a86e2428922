package coreapi

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// Grant is what a credential is good for.
type Grant struct {
	ID   string
	Node string // whose it is; "": nobody's yet
	Any  bool   // it speaks for every node, and for the server itself
}

// Doors know credentials.
type Doors interface {
	// Find gives what a credential is good for, by the SHA-256 of the token; ok is false where it is none. Errors are those of core.Core.
	Find(ctx context.Context, sum [sha256.Size]byte) (g Grant, ok bool, err error)
	// Bind has a credential that is nobody's be a node's from now on. ok is false where it is another's, or where the node is known already.
	Bind(ctx context.Context, id, node string) (ok bool, err error)
}

// Through has credentials be looked up where core.Doors has them, which is opened when it is needed, and by close closed.
func Through(connect func(ctx context.Context) (core.Doors, error)) (d Doors, end func()) {
	h := &hall{connect: connect}
	return h, h.close
}

// hall is Doors that are opened when they are needed.
type hall struct {
	connect func(ctx context.Context) (core.Doors, error)

	mu     sync.Mutex
	doors  core.Doors // nil: they are not open
	closed bool
}

func (h *hall) get(ctx context.Context) (core.Doors, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.closed:
		return nil, &core.AwayError{Op: "open", Err: errClosed}
	case h.doors != nil:
		return h.doors, nil
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	d, err := h.connect(ctx)
	if err == nil {
		h.doors = d
	}
	return d, err
}

func (h *hall) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if h.doors != nil {
		h.doors.Close()
	}
}

func (h *hall) Find(ctx context.Context, sum [sha256.Size]byte) (Grant, bool, error) {
	d, err := h.get(ctx)
	if err != nil {
		return Grant{}, false, err
	}
	c, ok, err := d.Find(ctx, sum)
	return Grant{ID: c.ID, Node: c.Node}, ok, err
}

func (h *hall) Bind(ctx context.Context, id, node string) (bool, error) {
	d, err := h.get(ctx)
	if err != nil {
		return false, err
	}
	return d.Bind(ctx, id, node)
}
