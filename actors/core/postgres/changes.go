package postgres

import (
	"context"
	"iter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	readChanges = `SELECT ` + columns + `, ` + toldColumns + `, r.noted FROM session r JOIN session_log s USING (id)
  WHERE (r.noted, r.id) > ($1, $2) ORDER BY r.noted, r.id LIMIT $3`
	// readRemoved leaves out what was registered anew.
	readRemoved = `SELECT g.at, g.id::text FROM session_gone g WHERE (g.at, g.id) > ($1, $2) AND NOT EXISTS (SELECT FROM session_log s WHERE s.id = g.id)
  ORDER BY g.at, g.id LIMIT $3`
)

// changesPage is how many changes a query reads.
const changesPage = 500

func (c *client) Changes(ctx context.Context, since time.Time) iter.Seq2[core.Change, error] {
	return func(yield func(core.Change, error) bool) {
		for _, query := range []string{readChanges, readRemoved} {
			if !changes(ctx, c, query, since, yield) {
				return
			}
		}
	}
}

// changes goes through what a query has, and says whether to go on.
func changes(ctx context.Context, c *client, query string, since time.Time, yield func(core.Change, error) bool) bool {
	at := pgtype.Timestamptz{Time: since.Add(-time.Microsecond), Valid: true} // the keys are behind a moment and an id
	if since.IsZero() {
		at = pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	last := "ffffffff-ffff-4fff-bfff-ffffffffffff"
	isOver := false
	return pages(yield, func() (list []core.Change, err error) {
		if isOver {
			return nil, nil
		}
		err = c.call(ctx, "changes", func(ctx context.Context) error {
			rows, err := c.pool.Query(ctx, query, at, key(last), changesPage)
			return each(rows, err, func() error {
				var one core.Change
				err := scanChange(rows, &one, query == readRemoved)
				list = append(list, one)
				return err
			})
		})
		if isOver = len(list) < changesPage; !isOver {
			at.Time, at.InfinityModifier, last = list[len(list)-1].At, pgtype.Finite, list[len(list)-1].Position.Session
		}
		return list, err
	})
}

func scanChange(rows pgx.Rows, one *core.Change, isGone bool) (err error) {
	if isGone {
		one.Gone = true
		return rows.Scan(&one.At, &one.Position.Session)
	}
	one.Record, err = record(rows, &one.Position, &one.At)
	return err
}
