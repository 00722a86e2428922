package segment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"
	"sort"

	"github.com/ringmaster-agents/ringmaster/actors/objects"
)

// From reads length bytes of a file from an offset on, as Get of an objects.Store does.
type From func(ctx context.Context, offset, length int64) (io.ReadCloser, error)

// Of reads an object.
func Of(s objects.Store, key string) From {
	return func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
		return s.Get(ctx, key, offset, length)
	}
}

// Run is lines that follow one another.
type Run struct {
	First uint64 // number of the first
	Lines []byte // each with its end; good until the next run
}

// DamagedError says that a segment is not what was written.
type DamagedError struct {
	First uint64 // the first line of the frame; 0: it is about the whole
	Err   error
}

func (e *DamagedError) Error() string {
	if e.First == 0 {
		return "damaged segment: " + e.Err.Error()
	}
	return fmt.Sprintf("damaged segment: the frame from line %d on: %s", e.First, e.Err.Error())
}

// Unwrap gives the reason.
func (e *DamagedError) Unwrap() error { return e.Err }

// Lines goes through the lines since < number <= upTo of a segment, as many of them as it has. It asks once for a range, from the frame on that has the first
// of them, and holds a frame at a time. Each frame is held against its checksum and its number of lines before a line of it is given; where all frames are
// read, they are held against the index's digest behind the last one. Errors, which end it, are a *DamagedError and those of from.
func Lines(ctx context.Context, from From, x *Index, since, upTo uint64) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		if err := x.Check(); err != nil {
			yield(Run{}, &DamagedError{Err: fmt.Errorf("the index is none: %w", err)})
			return
		}
		if upTo < x.First || since >= x.Last || since >= upTo {
			return
		}
		r := &reader{index: x, since: since, upTo: upTo, sum: sha256.New()}
		r.at = sort.Search(len(x.Frames), func(i int) bool { return x.Frames[i].First > since+1 })
		r.at = max(r.at-1, 0)
		r.end = sort.Search(len(x.Frames), func(i int) bool { return x.Frames[i].First > upTo })
		isWhole := r.at == 0 && r.end == len(x.Frames)
		begin := x.Frames[r.at].Offset
		_, behind := x.end(r.end - 1)
		file, err := from(ctx, begin, behind-begin)
		if err != nil {
			yield(Run{}, damaged(0, err))
			return
		}
		defer file.Close()
		for ; r.at < r.end; r.at++ {
			run, err := r.frame(file)
			if err != nil {
				yield(Run{}, damaged(x.Frames[r.at].First, err))
				return
			}
			if !yield(run, nil) {
				return
			}
		}
		if isWhole && objects.Digest(r.sum.Sum(nil)) != x.SHA256 {
			yield(Run{}, &DamagedError{Err: errors.New("the whole does not have its digest")})
		}
	}
}

// damaged tells what was found wrong from what the store says.
func damaged(first uint64, err error) error {
	missing := new(*objects.NotFoundError)
	if objects.Typed(err) && !errors.As(err, missing) {
		return err
	}
	return &DamagedError{First: first, Err: err}
}

// reader reads frames.
type reader struct {
	index       *Index
	since, upTo uint64
	at, end     int // of the index's frames
	sum         hash.Hash
	packed      []byte
	text        []byte
}

// frame reads the next one, and gives what is wanted of it.
func (r *reader) frame(file io.Reader) (Run, error) {
	f := r.index.Frames[r.at]
	next, behind := r.index.end(r.at)
	size := int(behind - f.Offset)
	r.packed = slices.Grow(r.packed[:0], size)[:size]
	if n, err := io.ReadFull(file, r.packed); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) && !objects.Typed(err) {
			err = fmt.Errorf("it has %d bytes of %d", n, size)
		}
		return Run{}, err
	}
	r.sum.Write(r.packed)
	text, err := unpack(r.text[:0], r.packed)
	if err != nil {
		return Run{}, err
	}
	r.text = text
	if n := uint64(bytes.Count(text, []byte{'\n'})); n != next-f.First || text[len(text)-1] != '\n' {
		return Run{}, fmt.Errorf("it has %d lines, and should have %d", n, next-f.First)
	}
	first, last := max(f.First, r.since+1), min(next-1, r.upTo)
	text = text[lines(text, first-f.First):]
	return Run{First: first, Lines: text[:lines(text, last-first+1)]}, nil
}

// lines is how many bytes the first lines of a text have.
func lines(text []byte, count uint64) (size int) {
	for ; count > 0; count-- {
		size += bytes.IndexByte(text[size:], '\n') + 1
	}
	return size
}
