package compress

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Encoding is what a client takes a body in.
type Encoding struct {
	Name     string // "zstd", "gzip"; empty: as it is
	Identity bool   // as it is would do, too
}

// Choose reads Accept-Encoding (RFC 9110 §12.5.3): the highest quality wins, zstd before gzip before identity among
// equals. ok is false when nothing that is at hand is accepted.
func Choose(accept string) (e Encoding, ok bool) {
	quality := map[string]float64{}
	for part := range strings.SplitSeq(accept, ",") {
		name, params, _ := strings.Cut(part, ";")
		if name = strings.ToLower(strings.TrimSpace(name)); name == "" {
			continue
		}
		q := 1.0
		if key, v, has := strings.Cut(strings.TrimSpace(params), "="); has && strings.EqualFold(strings.TrimSpace(key), "q") {
			f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil || f < 0 || f > 1 {
				f = 0
			}
			q = f
		}
		quality[name] = q
	}
	of := func(name string, otherwise float64) float64 {
		if q, named := quality[name]; named {
			return q
		}
		if q, all := quality["*"]; all {
			return q
		}
		return otherwise
	}
	const afterAll = 0.0001 // identity is always acceptable, and never preferred unless it is named
	best := of("identity", afterAll)
	e.Identity = best > 0
	for _, name := range []string{"gzip", "zstd"} {
		if q := of(name, 0); q > 0 && q >= best {
			best, e.Name = q, name
		}
	}
	return e, best > 0
}

// Compressor is an encoder out of a pool.
type Compressor interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// Pool keeps encoders for re-use (one costs a megabyte) and bounds how many work at once.
type Pool struct {
	slots      chan struct{}
	gzip, zstd sync.Pool
}

// NewPool makes one that lets so many work at once.
func NewPool(atOnce int) *Pool {
	return &Pool{
		slots: make(chan struct{}, atOnce),
		gzip: sync.Pool{New: func() any {
			w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level is valid
			return w
		}},
		zstd: sync.Pool{New: func() any {
			w, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)) // the options are valid
			return w
		}},
	}
}

// Slot waits for a slot: for other work that is as hard as compressing.
func (z *Pool) Slot(ctx context.Context) (release func(), err error) {
	select {
	case z.slots <- struct{}{}:
		return func() { <-z.slots }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Take gives an encoder, or none: when e is identity, and when all slots are taken and the client would take the bytes as
// they are. Only a client that refuses identity waits. release must be called.
func (z *Pool) Take(ctx context.Context, e Encoding) (c Compressor, release func()) {
	none := func() {}
	if e.Name == "" {
		return nil, none
	}
	select {
	case z.slots <- struct{}{}:
	default:
		if e.Identity {
			return nil, none
		}
		select {
		case z.slots <- struct{}{}:
		case <-ctx.Done():
			return nil, none
		}
	}
	pool := &z.gzip
	if e.Name == "zstd" {
		pool = &z.zstd
	}
	c = pool.Get().(Compressor)
	return c, func() {
		c.Reset(nil)
		pool.Put(c)
		<-z.slots
	}
}

// NotAcceptable is the answer to a client that takes no encoding that is at hand.
func NotAcceptable() error {
	return operation.WithStatus(http.StatusNotAcceptable, protocol.CodeInvalidRequest, "None of the encodings that are accepted is at hand.",
		"Accept zstd, gzip or identity.")
}
