package peer

import (
	"io"
	"net/http"
	"sync"
)

// body is the body of a request, which has come whole, to be sent any number of times. It is not copied: the request must not end before it is at rest.
type body struct {
	pieces  [][]byte
	size    int64
	readers sync.WaitGroup // that the transport may still read
}

func bodyOf(r *http.Request) *body {
	b := &body{}
	if held, ok := r.Body.(interface{ EachPiece(take func([]byte)) }); ok {
		held.EachPiece(func(piece []byte) {
			b.pieces = append(b.pieces, piece)
			b.size += int64(len(piece))
		})
	}
	return b
}

// open gives it from its beginning, for a transport, which closes it.
func (b *body) open() io.ReadCloser {
	if b.size == 0 {
		return http.NoBody
	}
	b.readers.Add(1)
	return &reading{of: b, left: b.pieces}
}

// rest waits until nobody reads it any more. Whatever reads must have been told to end.
func (b *body) rest() { b.readers.Wait() }

type reading struct {
	of   *body
	left [][]byte
	at   int // of the first
	once sync.Once
}

func (r *reading) Read(p []byte) (n int, err error) {
	for n < len(p) && len(r.left) > 0 {
		some := copy(p[n:], r.left[0][r.at:])
		n, r.at = n+some, r.at+some
		if r.at == len(r.left[0]) {
			r.left, r.at = r.left[1:], 0
		}
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *reading) Close() error {
	r.once.Do(r.of.readers.Done)
	return nil
}
