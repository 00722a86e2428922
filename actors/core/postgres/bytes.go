package postgres

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// countBytes adds up the rows and segments that are whole in what is asked for. Those of which it has a part, two of each at most, come as they are.
//
//nolint:dupword // a null for each column that rows do not have
const countBytes = `WITH b AS (
  SELECT first_seq, last_seq, raw FROM session_batch WHERE session_id = $1 AND first_seq <= $3
    AND first_seq >= coalesce((SELECT max(f.first_seq) FROM session_batch f WHERE f.session_id = $1 AND f.first_seq <= $2::bigint + 1), 0)
), g AS (
  SELECT first_seq, last_seq, raw FROM session_segment WHERE session_id = $1 AND first_seq <= $3 AND last_seq > $2
)
SELECT s.head, s.oldest, coalesce((SELECT sum(raw) FROM b WHERE first_seq > $2 AND last_seq <= $3::bigint), 0)::bigint +
    coalesce((SELECT sum(raw) FROM g WHERE first_seq > $2 AND last_seq <= $3::bigint), 0)::bigint,
  p.first_seq, p.epoch, p.ts, p.sources, p.lines, p.last_seq, ` + objectColumns + `
FROM session_log s LEFT JOIN (
  SELECT c.first_seq, c.last_seq, c.epoch, c.ts, c.sources, c.lines, null::bigint AS object_first, null::bigint AS object_last, null::text AS key,
    null::bigint AS bytes, null::bytea AS sha256, null::bigint[] AS frame_seq, null::bigint[] AS frame_off, null::bytea AS made, null::bytea AS line
  FROM session_batch c JOIN b USING (first_seq) WHERE c.session_id = $1 AND (b.first_seq <= $2 OR b.last_seq > $3)
  UNION ALL
  SELECT c.first_seq, c.last_seq, null::bigint, null::bigint, null::bytea, null::bytea, ` + objectColumns + `
  FROM session_segment c JOIN g USING (first_seq) WHERE c.session_id = $1 AND (g.first_seq <= $2 OR g.last_seq > $3 OR g.raw IS NULL)
) p ON true
WHERE s.id = $1`

func (c *client) Bytes(ctx context.Context, id string, since, upTo uint64) (int64, error) {
	n, parts, err := c.Count(ctx, id, since, upTo)
	return core.Bytes("bytes", n, parts, err)
}

func (a archive) Count(ctx context.Context, id string, since, upTo uint64) (n int64, parts []core.Piece, err error) {
	var head, oldest uint64
	err = a.c.call(ctx, "bytes", func(ctx context.Context) error {
		n, head, oldest, parts = 0, 0, 0, nil
		if since > protocol.MaxSeq || upTo > protocol.MaxSeq {
			since, upTo = protocol.MaxSeq, 0 // no log has that: the position is asked for alone
		}
		rows, err := a.c.pool.Query(ctx, countBytes, key(id), since, upTo)
		return each(rows, err, func() error {
			var b row
			var o object
			var last *uint64
			if err := rows.Scan(append(append(append([]any{&head, &oldest, &n}, b.into()...), &last), o.into()...)...); err != nil || b.first == nil {
				return err
			}
			var p core.Piece
			if o.key != nil {
				s, err := o.segment(id, max(*b.first, since+1), min(*last, upTo))
				if err != nil {
					return err
				}
				p = s.Piece()
			} else {
				s, err := b.stretch()
				if err != nil {
					return err
				}
				p.Stretch = core.Part(s, since, upTo)
			}
			parts = append(parts, p)
			return nil
		})
	})
	switch {
	case err != nil:
		return 0, nil, err
	case since > upTo, upTo > head:
		return 0, nil, &store.BeyondError{Newest: head}
	case since < upTo && since+1 < oldest:
		return 0, nil, &store.GoneError{Oldest: oldest}
	}
	return n, parts, nil
}
