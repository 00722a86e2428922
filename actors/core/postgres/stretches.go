package postgres

import (
	"context"
	"iter"
	"math"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// readPage reads rows of a log from the one that has the event $2 on, up to that with $3, with where the log stands in the same moment: so many as have
// a page of lines, at least one, at most $6. cut is the first event of any epoch behind $4, of which the log was when the reading began. Where that event is
// in a segment, it reads that and no row.
const readPage = `SELECT s.head, s.oldest, s.epoch, (SELECT min(e.first_seq) FROM session_epoch e WHERE e.session_id = $1 AND e.epoch > $4),
  p.first_seq, p.epoch, p.ts, p.sources, p.lines, p.lease::text, g.first_seq, g.last_seq, ` + objectColumns + `
FROM session_log s LEFT JOIN LATERAL (
  SELECT first_seq, last_seq, ` + objectColumns + ` FROM session_segment
  WHERE session_id = $1 AND $2 <= s.cold AND $2 <= $3 AND first_seq <= $2 AND last_seq >= $2 ORDER BY first_seq DESC LIMIT 1
) g ON true LEFT JOIN LATERAL (
  SELECT b.*, sum(b.raw) OVER (ORDER BY b.first_seq ROWS UNBOUNDED PRECEDING) - b.raw AS before
  FROM (
    SELECT first_seq, epoch, ts, sources, raw, lines, lease FROM session_batch
    WHERE session_id = $1 AND $2 > s.cold AND first_seq <= $3
      AND first_seq >= coalesce((SELECT max(f.first_seq) FROM session_batch f WHERE f.session_id = $1 AND f.first_seq <= $2), $2)
    ORDER BY first_seq LIMIT $6
  ) b
) p ON p.before < $5
WHERE s.id = $1 ORDER BY p.first_seq`

// page is how many bytes of lines a query reads: what a reader holds, and what a row may have more.
const page = 1 << 20

// reading is one pass over a log.
type reading struct {
	id         string
	next, upTo uint64 // events
	epoch      uint64 // of the log at the first page
	rows       int64  // that a page of this log has, guessed by the last one

	head, oldest uint64
	cut          *uint64 // event from which on the log is another one than at the first page
}

func (c *client) Stretches(ctx context.Context, id string, since, upTo uint64) iter.Seq2[store.Stretch, error] {
	return core.Stretches("stretches", c.Pieces(ctx, id, since, upTo))
}

func (a archive) Pieces(ctx context.Context, id string, since, upTo uint64) iter.Seq2[core.Piece, error] {
	return func(yield func(core.Piece, error) bool) {
		r := reading{id: id, next: since + 1, upTo: upTo, epoch: math.MaxInt64, rows: 64}
		if since > upTo || upTo > protocol.MaxSeq {
			r.next, r.upTo = 1, 0 // no log has that: the position is asked for alone
		}
		for begun := false; !begun || r.next <= r.upTo; begun = true {
			list, err := r.more(ctx, a.c)
			switch {
			case err != nil:
			case since > upTo, upTo > r.head && !begun:
				err = &store.BeyondError{Newest: r.head}
			case r.next < r.oldest && r.next <= upTo:
				err = &store.GoneError{Oldest: r.oldest}
			case r.cut != nil && *r.cut <= upTo:
				err = &store.BeyondError{Newest: *r.cut - 1}
			case len(list) == 0 && since < upTo:
				err = &store.BeyondError{Newest: r.head} // removed meanwhile
			}
			if err != nil {
				yield(core.Piece{}, err)
				return
			}
			for _, p := range list {
				if r.next = p.Last() + 1; !yield(p, nil) {
					return
				}
			}
		}
	}
}

// more reads the next pieces. The connection is given back before anybody sees them.
func (r *reading) more(ctx context.Context, c *client) (list []core.Piece, err error) {
	err = c.call(ctx, "stretches", func(ctx context.Context) error {
		list, r.head, r.oldest, r.cut = nil, 0, 0, nil
		epoch, bytes := uint64(0), int64(0)
		rows, err := c.pool.Query(ctx, readPage, key(r.id), r.next, r.upTo, r.epoch, page, r.rows)
		err = each(rows, err, func() error {
			var b row
			var o object
			var lease *string
			var first, last *uint64
			into := append([]any{&r.head, &r.oldest, &epoch, &r.cut}, append(b.into(), &lease, &first, &last)...)
			if err := rows.Scan(append(into, o.into()...)...); err != nil {
				return err
			}
			switch {
			case first != nil:
				s, err := o.segment(r.id, max(*first, r.next), min(*last, r.upTo))
				if err != nil {
					return err
				}
				list = append(list, s.Piece())
			case b.first != nil:
				s, err := b.stretch()
				if err != nil {
					return err
				}
				if s = core.Part(s, r.next-1, r.upTo); s.Count() > 0 {
					list = append(list, core.Piece{Stretch: s, Lease: core.Lease(*lease)})
					bytes += int64(len(s.Lines))
				}
			}
			return nil
		})
		if r.epoch == math.MaxInt64 {
			r.epoch = epoch
		}
		if bytes > 0 {
			r.rows = min(max(page*int64(len(list))/bytes+2, 8), 2000)
		}
		return err
	})
	return list, err
}
