package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Frame is the line before a log's bytes in a stream of frames, or what ends the stream.
type Frame struct {
	Session string     `json:"session,omitempty"` // of a batch
	Lease   core.Lease `json:"lease,omitempty"`   // of a batch or a row
	Works   bool       `json:"works,omitempty"`   // of a batch
	First   uint64     `json:"first,omitempty"`   // as the rest, of a stretch
	Epoch   uint64     `json:"epoch,omitempty"`
	Time    int64      `json:"time,omitempty"`
	Sources []byte     `json:"sources,omitempty"` // as core.EncodeSources writes them
	Bytes   int        `json:"bytes,omitempty"`   // that follow
	Segment *Segment   `json:"segment,omitempty"` // a piece that is none of rows

	End     bool     `json:"end,omitempty"`
	Whole   int64    `json:"whole,omitempty"` // with End, of a count: bytes of what is whole
	Problem *Problem `json:"problem,omitempty"`

	lines []byte
}

// FrameOf is the one of a stretch.
func FrameOf(s *store.Stretch) *Frame {
	return &Frame{First: s.First, Epoch: s.Epoch, Time: s.Time, Sources: core.EncodeSources(s.Sources), Bytes: len(s.Lines), lines: s.Lines}
}

// FrameOfBatch is the one of a batch.
func FrameOfBatch(b *core.Batch) *Frame {
	f := FrameOf(&b.Stretch)
	f.Session, f.Lease, f.Works = b.Session, b.Lease, b.Works
	return f
}

// FrameOfPiece is the one of a row or a segment.
func FrameOfPiece(p *core.Piece) *Frame {
	if p.Segment != nil {
		return &Frame{Segment: SegmentOf(p.Segment)}
	}
	f := FrameOf(&p.Stretch)
	f.Lease = p.Lease
	return f
}

// Stretch is the way back.
func (f *Frame) Stretch() (store.Stretch, error) {
	sources, err := core.DecodeSources(f.Sources)
	return store.Stretch{First: f.First, Epoch: f.Epoch, Time: f.Time, Sources: sources, Lines: f.lines}, err
}

// Batch is the way back.
func (f *Frame) Batch() (core.Batch, error) {
	s, err := f.Stretch()
	return core.Batch{Session: f.Session, Lease: f.Lease, Stretch: s, Works: f.Works}, err
}

// Piece is the way back.
func (f *Frame) Piece() (p core.Piece, err error) {
	if f.Segment != nil {
		p.Segment, err = f.Segment.Segment()
		return p, err
	}
	p.Lease = f.Lease
	p.Stretch, err = f.Stretch()
	return p, err
}

// Write writes a frame with its lines.
func (f *Frame) Write(w io.Writer) error {
	head, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(head, '\n')); err != nil {
		return err
	}
	_, err = w.Write(f.lines)
	return err
}

// maxHead bounds the line before a frame's bytes. That of a segment names its rows.
const maxHead = MaxBody

// ErrTorn is a stream that ends before it is over, or is none.
var ErrTorn = errors.New("the stream ends before its end")

// Reader reads frames, and takes memory for what is there alone.
type Reader struct {
	in   *bufio.Reader
	left int64 // bytes of lines that may come
}

// ReadFrames reads frames with at most so many bytes of lines.
func ReadFrames(in io.Reader, most int64) *Reader {
	return &Reader{bufio.NewReaderSize(in, 64<<10), most}
}

// Next is the next frame; ErrTorn where the stream ends without a word.
func (r *Reader) Next() (*Frame, error) {
	head, err := line(r.in)
	if err != nil {
		return nil, err
	}
	var f Frame
	if err := json.Unmarshal(head, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	if f.Bytes < 0 || int64(f.Bytes) > r.left {
		return nil, fmt.Errorf("%w: a frame of %d bytes", ErrTorn, f.Bytes)
	}
	r.left -= int64(f.Bytes)
	if f.Bytes > 0 {
		f.lines, err = exactly(r.in, f.Bytes)
	}
	return &f, err
}

// exactly reads n bytes, in room that grows with what has come.
func exactly(in io.Reader, n int) ([]byte, error) {
	const sure = 4 << 20
	if n <= sure {
		b := make([]byte, n)
		_, err := io.ReadFull(in, b)
		return b, torn(err)
	}
	var b bytes.Buffer
	if _, err := io.CopyN(&b, in, int64(n)); err != nil {
		return nil, torn(err)
	}
	return b.Bytes(), nil
}

// line reads one, which may be long.
func line(in *bufio.Reader) ([]byte, error) {
	head, err := in.ReadSlice('\n')
	if err == nil {
		return head, nil
	}
	long := bytes.Clone(head)
	for errors.Is(err, bufio.ErrBufferFull) && len(long) <= maxHead {
		head, err = in.ReadSlice('\n')
		long = append(long, head...)
	}
	if err != nil {
		return nil, torn(err)
	}
	return long, nil
}

func torn(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, bufio.ErrBufferFull) {
		return ErrTorn
	}
	return err
}

// ReadItem reads one line of a list into an *Item.
func ReadItem(in *bufio.Reader, into any) error {
	text, err := line(in)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w: %w", ErrTorn, err)
	}
	return nil
}
