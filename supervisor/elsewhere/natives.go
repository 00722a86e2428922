package elsewhere

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/archive"
)

// Raw is the archive of native lines of a session: what this node has, and before that what Core's object store has. Of a session that is not on this node it
// is what is in the store alone.
func (e *Elsewhere) Raw(ctx context.Context, id string) (*supervisor.Raw, error) {
	x, err := e.elsewhere(ctx, id)
	switch {
	case err != nil && !isNotFound(err):
		return nil, err
	case x == nil:
		return archives{e}.here(ctx, id)
	}
	return archives{e}.away(ctx, x)
}

// WholeText is a text that a log has cut, made of what Raw gives.
func (e *Elsewhere) WholeText(ctx context.Context, id string, c supervisor.CutEntry) (string, error) {
	x, err := e.elsewhere(ctx, id)
	if err != nil && !isNotFound(err) {
		return "", err
	}
	open := func() (*supervisor.Raw, error) { return archives{e}.here(ctx, id) }
	if x != nil {
		if !e.cfg.Objects {
			return "", x.notHere(theArchive)
		}
		open = func() (*supervisor.Raw, error) { return archives{e}.away(ctx, x) }
		return supervisor.TextOf(ctx, e.Supervisor, &x.sum, c, open)
	}
	sum, err := e.Supervisor.Look(ctx, id)
	if err != nil {
		return "", err
	}
	return supervisor.TextOf(ctx, e.Supervisor, &sum, c, open)
}

const theArchive = "The archive of native lines"

// archives are those of native lines.
type archives struct{ of *Elsewhere }

// here is the archive of a session of this node. Where lines are missing at its beginning, which another node had or this one has put away, they are asked for;
// where they cannot be, the archive says so, and has what is here.
func (a archives) here(ctx context.Context, id string) (*supervisor.Raw, error) {
	r, err := a.of.Supervisor.Raw(ctx, id)
	if err != nil || !a.of.cfg.Objects || !r.IsCut() {
		return r, err
	}
	if err := a.before(ctx, r, id); err != nil {
		r.Lost(raw.GoneAway)
	}
	return r, nil
}

// away is the archive of a session that is not on this node.
func (a archives) away(ctx context.Context, x *entry) (*supervisor.Raw, error) {
	if !a.of.cfg.Objects {
		return nil, x.notHere(theArchive)
	}
	r := archive.Away(func(yield func(store.Span, error) bool) { a.spans(ctx, x.at, yield) })
	if err := a.before(ctx, r, x.sum.ID); err != nil {
		return nil, mirror.Problem(err)
	}
	r.Expect(x.at.Head)
	return r, nil
}

// before has an archive begin with what the object store has of a session. The errors are Core's.
func (a archives) before(ctx context.Context, r *supervisor.Raw, id string) error {
	const op = "native lines"
	c := a.of.reach.core.Load()
	if c == nil {
		return &core.AwayError{Op: op, Err: errNotYet}
	}
	if err := a.of.reach.failure(); err != nil { // nobody is to wait for it
		return err
	}
	from, ok := (*c).(cold.Natives)
	if !ok {
		return &core.AwayError{Op: op, Err: errNoStore}
	}
	asked, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	list, err := (*c).Archived(asked, id)
	if err != nil || len(list) == 0 {
		return err
	}
	epochs, err := (*c).Epochs(asked, id)
	if err != nil {
		return err
	}
	parts := make([]archive.Part, len(list))
	for i := range list {
		parts[i] = part(ctx, from, &list[i])
	}
	r.Before(parts, func(epoch uint64) uint64 { return behind(epochs, epoch) })
	return nil
}

var errNoStore = errors.New("there is no way to the object store")

// behind is the first event of an epoch behind one; 0: there is none.
func behind(epochs protocol.Epochs, epoch uint64) uint64 {
	later, ok := epochs.After(epoch)
	if !ok {
		return 0
	}
	return later.First
}

// part is a segment of native lines.
func part(ctx context.Context, from cold.Natives, g *core.NativeSegment) archive.Part {
	o := &g.Object
	return archive.Part{
		Node: g.Node, First: o.First, Last: o.Last, Epoch: g.Epoch, Longest: g.Longest,
		Lines: func(upTo uint64) iter.Seq2[raw.Line, raw.Gone] {
			return func(yield func(raw.Line, raw.Gone) bool) {
				for run, err := range from.NativeLines(ctx, g, o.First-1, min(upTo, o.Last)) {
					if err != nil {
						yield(raw.Line{}, gone(err))
						return
					}
					for number, rest := run.First, run.Lines; len(rest) > 0; number++ {
						var record []byte
						record, rest, _ = bytes.Cut(rest, []byte{'\n'})
						if !yield(raw.ParseRecord(number, record), "") {
							return
						}
					}
				}
			}
		},
	}
}

// gone is what readers are told of lines that the store does not give.
func gone(err error) raw.Gone {
	if damaged := new(*store.DamageError); errors.As(err, damaged) {
		return raw.GoneDamaged
	}
	return raw.GoneAway
}

// spans goes through the spans of a log in Core, of which lines that are in objects are not read.
func (a archives) spans(ctx context.Context, at core.Position, yield func(store.Span, error) bool) {
	for p, err := range (*a.of.reach.core.Load()).Pieces(ctx, at.Session, at.Oldest-1, at.Head) {
		if err != nil {
			yield(store.Span{}, err)
			return
		}
		rows := []core.Row{{Stretch: p.Stretch}}
		if p.Segment != nil {
			rows = p.Segment.Rows
		}
		for i := range rows {
			next := rows[i].First
			for _, m := range rows[i].Sources {
				s := store.Span{Source: m.Source, First: next, Last: next + uint64(m.Count) - 1}
				if next = s.Last + 1; m.Source != (store.Source{}) && !yield(s, nil) {
					return
				}
			}
		}
	}
}
