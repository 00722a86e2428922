package mirror

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// callTime bounds one question to Core: a reader that waits for longer is told that it does not answer.
const callTime = 10 * time.Second

// log is the reading side of a log in Core, as it is in one epoch.
type log struct {
	core   core.Reader
	id     string
	epoch  uint64
	epochs protocol.Epochs
	oldest uint64
	newest atomic.Uint64
	tail   atomic.Pointer[tail] // nil: there is no more of it than Core has
}

var _ store.Log = (*log)(nil)

// openTries is how often a log is looked at of which an epoch begins between two questions.
const openTries = 3

// open reads where a log stands.
func open(reader core.Reader, id string) (l *log, err error) {
	err = query(func(ctx context.Context) (err error) {
		for range openTries {
			if l, err = look(ctx, reader, id); err != nil || l.epochs.Newest() == l.epoch {
				return err
			}
		}
		return &store.ChangedError{Seq: l.end().Seq + 1, Epoch: l.epochs.Newest(), Was: l.epoch}
	})
	return l, err
}

// look asks for position and epochs, which are not of one moment.
func look(ctx context.Context, reader core.Reader, id string) (*log, error) {
	p, _, ok, err := reader.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, protocol.NewProblem(protocol.CodeSessionNotFound, "There is no such session.", "The list of sessions has those that there are.")
	}
	epochs, err := reader.Epochs(ctx, id)
	if err != nil {
		return nil, err
	}
	l := &log{core: reader, id: id, epoch: p.Epoch, epochs: epochs, oldest: p.Oldest}
	l.newest.Store(p.Head)
	return l, nil
}

func (l *log) Bounds() (oldest, newest uint64) { return l.oldest, l.newest.Load() }

func (l *log) Epoch() uint64 { return l.epoch }

func (l *log) Epochs() protocol.Epochs { return l.epochs }

// end is the cursor of the newest event.
func (l *log) end() protocol.Cursor { return protocol.Cursor{Epoch: l.epoch, Seq: l.newest.Load()} }

// Bytes is 0 where Core does not answer.
func (l *log) Bytes() int64 {
	n, _ := l.bytes(l.oldest-1, l.newest.Load())
	return n
}

func (l *log) bytes(since, upTo uint64) (n int64, err error) {
	err = query(func(ctx context.Context) error {
		n, err = l.core.Bytes(ctx, l.id, since, upTo)
		return err
	})
	return n, err
}

// lacking says that Core does not have events, or cannot be asked, and up to which event it has them.
func lacking(err error, since uint64) (newest uint64, is bool) {
	var beyond *store.BeyondError
	if errors.As(err, &beyond) {
		return max(since, beyond.Newest), true
	}
	return since, err != nil && isAway(err)
}

// Range asks Core for nothing yet. Events that Core does not have may be on their way there: who asks for them is told to come again.
func (l *log) Range(since, upTo uint64) (store.Range, error) {
	switch newest := l.newest.Load(); {
	case max(since, upTo) > newest:
		return nil, errNotYet
	case since > upTo:
		return nil, &store.BeyondError{Newest: newest}
	case since < upTo && since+1 < l.oldest:
		return nil, &store.GoneError{Oldest: l.oldest}
	}
	return &span{log: l, at: since, upTo: upTo, size: unknown}, nil
}

// notYet is the error of a reading for which Core has fewer events than it had, or than were shown by the session's node, which cannot be asked any more: it
// lacks them yet, or the log has lost them. Other errors stay as they are.
func (l *log) notYet(err error) error {
	var beyond *store.BeyondError
	if !errors.As(err, &beyond) {
		return err
	}
	var now *log
	err = query(func(ctx context.Context) (err error) {
		now, err = look(ctx, l.core, l.id)
		return err
	})
	switch {
	case err != nil:
		return err
	case now.epoch != l.epoch:
		return &store.ChangedError{Seq: now.end().Seq + 1, Epoch: now.epoch, Was: l.epoch}
	}
	return errNotYet
}

// Stretch is made of Core's rows.
func (l *log) Stretch(since, upTo uint64, most store.Most) (out store.Stretch, err error) {
	if _, err := l.Range(since, upTo); err != nil {
		return store.Stretch{}, err
	}
	out = store.Stretch{First: since + 1, Epoch: l.epochAt(since + 1)}
	err = l.rows(since, upTo, func(s store.Stretch) bool {
		if out.Count() > 0 && (s.Epoch != out.Epoch || out.Count()+s.Count() > most.Events || int64(len(out.Lines)+len(s.Lines)) > most.Bytes) {
			return false
		}
		out.Epoch, out.Time = s.Epoch, s.Time
		out.Sources, out.Lines = append(out.Sources, s.Sources...), append(out.Lines, s.Lines...)
		return true
	})
	return out, err
}

func (l *log) Damaged(seq uint64, problem string) error {
	return &store.DamageError{
		File: "Core", Seq: seq, Problem: problem,
		Hint: "compare it with the journal of the node that has it: `ringmaster core verify`",
	}
}

// epochAt is the epoch of an event.
func (l *log) epochAt(seq uint64) uint64 {
	at := uint64(1)
	for _, e := range l.epochs {
		if e.First > seq {
			break
		}
		at = e.Epoch
	}
	return at
}

// rows gives rows of the events since < seq <= upTo in order, until take says that it is enough. What Core does not have yet, or does not give, comes from the
// node of the session, as long as that feeds the mirror, in one row, which may not be all of it.
func (l *log) rows(since, upTo uint64, take func(s store.Stretch) bool) error {
	at, enough := since, false
	counted := func(s store.Stretch) bool {
		at, enough = s.Last(), !take(s)
		return !enough
	}
	err := l.fromCore(since, upTo, counted)
	t := l.tail.Load()
	newest, lacks := lacking(err, at)
	switch {
	case !lacks || enough:
		return err
	case t == nil:
		return l.notYet(err)
	case newest > at:
		if err = l.fromCore(at, newest, counted); err != nil || enough {
			return l.notYet(err)
		}
	}
	return query(func(ctx context.Context) error {
		s, err := t.read(ctx, at, upTo)
		if err == nil {
			s.Epoch = l.epochAt(s.First)
			take(s)
		}
		return err
	})
}

// fromCore gives rows as one call of Core has them. It fails with the first that is of another epoch than in the log as it was when the reading began.
func (l *log) fromCore(since, upTo uint64, take func(s store.Stretch) bool) error {
	return query(func(ctx context.Context) error {
		for s, err := range l.core.Stretches(ctx, l.id, since, upTo) {
			if err != nil {
				return err
			}
			if want := l.epochAt(s.First); s.Epoch != want {
				return &store.ChangedError{Seq: s.First, Epoch: s.Epoch, Was: want}
			}
			if !take(s) {
				return nil
			}
		}
		return nil
	})
}

// query bounds a question to Core, and gives its error the form that clients see.
func query(question func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), callTime)
	defer cancel()
	return Problem(question(ctx))
}

// Problem is what a client is told where Core could not be asked; other errors stay as they are.
func Problem(err error) error {
	var away *core.AwayError
	var access *core.AccessError
	var schema *core.SchemaError
	var refused *core.RefusedError
	var full *core.FullError
	var without *core.ColdError
	switch {
	case errors.As(err, &away):
		return protocol.NewProblem(protocol.CodeUnavailable, "The session is not on this node, and Core does not answer.", "Try again in a moment.")
	case errors.As(err, &access), errors.As(err, &schema), errors.As(err, &refused), errors.As(err, &full):
		return protocol.NewProblem(protocol.CodeUnavailable, "The session is not on this node, and Core refuses to be read.",
			"The daemon's log says why; `ringmaster core verify` asks the same database.")
	case errors.As(err, &without):
		return protocol.NewProblem(protocol.CodeUnavailable,
			"The session is not on this node, and its older events are in an object store that this node does not know.",
			"Start the daemon with --objects, or ask the node that has the session.")
	}
	return err
}

// isAway says that an error is none of the log.
func isAway(err error) bool {
	var p *protocol.Problem
	return errors.As(err, &p) && p.Code == protocol.CodeUnavailable && !session.Doubts(err)
}
