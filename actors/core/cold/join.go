package cold

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/segment"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// joined is a Core whose logs are read from rows and objects.
type joined struct {
	core.Core
	later later
}

// Join gives a Core whose readers get what is in objects as well. The store is opened when the first of them comes to an object, and, where that fails, by the
// next: what is in rows is read without it. Where it does not answer, readers get a *core.AwayError, where it refuses a *core.AccessError, and where an
// object is gone or is not what was put, a *store.DamageError, each behind right lines alone. Close closes both.
func Join(c core.Core, open func() (objects.Store, error)) core.Core {
	return &joined{c, later{open: open}}
}

func (j *joined) Close() {
	j.Core.Close()
	j.later.close()
}

// later is a store that is opened when it is needed.
type later struct {
	open func() (objects.Store, error)

	mu     sync.Mutex
	store  objects.Store
	closed bool
}

func (l *later) get() (objects.Store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return nil, &objects.AwayError{Op: "open", Err: errors.New("closed")}
	case l.store != nil:
		return l.store, nil
	}
	s, err := l.open()
	if err == nil {
		l.store = s
	}
	return s, err
}

func (l *later) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.store != nil {
		l.store.Close()
	}
}

func (j *joined) Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error] {
	return j.lines(ctx, "stretches", j.Pieces(ctx, id, since, upTo))
}

func (j *joined) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return j.lines(ctx, "superseded", j.Aside(ctx, id))
}

// Bytes reads those segments of which a part is meant, as far as that part.
func (j *joined) Bytes(ctx context.Context, id string, since, upTo uint64) (int64, error) {
	n, parts, err := j.Count(ctx, id, since, upTo)
	if err != nil {
		return 0, err
	}
	for i := range parts {
		s := parts[i].Segment
		if s == nil {
			n += int64(len(parts[i].Lines))
			continue
		}
		for k := range s.Rows { // all but the border's rows are counted without the object
			r := &s.Rows[k]
			switch first, last := max(r.First, s.First), min(r.Last(), s.Last); {
			case first > last:
			case first == r.First && last == r.Last():
				n += r.Bytes
			default:
				part := *s
				part.First, part.Last = first, last
				for st, err := range j.segment(ctx, "bytes", &part) {
					if err != nil {
						return 0, err
					}
					n += int64(len(st.Lines))
				}
			}
		}
	}
	return n, nil
}

// lines reads what is in objects.
func (j *joined) lines(ctx context.Context, op string, pieces iter.Seq2[core.Piece, error]) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		for p, err := range pieces {
			if err != nil {
				yield(store.Stretch{}, err)
				return
			}
			if p.Segment == nil {
				if !yield(p.Stretch, nil) {
					return
				}
				continue
			}
			for s, err := range j.segment(ctx, op, p.Segment) {
				if !yield(s, err) || err != nil {
					return
				}
			}
		}
	}
}

// segment gives the rows of a segment as they were.
func (j *joined) segment(ctx context.Context, op string, s *core.Segment) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		rows := s.Rows
		for len(rows) > 0 && rows[0].Last() < s.First {
			rows = rows[1:]
		}
		end := 0
		for end < len(rows) && rows[end].First <= s.Last {
			end++
		}
		if rows = rows[:end]; end == 0 {
			return
		}
		var text []byte // of the row that comes next, as far as it was read
		in, err := j.later.get()
		if err != nil {
			yield(store.Stretch{}, j.problem(ctx, op, s, rows, err))
			return
		}
		x := index(&s.Object)
		for run, err := range segment.Lines(ctx, segment.Of(in, s.Object.Key), &x, rows[0].First-1, rows[end-1].Last()) {
			if err != nil {
				yield(store.Stretch{}, j.problem(ctx, op, s, rows, err))
				return
			}
			rest := bytes.Clone(run.Lines) // a stretch may be kept, and the run's are good until the next one
			for len(rest) > 0 && len(rows) > 0 {
				r := &rows[0]
				missing := int(r.Bytes) - len(text)
				if len(rest) < missing {
					text = append(text, rest...)
					break
				}
				lines := rest[:missing:missing]
				if len(text) > 0 {
					lines = append(text, lines...)
				}
				text, rest = nil, rest[missing:]
				if lines[len(lines)-1] != '\n' || bytes.Count(lines, []byte{'\n'}) != r.Count() {
					yield(store.Stretch{}, j.problem(ctx, op, s, rows, errBorder))
					return
				}
				st := r.Stretch
				st.Lines = lines
				if rows = rows[1:]; !yield(core.Part(st, s.First-1, s.Last), nil) {
					return
				}
			}
		}
		if len(rows) > 0 {
			yield(store.Stretch{}, j.problem(ctx, op, s, rows, errBorder))
		}
	}
}

var errBorder = errors.New("its lines are not those of its rows")

// index is what package segment knows of an object.
func index(o *core.Object) segment.Index {
	x := segment.Index{First: o.First, Last: o.Last, Size: o.Size, SHA256: o.SHA256}
	for _, f := range o.Frames {
		x.Frames = append(x.Frames, segment.Frame(f))
	}
	return x
}

// problem is what a reader is told of an object that cannot be read; left are the rows that were not given.
func (j *joined) problem(ctx context.Context, op string, s *core.Segment, left []core.Row, err error) error {
	seq := s.Last
	if len(left) > 0 {
		seq = max(left[0].First, s.First)
	}
	var missing *objects.NotFoundError
	if errors.As(err, &missing) { // the session may have been removed, and its objects a day later
		at, err := j.Positions(ctx, []string{s.Session})
		if err != nil {
			return err
		}
		if at[0].Session == "" {
			return &store.BeyondError{}
		}
	}
	if err := told(op, err); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &core.AwayError{Op: op, Err: err}
	}
	return &store.DamageError{File: s.Object.Key, Seq: seq, Problem: err.Error(), Hint: hintDamaged}
}

// told is Core's error for one of the store's that says nothing of an object; nil: it is none.
func told(op string, err error) error {
	var away *objects.AwayError
	var access *objects.AccessError
	switch {
	case errors.As(err, &away):
		return &core.AwayError{Op: op, Err: err}
	case errors.As(err, &access):
		return &core.AccessError{Op: op, Err: err, Hint: access.Hint}
	}
	return nil
}

const hintDamaged = "bring the object back from a copy of the store; a node that has the session's journal still serves it, " +
	"and `ringmaster core verify` compares"
