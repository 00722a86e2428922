package api

import (
	"errors"
	"io"
)

var errFull = errors.New("too many requests are at work")

// place is a request's among those at work, of which there are so many.
type place struct {
	guard *guard
	taken bool
}

func (p *place) take() bool {
	if p.guard.requests.Add(1) > p.guard.maxRequests {
		p.guard.requests.Add(-1)
		return false
	}
	p.taken = true
	return true
}

func (p *place) leave() {
	if p.taken {
		p.guard.requests.Add(-1)
	}
}

// placedBody takes its request's place when it has come whole, and fails where there is none: who sends a body slowly keeps
// nobody out. Until then it is bounded as any connection is.
type placedBody struct {
	io.ReadCloser
	place  *place
	refuse func() // is told when there is none
}

func (b *placedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF && !b.place.taken && !b.place.take() {
		b.refuse()
		return 0, errFull
	}
	return n, err
}
