package memory

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

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
	return core.Stretches("stretches", c.Pieces(ctx, id, since, upTo))
}

func (c *client) Bytes(ctx context.Context, id string, since, upTo uint64) (n int64, err error) {
	n, parts, err := c.Count(ctx, id, since, upTo)
	return core.Bytes("bytes", n, parts, err)
}

func (c *client) Changes(ctx context.Context, since time.Time) iter.Seq2[core.Change, error] {
	return listed(func() (list []core.Change, err error) {
		err = c.do(ctx, "changes", func(s *state) {
			for _, one := range s.sessions {
				if one.noted.Before(since) {
					continue
				}
				change := core.Change{At: one.noted, Position: one.at, Record: one.record.Kept()}
				change.Record.Epoch, change.Record.First = 0, 0
				list = append(list, change)
			}
			for id, at := range s.gone {
				if !at.Before(since) && time.Since(at) < remembered {
					list = append(list, core.Change{At: at, Gone: true, Position: core.Position{Session: id}})
				}
			}
			slices.SortFunc(list, inOrder)
		})
		return list, err
	})
}

// inOrder has changes come in their order: those of sessions that are gone behind the others, and each by its moment.
func inOrder(a, b core.Change) int {
	switch {
	case a.Gone == b.Gone:
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Position.Session, b.Position.Session))
	case a.Gone:
		return 1
	}
	return -1
}

// remembered is for how long sessions that were removed are known.
const remembered = 24 * time.Hour

func (c *client) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return core.Stretches("superseded", c.Aside(ctx, id))
}
