package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// archive is the side of a client that knows what is in objects.
type archive struct{ c *client }

const (
	// readDue goes through the narrow table: an index on what each flush changes would cost more than that.
	readDue = `SELECT s.id::text, greatest(s.cold, s.oldest - 1), s.head, s.hot, s.flushed < clock_timestamp() - $2::interval
  FROM session_log s
  WHERE s.head > greatest(s.cold, s.oldest - 1) AND (s.hot >= $1 OR s.flushed < clock_timestamp() - $2::interval)
    AND NOT EXISTS (SELECT FROM session_object o WHERE o.session_id = s.id AND NOT o.given_up AND o.at > clock_timestamp() - $4::interval)
  ORDER BY s.hot DESC, s.id LIMIT $3`
	intendObject = `INSERT INTO session_object (key, session_id) SELECT $2, s.id FROM session_log s
  WHERE s.id = $1 AND NOT EXISTS (
    SELECT FROM session_object o WHERE o.session_id = s.id AND NOT o.given_up AND o.at > clock_timestamp() - $3::interval)
  ON CONFLICT DO NOTHING`

	moveCold = `UPDATE session_log SET cold = $3, hot = greatest(hot - $4, 0) WHERE id = $1 AND greatest(cold, oldest - 1) = $2::bigint - 1 AND head >= $3`
	// takeRows is a statement behind moveCold, which has locked the session's row: it must see what became of the rows until then.
	takeRows = `DELETE FROM session_batch b USING unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::uuid[]) AS r (first_seq, last_seq, epoch, lease)
  WHERE b.session_id = $1 AND b.first_seq = r.first_seq AND b.last_seq = r.last_seq AND b.epoch = r.epoch AND b.lease = r.lease`
	nameObject = `DELETE FROM session_object WHERE key = $1 AND session_id = $2 AND NOT given_up`
	putSegment = `INSERT INTO session_segment (session_id, first_seq, last_seq, raw, ` + objectColumns + `)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`
	giveUpOne = `UPDATE session_object SET given_up = true WHERE key = $1 AND session_id = $2`
	// readSegment finds one that a cut has put aside, too.
	readSegment = `SELECT EXISTS (SELECT FROM session_segment WHERE key = $1 AND session_id = $2
  UNION ALL SELECT FROM session_lost WHERE key = $1 AND session_id = $2)`

	giveUp = `WITH old AS (SELECT key FROM session_object WHERE at < clock_timestamp() - $2::interval ORDER BY at LIMIT $1)
  UPDATE session_object o SET given_up = true FROM old WHERE o.key = old.key RETURNING o.key`
	forget     = `DELETE FROM session_object WHERE key = ANY($1) AND given_up`
	readStrays = `SELECT k.key FROM unnest($1::text[]) k (key)
  WHERE NOT EXISTS (SELECT FROM session_segment s WHERE s.key = k.key) AND NOT EXISTS (SELECT FROM session_lost l WHERE l.key = k.key)
    AND NOT EXISTS (SELECT FROM session_image i WHERE i.key = k.key) AND NOT EXISTS (SELECT FROM session_object o WHERE o.key = k.key)
    AND NOT EXISTS (SELECT FROM session_raw r WHERE r.key = k.key)`
)

// errOther ends a transaction of which nothing is to stay.
var errOther = errors.New("the rows are others")

func (a archive) Due(ctx context.Context, want core.Due) (list []core.Ready, err error) {
	err = a.c.call(ctx, "due", func(ctx context.Context) error {
		list = nil
		rows, err := a.c.pool.Query(ctx, readDue, want.Full, want.Rest, want.Most, core.Busy)
		return each(rows, err, func() error {
			var r core.Ready
			err := rows.Scan(&r.Session, &r.Since, &r.Head, &r.Bytes, &r.Rests)
			list = append(list, r)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (a archive) Intend(ctx context.Context, session, name string) (ok bool, err error) {
	err = a.c.call(ctx, "intend", func(ctx context.Context) error {
		done, err := a.c.pool.Exec(ctx, intendObject, key(session), name, core.Busy)
		ok = err == nil && done.RowsAffected() > 0
		return err
	})
	return ok, err
}

func (a archive) Compact(ctx context.Context, s *core.Segment) (taken bool, err error) {
	if problem := s.Check(); problem != "" {
		return false, &core.RefusedError{Op: "compact", Err: errors.New(problem)}
	}
	id, bytes := key(s.Session), s.Bytes()
	var some arrays
	for i := range s.Rows {
		r := &s.Rows[i]
		some.first, some.last, some.epoch = append(some.first, int64(r.First)), append(some.last, int64(r.Last())), append(some.epoch, int64(r.Epoch))
		some.lease = append(some.lease, key(string(r.Lease)))
	}
	return a.named(ctx, "compact", s.Session, s.Object.Key, readSegment, []naming{
		{moveCold, []any{id, s.First, s.Last, bytes}, 1},
		{takeRows, []any{id, some.first, some.last, some.epoch, some.lease}, len(s.Rows)},
		{nameObject, []any{s.Object.Key, id}, 1},
		{putSegment, append([]any{id, s.First, s.Last, bytes}, objectArguments(s)...), 1},
	})
}

// naming is a statement that finds so many rows, or the object is not named.
type naming struct {
	sql       string
	arguments []any
	rows      int
}

// named runs the statements with which an object is named, all or none. Where they cannot be done, the key is given up,
// unless read says that they were done before.
func (a archive) named(ctx context.Context, op, session, object, read string, statements []naming) (taken bool, err error) {
	err = a.c.within(ctx, op, func(ctx context.Context, tx pgx.Tx) error {
		for _, s := range statements {
			if done, err := tx.Exec(ctx, s.sql, s.arguments...); err != nil {
				return err
			} else if done.RowsAffected() != int64(s.rows) {
				return errOther
			}
		}
		return nil
	})
	switch {
	case err == nil:
		return true, nil
	case !errors.Is(err, errOther):
		return false, err
	}
	err = a.c.call(ctx, op, func(ctx context.Context) error {
		// An earlier call may be under way still: it has locked the key's row, or finds the key given up.
		if _, err := a.c.pool.Exec(ctx, giveUpOne, object, key(session)); err != nil {
			return err
		}
		return a.c.pool.QueryRow(ctx, read, object, key(session)).Scan(&taken)
	})
	return taken && err == nil, err
}

func (a archive) Garbage(ctx context.Context, most int) (keys []string, err error) {
	return a.keys(ctx, "garbage", giveUp, most, core.Forsaken)
}

func (a archive) Deleted(ctx context.Context, keys []string) error {
	return a.c.call(ctx, "deleted", func(ctx context.Context) error {
		_, err := a.c.pool.Exec(ctx, forget, keys)
		return err
	})
}

func (a archive) Strays(ctx context.Context, keys []string) ([]string, error) {
	return a.keys(ctx, "strays", readStrays, keys)
}

// keys asks a question whose answer is keys.
func (a archive) keys(ctx context.Context, op, question string, arguments ...any) (keys []string, err error) {
	err = a.c.call(ctx, op, func(ctx context.Context) error {
		keys = nil
		rows, err := a.c.pool.Query(ctx, question, arguments...)
		return each(rows, err, func() error {
			var k string
			err := rows.Scan(&k)
			keys = append(keys, k)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return keys, nil
}
