package segment

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Writer makes a segment of lines, which come in pieces of any size. It holds a frame and a line at most. It is for one goroutine.
type Writer struct {
	to    io.Writer
	sum   hash.Hash
	index Index
	first uint64 // of the frame
	next  uint64 // number of the line that comes
	text  []byte // of the frame: whole lines, and the beginning of one
	whole int    // bytes of whole lines in it
	out   []byte // a compressed frame
	err   error
}

// NewWriter begins a segment with the line of that number.
func NewWriter(to io.Writer, first uint64) *Writer {
	return &Writer{to: to, sum: sha256.New(), index: Index{First: first}, first: first, next: first}
}

// ErrLine says that a line is longer than MaxLine.
var ErrLine = fmt.Errorf("a line has more than %d bytes", MaxLine)

// Write takes more of the lines. Errors are ErrLine and those of the file; behind one, all that follows fails.
func (w *Writer) Write(p []byte) (int, error) {
	taken := 0
	for len(p) > 0 && w.err == nil {
		n := bytes.IndexByte(p, '\n') + 1
		ends := n > 0
		if !ends {
			n = len(p)
		}
		if len(w.text)-w.whole+n > MaxLine {
			w.err = ErrLine
			break
		}
		w.text = append(w.text, p[:n]...)
		p, taken = p[n:], taken+n
		if ends {
			w.line()
		}
	}
	return taken, w.err
}

// line takes the line that is whole now into the frame, or into the next one.
func (w *Writer) line() {
	if w.whole > 0 && len(w.text) > FrameSize {
		w.flush()
	}
	w.whole = len(w.text)
	w.next++
	if w.whole >= FrameSize {
		w.flush()
	}
}

// flush writes the whole lines as a frame.
func (w *Writer) flush() {
	if w.whole == 0 || w.err != nil {
		return
	}
	w.out = pack(w.out[:0], w.text[:w.whole])
	w.index.Frames = append(w.index.Frames, Frame{First: w.first, Offset: w.index.Size})
	w.sum.Write(w.out)
	w.index.Raw += int64(w.whole)
	w.index.Size += int64(len(w.out))
	w.first = w.next
	w.text, w.whole = append(w.text[:0], w.text[w.whole:]...), 0
	_, w.err = w.to.Write(w.out)
}

// Close writes what is left, and gives the index. It does not close the file.
func (w *Writer) Close() (Index, error) {
	switch {
	case w.err != nil:
		return Index{}, w.err
	case len(w.text) > w.whole:
		return Index{}, errors.New("the last line has no end")
	case w.next == w.index.First:
		return Index{}, errors.New("a segment has a line at least")
	case w.index.First == 0 || w.next-1 > protocol.MaxSeq:
		return Index{}, fmt.Errorf("no lines have the numbers %d to %d", w.index.First, w.next-1)
	}
	w.flush()
	w.index.Last = w.next - 1
	w.index.SHA256 = objects.Digest(w.sum.Sum(nil))
	return w.index, w.err
}
