package segment

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packing and unpacking bound the frames that are compressed and expanded at once: each takes some megabytes. They are apart, so that whoever reads does not
// wait for the compactor.
var packing, unpacking = make(chan struct{}, 2), make(chan struct{}, 4)

// encoders and decoders are used again by whoever is next.
var (
	encoders = sync.Pool{New: func() any {
		enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(level), zstd.WithWindowSize(2*FrameSize),
			zstd.WithEncoderCRC(true),
			zstd.WithSingleSegment(true), // the head of a frame of few bytes would not have their number otherwise
			zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are valid
		}
		return enc
	}}
	decoders = sync.Pool{New: func() any {
		dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxLine), zstd.WithDecoderLowmem(true))
		if err != nil {
			panic(err) // the options are valid
		}
		return dec
	}}
)

// level is what a segment is worth. BenchmarkWrite has the figures of the others: the next one saves a twentieth and takes nearly twice as long.
const level = zstd.SpeedDefault

func pack(b, text []byte) []byte {
	packing <- struct{}{}
	defer func() { <-packing }()
	enc := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(enc)
	return enc.EncodeAll(text, b)
}

// unpack adds the text of one frame to b. The frame must have been made by pack: with its content's size and checksum, and with nothing behind it.
func unpack(b, frame []byte) ([]byte, error) {
	var head zstd.Header
	if err := head.Decode(frame); err != nil {
		return b, err
	}
	if head.Skippable || !head.HasFCS || !head.HasCheckSum || head.DictionaryID != 0 {
		return b, errors.New("the frame has another head")
	}
	if head.FrameContentSize == 0 || head.FrameContentSize > MaxLine {
		return b, fmt.Errorf("the frame has %d bytes of lines", head.FrameContentSize)
	}
	unpacking <- struct{}{}
	defer func() { <-unpacking }()
	dec := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(dec)
	from := len(b)
	b, err := dec.DecodeAll(frame, slices.Grow(b, int(head.FrameContentSize)))
	if err == nil && uint64(len(b)-from) != head.FrameContentSize {
		err = errors.New("behind the frame is another one")
	}
	return b, err
}
