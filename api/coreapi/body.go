package coreapi

import (
	"errors"
	"io"
	"time"
)

const (
	healthTime = 2 * time.Second
	nobody     = "00000000-0000-4000-8000-000000000000" // no session's id
)

// limited remembers that a body did not come: then nothing is known of it, and it is not wrong.
type limited struct {
	in  io.Reader
	err error
}

func (l *limited) Read(b []byte) (int, error) {
	n, err := l.in.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

// capped ends where more comes than was said.
type capped struct {
	in   io.Reader
	left int64
}

func (c *capped) Read(b []byte) (int, error) {
	if c.left <= 0 {
		return 0, errSize
	}
	n, err := c.in.Read(b[:min(int64(len(b)), c.left)])
	c.left -= int64(n)
	return n, err
}
