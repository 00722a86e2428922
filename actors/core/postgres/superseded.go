package postgres

import (
	"context"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// readLost reads rows behind one, as readPage does.
const readLost = `SELECT p.id, p.first_seq, p.epoch, p.ts, p.sources, p.lines FROM (
  SELECT b.*, sum(b.raw) OVER (ORDER BY b.id ROWS UNBOUNDED PRECEDING) - b.raw AS before FROM (
    SELECT id, first_seq, epoch, ts, sources, raw, lines FROM session_lost WHERE session_id = $1 AND id > $2 ORDER BY id LIMIT 100
  ) b
) p WHERE p.before < $3 ORDER BY p.id`

func (c *client) Superseded(ctx context.Context, id string) iter.Seq2[store.Stretch, error] {
	return func(yield func(store.Stretch, error) bool) {
		for last := int64(0); ; {
			var list []store.Stretch
			err := c.call(ctx, "superseded", func(ctx context.Context) error {
				rows, err := c.pool.Query(ctx, readLost, key(id), last, page)
				return each(rows, err, func() error {
					var b row
					if err := rows.Scan(append([]any{&last}, b.into()...)...); err != nil {
						return err
					}
					s, err := b.stretch()
					list = append(list, s)
					return err
				})
			})
			if err != nil {
				yield(store.Stretch{}, err)
				return
			}
			for _, s := range list {
				if !yield(s, nil) {
					return
				}
			}
			if len(list) == 0 {
				return
			}
		}
	}
}
