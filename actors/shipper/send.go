package shipper

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"go.uber.org/zap"
)

// send has Core put aside what the logs have lost, and take what it lacks: of each session a stretch, and then again of those with more.
func (t *talk) send(ctx context.Context, items []*item) (err error) {
	t.more = false
	s := sending{talk: t, ctx: ctx, parcel: new(parcel)}
	defer func() { _ = s.land() }() // after an error as well: nobody asks Core for anything while a parcel is on its way
	for _, i := range items {
		i.ahead = i.at
	}
	for left := items; len(left) > 0; {
		if left, err = s.round(left); err != nil {
			return err
		}
	}
	if err := s.dispatch(); err != nil {
		return err
	}
	return s.land()
}

// answered takes over what Core says of one batch.
func (t *talk) answered(i *item, b *core.Batch, a *core.Answer) {
	before := i.at.Head
	i.at = a.At
	if a.Taken {
		i.way.refused = 0
		i.checked = true
		t.count(func(c *State) { c.Events += uint64(b.Count()); c.Bytes += uint64(len(b.Lines)) })
		return
	}
	if a.Problem != "" {
		t.trouble(i, &Problem{KindRefused, a.Problem})
		return
	}
	if t.standing(i) != mine || a.At.Lease != b.Lease { // what is to be done then, the next turn says
		i.known = i.problem != nil
		return
	}
	if a.At.Head < before {
		t.count(func(c *State) { c.WentBack++ })
		t.Doubt() // of the others it may have lost something, too
		t.cfg.Log.Warn("Core went back", zap.String("session", i.id), zap.Uint64("had", before), zap.Uint64("has", a.At.Head))
	}
	i.checked = false
}

// cut tells Core what the log has lost, or has it take an epoch back.
func (t *talk) cut(ctx context.Context, i *item, n next) error {
	c, before := n.Cut, i.at
	a, err := t.core.Rewind(ctx, c)
	if err != nil {
		return err
	}
	i.checked = false
	if i.at = a.At; t.standing(i) != mine || a.At.Lease != c.Lease {
		i.known = false
		return nil
	}
	switch {
	case n.Problem != nil && a.At == before:
		t.trouble(i, n.Problem)
	case n.Problem != nil:
		t.cfg.Log.Warn("Core had begun an epoch of a session that goes on here in the one before", zap.String("session", i.id),
			zap.Uint64("epoch", before.Epoch))
	}
	if had := before.Head; a.Taken && had > a.At.Head {
		t.count(func(st *State) { st.Superseded += had - a.At.Head })
		t.cfg.Log.Warn("the log has lost events that Core has", zap.String("session", i.id), zap.Uint64("from", c.First), zap.Uint64("upTo", had))
	}
	return nil
}

// tell sends what is told of sessions.
func (t *talk) tell(ctx context.Context, items []*item) error {
	var notes []core.Note
	var told []*item
	for _, i := range items {
		if i.record == nil || !i.known || i.gone || i.problem != nil {
			continue
		}
		notes, told = append(notes, core.Note{Lease: i.at.Lease, Record: i.record()}), append(told, i)
	}
	if len(notes) == 0 {
		return nil
	}
	if err := t.core.Note(ctx, notes); err != nil {
		return err
	}
	for _, i := range told {
		i.record = nil
	}
	return nil
}

// remove removes sessions that are gone.
func (t *talk) remove(ctx context.Context, items []*item) error {
	for _, i := range items {
		if !i.gone {
			continue
		}
		switch {
		case i.known && i.at.Session == "", i.problem != nil && i.problem.Kind == KindFenced:
		case !i.known:
			continue
		default:
			if isGone, err := t.core.Remove(ctx, i.id, i.at.Lease); err != nil {
				return err
			} else if !isGone {
				i.known = false
				continue
			}
		}
		t.cfg.Removed(i.id)
		t.drop(i)
	}
	return nil
}
