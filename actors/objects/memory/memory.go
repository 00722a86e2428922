// Package memory is an object store inside the process, for tests: also in virtual time, and with what can befall a store (package fate).
package memory

import (
	"context"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/fate"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// Place is what a store keeps, as a bucket is: whoever uses it has a store each. The zero value is empty.
type Place struct {
	// Fate is what befalls it, at each call and at each piece that is read of an object ("read"). An error that is none of the contract's becomes an
	// *objects.AwayError.
	fate.Fate
	objects map[string]object
}

type object struct {
	bytes []byte // never changed
	put   time.Time
}

// Store gives a way to the place.
func (p *Place) Store() objects.Store { return &client{place: p, closed: make(chan struct{})} }

// client is one way to a place.
type client struct {
	place  *Place
	once   sync.Once
	closed chan struct{}
}

var _ objects.Store = (*client)(nil)

func (c *client) Close() { c.once.Do(func() { close(c.closed) }) }

// do carries out a call that reads or changes the place, as its fate has it.
func (c *client) do(ctx context.Context, op string, act func(p *Place) error) error {
	return told(op, c.place.Do(ctx, c.closed, op, func() error { return act(c.place) }))
}

// told gives an error the type that the contract wants.
func told(op string, err error) error {
	if err == nil || errors.Is(err, io.EOF) || objects.Typed(err) {
		return err
	}
	return &objects.AwayError{Op: op, Err: err}
}

// Put reads the body before it locks the place.
func (c *client) Put(ctx context.Context, key string, body objects.Body) (fresh bool, err error) {
	if err := errors.Join(objects.CheckKey(key), body.Check()); err != nil {
		return false, &objects.RefusedError{Op: "put", Err: err}
	}
	from := body.Verify(ctx)
	b, err := io.ReadAll(from)
	if refused := from.Refused("put"); refused != nil {
		return false, refused
	}
	if err != nil {
		return false, told("put", err)
	}
	err = c.do(ctx, "put", func(p *Place) error {
		if _, taken := p.objects[key]; !taken {
			if p.objects == nil {
				p.objects = map[string]object{}
			}
			p.objects[key], fresh = object{b, time.Now()}, true
		}
		return nil
	})
	return fresh && err == nil, err
}

func (c *client) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := objects.CheckGet(key, offset, length); err != nil {
		return nil, err
	}
	r := &reader{client: c, ctx: ctx}
	err := c.do(ctx, "get", func(p *Place) error {
		o, ok := p.objects[key]
		if !ok {
			return &objects.NotFoundError{Op: "get", Key: key}
		}
		r.rest = o.bytes[min(offset, int64(len(o.bytes))):]
		if length != objects.Whole {
			r.rest = r.rest[:min(length, int64(len(r.rest)))]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// reader is befallen as calls are, at each piece.
type reader struct {
	client *client
	ctx    context.Context
	rest   []byte
}

func (r *reader) Read(p []byte) (n int, err error) {
	err = r.client.do(r.ctx, "read", func(*Place) error {
		if len(r.rest) == 0 && len(p) > 0 {
			return io.EOF
		}
		n = copy(p, r.rest)
		r.rest = r.rest[n:]
		return nil
	})
	if err != nil {
		n = 0
	}
	return n, err
}

func (r *reader) Close() error { return nil }

func (c *client) Stat(ctx context.Context, key string) (info objects.Info, err error) {
	if err := objects.CheckKey(key); err != nil {
		return info, &objects.RefusedError{Op: "stat", Err: err}
	}
	err = c.do(ctx, "stat", func(p *Place) error {
		o, ok := p.objects[key]
		if !ok {
			return &objects.NotFoundError{Op: "stat", Key: key}
		}
		info = objects.Info{Key: key, Size: int64(len(o.bytes)), Modified: o.put}
		return nil
	})
	return info, err
}

func (c *client) List(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
	return func(yield func(objects.Info, error) bool) {
		if err := objects.CheckPrefix(prefix); err != nil {
			yield(objects.Info{}, &objects.RefusedError{Op: "list", Err: err})
			return
		}
		for {
			var page []objects.Info
			err := c.do(ctx, "list", func(p *Place) error {
				for _, key := range slices.Sorted(maps.Keys(p.objects)) {
					if strings.HasPrefix(key, prefix) && key > after && len(page) < objects.Page {
						page = append(page, objects.Info{Key: key, Size: int64(len(p.objects[key].bytes)), Modified: p.objects[key].put})
					}
				}
				return nil
			})
			if err != nil {
				yield(objects.Info{}, err)
				return
			}
			for _, info := range page {
				if !yield(info, nil) {
					return
				}
			}
			if len(page) < objects.Page {
				return
			}
			after = page[len(page)-1].Key
		}
	}
}

func (c *client) Delete(ctx context.Context, key string) error {
	if err := objects.CheckKey(key); err != nil {
		return &objects.RefusedError{Op: "delete", Err: err}
	}
	return c.do(ctx, "delete", func(p *Place) error {
		delete(p.objects, key)
		return nil
	})
}
