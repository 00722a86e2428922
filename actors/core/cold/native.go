package cold

import (
	"context"
	"errors"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// PutNative puts a segment of native lines, whose object has a key of its own (objects.Attempt). It is not put where Core does not have the session yet, or
// somebody is about to put another object of it: then it is to be tried again, under another key.
func PutNative(ctx context.Context, c core.Core, s objects.Store, g *core.NativeSegment, body []byte) (put bool, err error) {
	if ok, err := c.Intend(ctx, g.Session, g.Object.Key); err != nil || !ok {
		return false, err
	}
	failpoint.Hit("cold/nativeIntended")
	if _, err := s.Put(ctx, g.Object.Key, objects.Bytes(body)); err != nil {
		return false, err
	}
	failpoint.Hit("cold/nativePut")
	taken, err := c.Archive(ctx, g)
	if err != nil || taken {
		return taken, err
	}
	if err := s.Delete(ctx, g.Object.Key); err != nil {
		return false, err
	}
	return false, c.Deleted(ctx, []string{g.Object.Key})
}

// Natives reads native lines of sessions out of an object store. What Join gives does.
type Natives interface {
	// NativeLines gives the lines since < number <= upTo of a segment. The errors are those of core.Reader's Stretches; a *store.DamageError of an object
	// that is gone, or is not what was put, comes behind right lines alone.
	NativeLines(ctx context.Context, g *core.NativeSegment, since, upTo uint64) iter.Seq2[segment.Run, error]
}

func (j *joined) NativeLines(ctx context.Context, g *core.NativeSegment, since, upTo uint64) iter.Seq2[segment.Run, error] {
	return func(yield func(segment.Run, error) bool) {
		in, err := j.later.get()
		if err != nil {
			yield(segment.Run{}, nativeProblem(ctx, g, err))
			return
		}
		x := index(&g.Object)
		for run, err := range segment.Lines(ctx, segment.Of(in, g.Object.Key), &x, since, upTo) {
			if err != nil {
				yield(segment.Run{}, nativeProblem(ctx, g, err))
				return
			}
			if !yield(run, nil) {
				return
			}
		}
	}
}

// nativeProblem is what a reader is told of an object of native lines that cannot be read.
func nativeProblem(ctx context.Context, g *core.NativeSegment, err error) error {
	const op = "native lines"
	if err := told(op, err); err != nil {
		return err
	}
	var damaged *segment.DamagedError
	var missing *objects.NotFoundError
	if ctx.Err() != nil && !errors.As(err, &damaged) && !errors.As(err, &missing) {
		return &core.AwayError{Op: op, Err: err}
	}
	return &store.DamageError{File: g.Object.Key, Problem: err.Error(), Hint: hintNative}
}

const hintNative = "bring the object back from a copy of the store; the node that has made it may have the lines still"
