package remote

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

// client is a Core over HTTP.
type client struct {
	archive
	way  *way
	once sync.Once
}

// archive is the side of a client that knows what is in objects.
type archive struct{ c *client }

var _ core.Core = (*client)(nil)

// Open asks a server whether it can be worked with. Besides the errors of core.Core there are none; the context counts for the opening alone. The
// address is http:// or https:// with a host and a port.
func Open(ctx context.Context, address string, options Options) (core.Core, error) {
	c := &client{way: newWay(address, options)}
	c.archive = archive{c}
	if _, err := call[wire.Nothing, wire.Hello](ctx, c, "open", "hello", wire.Nothing{}); err != nil {
		c.Close()
		return nil, met(err)
	}
	return c, nil
}

const hintNoCore = "name the address of `ringmaster core serve`, or of a proxy that passes on all of it, with --core: https where it has a certificate"

// met has an address at which there is no Core be refused: at the first word there was nothing that could have happened.
func met(err error) error {
	if errors.Is(err, errNoCore) {
		return &core.AccessError{Op: "open", Err: err, Hint: hintNoCore}
	}
	return err
}

func (c *client) Close() { c.once.Do(c.way.end) }

// failed gives an error the type that the contract wants.
func failed(op string, err error) error {
	var p *problemError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return p.Problem.Error(op)
	}
	if why, hint := refusal(err); why != nil {
		return &core.AccessError{Op: op, Err: why, Hint: hint}
	}
	return &core.AwayError{Op: op, Err: err}
}

// call is one that is answered with one value.
func call[Q, A any](ctx context.Context, c *client, op, name string, q Q) (a A, err error) {
	body, err := json.Marshal(q)
	if err != nil {
		return a, &core.RefusedError{Op: op, Err: err}
	}
	err = answered(ctx, c.way, post(name, wire.JSON, wire.JSON, body), &a)
	return a, failed(op, err)
}

// answered asks for one value.
func answered(ctx context.Context, w *way, r request, into any) error {
	if len(r.body) > wire.MaxBody {
		return &problemError{wire.NewProblem(wire.CodeRefused, "it is larger than one call may be", "")}
	}
	a, err := w.ask(ctx, r)
	if err != nil {
		return err
	}
	defer a.close()
	return json.NewDecoder(a.Body).Decode(into)
}

// list is a call that is answered with many values.
func list[Q, A any](ctx context.Context, c *client, op, name string, q Q) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		var none A
		for one, err := range lines[Q, A](ctx, c.way, name, q) {
			if err != nil {
				yield(none, failed(op, err))
				return
			}
			if !yield(one, nil) {
				return
			}
		}
	}
}

func lines[Q, A any](ctx context.Context, w *way, name string, q Q) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		var none A
		body, err := json.Marshal(q)
		if err != nil {
			yield(none, err)
			return
		}
		a, err := w.ask(ctx, post(name, wire.JSON, wire.Lines, body))
		if err != nil {
			yield(none, err)
			return
		}
		defer a.close()
		in := bufio.NewReader(a.Body)
		for {
			var one wire.Item[A]
			if err = wire.ReadItem(in, &one); err == nil && one.Problem != nil {
				err = &problemError{one.Problem}
			}
			switch {
			case err != nil:
				yield(none, err)
				return
			case one.End:
				return
			case one.Is != nil && !yield(*one.Is, nil):
				return
			}
		}
	}
}
