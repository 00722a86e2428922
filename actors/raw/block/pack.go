package block

import (
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// window is how far back a block may refer, in bytes: blocks have about as much text.
const window = 512 << 10

// packing and unpacking bound the blocks that are compressed and expanded at once: each takes about two megabytes. They are apart, so that however many read,
// no archive waits for them.
var packing, unpacking = make(chan struct{}, 2), make(chan struct{}, 2)

// encoders and decoders are used again by whichever archive is next. The garbage collector takes those that nobody uses.
var (
	encoders = sync.Pool{New: func() any {
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window),
			zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are valid
		}
		return enc
	}}
	decoders = sync.Pool{New: func() any {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxText), zstd.WithDecoderLowmem(true))
		if err != nil {
			panic(err) // the options are valid
		}
		return dec
	}}
)

func compress(b, text []byte, c Coding) []byte {
	if c == Fast {
		from := len(b)
		b = slices.Grow(b, s2.MaxEncodedLen(len(text)))
		return b[:from+len(s2.Encode(b[from:cap(b)], text))]
	}
	packing <- struct{}{}
	defer func() { <-packing }()
	enc := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(enc)
	return enc.EncodeAll(text, b)
}

// expand adds what was compressed to b, which had so many bytes.
func expand(b, payload []byte, size uint32, c Coding) ([]byte, error) {
	if c == Fast {
		if n, err := s2.DecodedLen(payload); err != nil || n != int(size) {
			return b, ErrDamaged
		}
		from := len(b)
		b = slices.Grow(b, int(size))
		_, err := s2.Decode(b[from:from+int(size)], payload)
		return b[:from+int(size)], err
	}
	unpacking <- struct{}{}
	defer func() { <-unpacking }()
	dec := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(dec)
	var head zstd.Header
	if err := head.Decode(payload); err != nil || head.HasFCS && head.FrameContentSize != uint64(size) {
		return b, ErrDamaged
	}
	return dec.DecodeAll(payload, b)
}

// Unpack expands a file that is one zstd frame, as archives of version 1 have them.
func Unpack(payload []byte) ([]byte, error) {
	unpacking <- struct{}{}
	defer func() { <-unpacking }()
	dec := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(dec)
	return dec.DecodeAll(payload, nil)
}
