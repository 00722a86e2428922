package console

import (
	"context"
	"io"
)

// Input is standard input, of which a read ends with ctx: a signal ends a command that waits for what somebody is to write.
func (c *Console) Input(ctx context.Context) io.Reader { return &input{ctx: ctx, from: c.In} }

type input struct {
	ctx  context.Context //nolint:containedctx // an io.Reader has no other place for it
	from io.Reader
	buf  []byte
}

// Read reads in a goroutine, since a read of a terminal or a pipe cannot be taken back: one that nobody waits for any more ends with what it reads,
// or with the process. What it reads is lost.
func (r *input) Read(b []byte) (int, error) {
	if err := context.Cause(r.ctx); err != nil {
		return 0, err
	}
	if len(r.buf) < len(b) {
		r.buf = make([]byte, len(b))
	}
	buf := r.buf[:len(b)]
	type result struct {
		n   int
		err error
	}
	read := make(chan result, 1)
	go func() {
		n, err := r.from.Read(buf)
		read <- result{n, err}
	}()
	select {
	case got := <-read:
		return copy(b, buf[:got.n]), got.err
	case <-r.ctx.Done():
		r.buf = nil // the goroutine's
		return 0, context.Cause(r.ctx)
	}
}
