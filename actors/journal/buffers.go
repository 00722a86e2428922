package journal

import "sync"

// buffers is a pool of byte slices of one size.
type buffers struct {
	size int
	pool sync.Pool // of *[]byte, so that putting one back does not allocate twice
}

var (
	// small is for readers of lines, which may wait for a slow client with the buffer in hand; it holds about 30 events.
	small = buffers{size: 8 << 10}
	// large is for work that waits for no client.
	large = buffers{size: 64 << 10}
)

func (p *buffers) get() []byte {
	if b, ok := p.pool.Get().(*[]byte); ok {
		return *b
	}
	return make([]byte, p.size)
}

// put takes a buffer back; one of another size is left to the garbage collector.
func (p *buffers) put(b []byte) {
	if cap(b) == p.size {
		b = b[:p.size]
		p.pool.Put(&b)
	}
}
