package objects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Bytes is a body in memory.
func Bytes(b []byte) Body {
	return Body{ReaderAt: bytes.NewReader(b), Size: int64(len(b)), SHA256: sha256.Sum256(b)}
}

// Check says why a body cannot be put, before it is read; nil: it can.
func (b Body) Check() error {
	switch {
	case b.ReaderAt == nil:
		return errors.New("the object has no body")
	case b.Size < 0 || b.Size > MaxSize:
		return fmt.Errorf("an object has 0 to %d bytes, this one has %d", MaxSize, b.Size)
	}
	return nil
}

// errOther says that a body is not the one that its digest is of.
var errOther = errors.New("the body does not have its digest")

// Verified reads a body, and holds it against its digest before it gives the last bytes. So whoever needs all of them never has those of another one: the
// reader fails instead. It fails, too, when the context is done.
type Verified struct {
	ctx  context.Context
	body Body
	at   int64
	sum  hash.Hash
	err  error
}

// Verify begins at the beginning.
func (b Body) Verify(ctx context.Context) *Verified {
	return &Verified{ctx: ctx, body: b, sum: sha256.New()}
}

// Read gives io.EOF behind the last byte of the right body.
func (v *Verified) Read(p []byte) (int, error) {
	switch {
	case v.err != nil:
		return 0, v.err
	case v.ctx.Err() != nil:
		v.err = context.Cause(v.ctx)
		return 0, v.err
	case v.at == v.body.Size:
		if v.at == 0 {
			v.err = v.compare()
		}
		if v.err == nil {
			v.err = io.EOF
		}
		return 0, v.err
	}
	p = p[:min(int64(len(p)), v.body.Size-v.at)]
	n, err := v.body.ReadAt(p, v.at)
	v.sum.Write(p[:n])
	v.at += int64(n)
	switch {
	case v.at == v.body.Size:
		v.err = v.compare()
	case errors.Is(err, io.EOF):
		v.err = errShort
	case err != nil:
		v.err = &unreadError{err}
	}
	if v.err != nil {
		return 0, v.err
	}
	return n, nil
}

func (v *Verified) compare() error {
	if [sha256.Size]byte(v.sum.Sum(nil)) != [sha256.Size]byte(v.body.SHA256) {
		return errOther
	}
	return nil
}

var errShort = errors.New("the body is shorter than it should be")

// unreadError is what the body's own reader said.
type unreadError struct{ err error }

func (e *unreadError) Error() string { return "the body cannot be read: " + e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// Refused is the *RefusedError of a body that was not what it should be, or not to be read; nil: the reader has not found that.
func (v *Verified) Refused(op string) error {
	if unread := new(*unreadError); errors.Is(v.err, errOther) || errors.Is(v.err, errShort) || errors.As(v.err, unread) {
		return &RefusedError{Op: op, Err: v.err}
	}
	return nil
}
