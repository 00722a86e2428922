package postgres

import (
	"context"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// readLost reads rows behind one, as readPage does.
const readLost = `SELECT p.id, p.first_seq, p.epoch, p.ts, p.sources, p.lines, p.last_seq, ` + objectColumns + ` FROM (
  SELECT b.*, sum(b.raw) OVER (ORDER BY b.id ROWS UNBOUNDED PRECEDING) - b.raw AS before FROM (
    SELECT id, first_seq, last_seq, epoch, ts, sources, raw, lines, ` + objectColumns + `
    FROM session_lost WHERE session_id = $1 AND id > $2 ORDER BY id LIMIT 100
  ) b
) p WHERE p.before < $3 ORDER BY p.id`

func (c *client) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return core.Stretches("superseded", c.Aside(ctx, id))
}

func (a archive) Aside(ctx context.Context, id string) iter.Seq2[core.Piece, error] {
	return func(yield func(core.Piece, error) bool) {
		last := int64(0)
		pages(yield, func() (list []core.Piece, err error) {
			err = a.c.call(ctx, "superseded", func(ctx context.Context) error {
				rows, err := a.c.pool.Query(ctx, readLost, key(id), last, page)
				return each(rows, err, func() (err error) {
					var b row
					var o object
					var end uint64
					if err := rows.Scan(append(append(append([]any{&last}, b.into()...), &end), o.into()...)...); err != nil {
						return err
					}
					var p core.Piece
					if o.key != nil {
						p.Segment, err = o.segment(id, *b.first, end)
					} else {
						p.Stretch, err = b.stretch()
					}
					list = append(list, p)
					return err
				})
			})
			return list, err
		})
	}
}
