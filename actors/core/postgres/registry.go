package postgres

import (
	"context"
	"errors"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	// joinNode takes a life's number of the clock, so that a replica that had not seen one does not give it again.
	joinNode = `INSERT INTO node AS n (id, incarnation) VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  ON CONFLICT (id) DO UPDATE SET incarnation = greatest(n.incarnation + 1, excluded.incarnation), joined = clock_timestamp(),
    state = 'up', expires = NULL, steady = NULL
  RETURNING incarnation`
	readHeld  = `SELECT ` + columns + ` FROM session_log s WHERE s.node = $1 AND s.id > $2 ORDER BY s.id LIMIT 1000`
	removeLog = `DELETE FROM session_log WHERE id = $1 AND lease = $2`
	// removeRest is a statement behind removeLog: it must see what was appended while that one waited for the row.
	removeRest = `WITH f AS (
    INSERT INTO session_object (key, session_id, given_up)
    SELECT key, session_id, true FROM session_segment WHERE session_id = $1
    UNION SELECT key, session_id, true FROM session_lost WHERE session_id = $1 AND key IS NOT NULL
    UNION SELECT key, session_id, true FROM session_image WHERE session_id = $1
    UNION SELECT key, session_id, true FROM session_raw WHERE session_id = $1
    ON CONFLICT (key) DO UPDATE SET given_up = true
  ), g AS (DELETE FROM session_segment WHERE session_id = $1), h AS (DELETE FROM session_image WHERE session_id = $1),
  i AS (DELETE FROM session_raw WHERE session_id = $1),
  a AS (DELETE FROM session WHERE id = $1), b AS (DELETE FROM session_epoch WHERE session_id = $1),
  c AS (DELETE FROM session_batch WHERE session_id = $1), d AS (DELETE FROM session_lost WHERE session_id = $1),
  e AS (DELETE FROM session_gone WHERE at < clock_timestamp() - interval '1 day')
  INSERT INTO session_gone (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET at = clock_timestamp()`
	readGone = `SELECT NOT EXISTS (SELECT FROM session_log WHERE id = $1)`
)

func (c *client) Join(ctx context.Context, node string) (core.Owner, error) {
	if node == "" {
		return core.Owner{}, &core.AccessError{Op: "join", Err: errors.New("a node without a name"), Hint: core.HintNode}
	}
	owner := core.Owner{Node: core.Text(node)}
	err := c.call(ctx, "join", func(ctx context.Context) error {
		return c.pool.QueryRow(ctx, joinNode, owner.Node).Scan(&owner.Incarnation)
	})
	if err != nil {
		return core.Owner{}, err
	}
	return owner, nil
}

func (c *client) Positions(ctx context.Context, ids []string) ([]core.Position, error) {
	var at map[string]core.Position
	err := c.call(ctx, "positions", func(ctx context.Context) (err error) {
		at, err = positions(ctx, c.pool, ids)
		return err
	})
	if err != nil {
		return nil, err
	}
	return inOrder(ids, at), nil
}

func (c *client) Held(ctx context.Context, node string) iter.Seq2[core.Position, error] {
	return func(yield func(core.Position, error) bool) {
		last := "00000000-0000-0000-0000-000000000000"
		pages(yield, func() (list []core.Position, err error) {
			err = c.call(ctx, "held", func(ctx context.Context) error {
				rows, err := c.pool.Query(ctx, readHeld, core.Text(node), key(last))
				return each(rows, err, func() error {
					var p core.Position
					err := rows.Scan(into(&p)...)
					list = append(list, p)
					return err
				})
			})
			if len(list) > 0 {
				last = list[len(list)-1].Session
			}
			return list, err
		})
	}
}

func (c *client) Remove(ctx context.Context, id string, lease core.Lease) (gone bool, err error) {
	err = c.within(ctx, "remove", func(ctx context.Context, tx pgx.Tx) error {
		removed, err := tx.Exec(ctx, removeLog, key(id), key(string(lease)))
		if err != nil {
			return err
		}
		if gone = removed.RowsAffected() > 0; gone {
			_, err = tx.Exec(ctx, removeRest, key(id))
			return err
		}
		return tx.QueryRow(ctx, readGone, key(id)).Scan(&gone)
	})
	return gone && err == nil, err
}
