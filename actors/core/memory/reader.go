package memory

import (
	"context"
	"iter"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (c *client) Session(ctx context.Context, id string) (p core.Position, r core.Record, ok bool, err error) {
	err = c.do(ctx, "session", func(s *state) {
		if one := s.sessions[id]; one != nil {
			p, r, ok = one.at, one.record.Kept(), true
			r.Epoch, r.First = 0, 0
		}
	})
	if err != nil {
		return core.Position{}, core.Record{}, false, err
	}
	return p, r, ok, nil
}

func (c *client) Epochs(ctx context.Context, id string) (list protocol.Epochs, err error) {
	err = c.do(ctx, "epochs", func(s *state) {
		if one := s.sessions[id]; one != nil {
			for _, e := range one.epochs {
				if e.Epoch > 1 {
					list = append(list, e)
				}
			}
		}
	})
	return given(list, err)
}

func (c *client) Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		var rows []store.Stretch
		var none error
		err := c.do(ctx, "stretches", func(s *state) {
			one := s.sessions[id]
			if one == nil {
				one = &session{}
			}
			switch {
			case upTo < since, upTo > one.at.Head:
				none = &store.BeyondError{Newest: one.at.Head}
			case since < upTo && since+1 < one.at.Oldest:
				none = &store.GoneError{Oldest: one.at.Oldest}
			}
			rows = slices.Clone(one.rows)
		})
		if err == nil {
			err = none
		}
		if err != nil {
			yield(store.Stretch{}, err)
			return
		}
		for _, row := range rows {
			if p := core.Part(row, since, upTo); p.Count() > 0 && !yield(copied(p), nil) {
				return
			}
		}
	}
}

func (c *client) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		var lost []store.Stretch
		err := c.do(ctx, "superseded", func(s *state) {
			if one := s.sessions[id]; one != nil {
				lost = slices.Clone(one.lost)
			}
		})
		if err != nil {
			yield(store.Stretch{}, err)
			return
		}
		for _, s := range lost {
			if !yield(copied(s), nil) {
				return
			}
		}
	}
}
