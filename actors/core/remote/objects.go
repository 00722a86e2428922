package remote

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// bucket is the object store that a server has.
type bucket struct {
	way  *way
	once sync.Once
}

var _ objects.Store = (*bucket)(nil)

// Objects gives the way to a server's object store. It asks nothing yet. An object has wire.MaxBody bytes at most.
func Objects(address string, options Options) objects.Store {
	return &bucket{way: newWay(address, options)}
}

func (b *bucket) Close() { b.once.Do(b.way.end) }

// stored gives an error the type that the contract of object stores wants.
func stored(op, key string, err error) error {
	var p *problemError
	switch {
	case err == nil, objects.Typed(err):
		return err
	case errors.As(err, &p):
		if p.Code == wire.CodeNotFound {
			return &objects.NotFoundError{Op: op, Key: key}
		}
		return p.Stored(op)
	}
	if why, hint := refusal(err); why != nil {
		return &objects.AccessError{Op: op, Err: why, Hint: hint}
	}
	return &objects.AwayError{Op: op, Err: err}
}

func (b *bucket) Put(ctx context.Context, key string, body objects.Body) (fresh bool, err error) {
	const op = "put"
	err = errors.Join(objects.CheckKey(key), body.Check())
	if err == nil && body.Size > wire.MaxBody {
		err = errors.New("the object is larger than a node may put through Core")
	}
	if err != nil {
		return false, &objects.RefusedError{Op: op, Err: err}
	}
	v := body.Verify(ctx)
	data := make([]byte, body.Size)
	_, err = io.ReadFull(v, data)
	if err == nil {
		if _, end := v.Read(make([]byte, 1)); !errors.Is(end, io.EOF) { // of an empty one, the digest is looked at here
			err = end
		}
	}
	if err != nil {
		if refused := v.Refused(op); refused != nil {
			return false, refused
		}
		return false, &objects.AwayError{Op: op, Err: err}
	}
	var is wire.Truth
	err = answered(ctx, b.way, request{
		method: http.MethodPut, path: wire.Path("objects/") + key, media: wire.Bytes, accept: wire.JSON, body: data,
		header: map[string]string{wire.Size: number(body.Size), wire.Digest: body.SHA256.String()},
	}, &is)
	return is.Is && err == nil, stored(op, key, err)
}

func (b *bucket) Get(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	const op = "get"
	if err := objects.CheckGet(key, offset, length); err != nil {
		return nil, err
	}
	query := url.Values{"offset": {number(offset)}, "length": {number(length)}}
	a, err := b.way.ask(ctx, request{method: http.MethodGet, path: wire.Path("objects/") + key + "?" + query.Encode(), accept: wire.Bytes})
	if err != nil {
		return nil, stored(op, key, err)
	}
	return &reader{asked: a, ctx: ctx, op: op, key: key}, nil
}

// reader reads an object. Where it ends is right: the server cuts the connection where it does not get to the end.
type reader struct {
	*asked
	ctx     context.Context //nolint:containedctx // of the call that gave it: it ends with that
	op, key string
}

func (r *reader) Read(b []byte) (int, error) {
	if r.ctx.Err() != nil { // what has come already would be given else, to its end
		return 0, &objects.AwayError{Op: r.op, Err: context.Cause(r.ctx)}
	}
	n, err := r.Body.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = stored(r.op, r.key, err)
	}
	return n, err
}

func (r *reader) Close() error {
	r.close()
	return nil
}

func (b *bucket) Stat(ctx context.Context, key string) (objects.Info, error) {
	var info wire.Info
	err := b.call(ctx, "stat", key, wire.Object{Key: key}, &info)
	return objects.Info(info), err
}

func (b *bucket) Delete(ctx context.Context, key string) error {
	return b.call(ctx, "delete", key, wire.Object{Key: key}, &wire.Nothing{})
}

// call is one about an object.
func (b *bucket) call(ctx context.Context, op, key string, q wire.Object, into any) error {
	if err := objects.CheckKey(key); err != nil {
		return &objects.RefusedError{Op: op, Err: err}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return &objects.RefusedError{Op: op, Err: err}
	}
	return stored(op, key, answered(ctx, b.way, post(op, wire.JSON, wire.JSON, body), into))
}

func (b *bucket) List(ctx context.Context, prefix, after string) iter.Seq2[objects.Info, error] {
	return func(yield func(objects.Info, error) bool) {
		if err := objects.CheckPrefix(prefix); err != nil {
			yield(objects.Info{}, &objects.RefusedError{Op: "list", Err: err})
			return
		}
		for one, err := range lines[wire.List, wire.Info](ctx, b.way, "list", wire.List{Prefix: prefix, After: after}) {
			if err != nil {
				yield(objects.Info{}, stored("list", "", err))
				return
			}
			if !yield(objects.Info(one), nil) {
				return
			}
		}
	}
}
