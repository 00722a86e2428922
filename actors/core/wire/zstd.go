package wire

import (
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// window is how far back a stream's compression looks, which is what one that is read takes in memory.
const window = 1 << 20

var encoders = sync.Pool{New: func() any {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return enc
}}

var decoders = sync.Pool{New: func() any {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window), zstd.WithDecoderLowmem(true))
	if err != nil {
		panic(err) // the options are valid
	}
	return dec
}}

// Writer compresses a stream.
type Writer struct{ enc *zstd.Encoder }

// Compress writes a stream into w. Close ends it.
func Compress(w io.Writer) Writer {
	enc := encoders.Get().(*zstd.Encoder)
	enc.Reset(w)
	return Writer{enc}
}

func (w Writer) Write(b []byte) (int, error) { return w.enc.Write(b) }

// Flush has all be written that has come.
func (w Writer) Flush() error { return w.enc.Flush() }

// Close ends the stream, and not what it was written into.
func (w Writer) Close() error {
	err := w.enc.Close()
	w.enc.Reset(nil)
	encoders.Put(w.enc)
	return err
}

// Expander expands a stream.
type Expander struct{ dec *zstd.Decoder }

// Expand reads a stream out of r.
func Expand(r io.Reader) (Expander, error) {
	dec := decoders.Get().(*zstd.Decoder)
	if err := dec.Reset(r); err != nil {
		decoders.Put(dec)
		return Expander{}, err
	}
	return Expander{dec}, nil
}

func (e Expander) Read(b []byte) (int, error) { return e.dec.Read(b) }

// Close gives what it has used back.
func (e Expander) Close() {
	_ = e.dec.Reset(nil) // it keeps the reader otherwise
	decoders.Put(e.dec)
}
