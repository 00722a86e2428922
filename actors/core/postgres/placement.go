package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	// isHere is whether a node's row n is one that a life may change: its newest, or one that the database has forgotten, since it went back.
	isHere = `n.incarnation < excluded.incarnation OR n.incarnation = excluded.incarnation AND n.state IN ('up', 'draining')`
	// beginLife has what belongs to a life begin, where the row is of an earlier one.
	beginLife = `incarnation = excluded.incarnation,
    expires = CASE WHEN n.incarnation = excluded.incarnation THEN n.expires END, steady = CASE WHEN n.incarnation = excluded.incarnation THEN n.steady END`

	// renewNode reads the clock again where it has waited for the row.
	renewNode = `INSERT INTO node AS n (id, incarnation, lease, expires, steady, address, workspaces, agents, build, key)
  VALUES ($1, $2, $3::interval, clock_timestamp() + $3::interval, clock_timestamp(), $4, $5, $6, $7, $8)
  ON CONFLICT (id) DO UPDATE SET incarnation = excluded.incarnation, lease = excluded.lease, address = excluded.address,
    workspaces = excluded.workspaces, agents = excluded.agents, build = excluded.build, key = excluded.key,
    expires = clock_timestamp() + excluded.lease,
    state = CASE WHEN n.incarnation = excluded.incarnation THEN n.state ELSE 'up' END,
    steady = CASE WHEN n.incarnation = excluded.incarnation AND n.expires >= clock_timestamp() AND n.steady <= clock_timestamp()
      THEN n.steady ELSE clock_timestamp() END
  WHERE ` + isHere + `
  RETURNING n.state, pg_postmaster_start_time()`

	changeState = `INSERT INTO node AS n (id, incarnation, state) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET state = excluded.state, ` + beginLife + `
  WHERE ` + isHere + `
  RETURNING n.state`
	readState = `SELECT CASE WHEN incarnation = $2 THEN state ELSE 'followed' END FROM node WHERE id = $1`

	readNodes = `SELECT n.id, n.incarnation, n.state, n.expires IS NOT NULL, n.lease, n.address, n.workspaces, n.agents, n.build, n.key,
    CASE WHEN $1 THEN (SELECT count(*) FROM session_log s WHERE s.node = n.id) ELSE 0 END,
    coalesce((extract(epoch FROM n.expires - clock_timestamp()) * 1000000)::bigint, 0)
  FROM node n ORDER BY n.id COLLATE "C"`

	// declareNodes lets a node speak whose own lease tells that the clock has not gone back since it has renewed. Of the others it looks at those whose lease
	// had run out before that: had the clock jumped ahead in between, the renewal would have been behind a hole. What a clock that went back has left too
	// far ahead begins anew.
	declareNodes = `WITH me AS (
  SELECT id, lease, steady, expires - lease AS renewed FROM node
  WHERE id = $1 AND incarnation = $2 AND state = 'up' AND expires > clock_timestamp() AND expires <= clock_timestamp() + lease
), ahead AS (
  UPDATE node n SET expires = clock_timestamp() + n.lease FROM me
  WHERE n.id <> me.id AND n.state IN ('up', 'draining') AND n.expires > clock_timestamp() + n.lease
)
UPDATE node n SET state = 'dead' FROM me
WHERE n.id <> me.id AND n.state IN ('up', 'draining') AND n.expires < me.renewed AND me.steady <= clock_timestamp() - greatest(me.lease, n.lease)
RETURNING n.id, n.incarnation`

	forgetNode = `UPDATE node SET state = 'left' WHERE id = $1 AND (state IN ('dead', 'left') OR expires IS NULL OR expires < clock_timestamp())`
	stateOf    = `SELECT state FROM node WHERE id = $1`
)

func (c *client) Beat(ctx context.Context, as core.Owner, beat core.Beat) (is core.State, err error) {
	if err := errors.Join(as.Check("beat"), beat.Check()); err != nil {
		return "", err
	}
	b := beat.Kept()
	err = c.call(ctx, "beat", func(ctx context.Context) error {
		var begun time.Time
		err := c.pool.QueryRow(ctx, renewNode, core.Text(as.Node), as.Incarnation, b.Lease, b.Address, texts(b.Workspaces), b.Agents, b.Build, b.Key).
			Scan(&is, &begun)
		if err == nil && c.heard.isAnother(as.Node, begun) {
			return &core.AwayError{Op: "beat", Err: errAnother}
		}
		if errors.Is(err, pgx.ErrNoRows) {
			is, err = c.stands(ctx, as)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return is, nil
}

// stands is the state of a life that may change nothing.
func (c *client) stands(ctx context.Context, as core.Owner) (is core.State, err error) {
	return is, c.pool.QueryRow(ctx, readState, core.Text(as.Node), as.Incarnation).Scan(&is)
}

func (c *client) Nodes(ctx context.Context, counted bool) (list []core.Node, err error) {
	err = c.call(ctx, "nodes", func(ctx context.Context) error {
		rows, err := c.pool.Query(ctx, readNodes, counted)
		return each(rows, err, func() error {
			var n core.Node
			var ends int64 // microseconds
			err := rows.Scan(&n.Node, &n.Incarnation, &n.State, &n.Beats, &n.Lease, &n.Address, &n.Workspaces, &n.Agents, &n.Build, &n.Key, &n.Has, &ends)
			n.Ends = time.Duration(ends) * time.Microsecond
			if len(n.Workspaces) == 0 {
				n.Workspaces = nil
			}
			list = append(list, n)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (c *client) Declare(ctx context.Context, as core.Owner) (dead []core.Owner, err error) {
	if err := as.Check("declare"); err != nil {
		return nil, err
	}
	err = c.call(ctx, "declare", func(ctx context.Context) error {
		dead = nil
		rows, err := c.pool.Query(ctx, declareNodes, core.Text(as.Node), as.Incarnation)
		return each(rows, err, func() error {
			var o core.Owner
			err := rows.Scan(&o.Node, &o.Incarnation)
			dead = append(dead, o)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return dead, nil
}

func (c *client) Drain(ctx context.Context, as core.Owner) (core.State, error) {
	return c.become(ctx, "drain", as, core.StateDraining)
}

func (c *client) Leave(ctx context.Context, as core.Owner) (core.State, error) {
	return c.become(ctx, "leave", as, core.StateLeft)
}

func (c *client) become(ctx context.Context, op string, as core.Owner, next core.State) (is core.State, err error) {
	if err := as.Check(op); err != nil {
		return "", err
	}
	err = c.call(ctx, op, func(ctx context.Context) error {
		err := c.pool.QueryRow(ctx, changeState, core.Text(as.Node), as.Incarnation, next).Scan(&is)
		if errors.Is(err, pgx.ErrNoRows) {
			is, err = c.stands(ctx, as)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return is, nil
}

func (c *client) Forget(ctx context.Context, node string) (is core.State, err error) {
	err = c.call(ctx, "forget", func(ctx context.Context) error {
		if _, err := c.pool.Exec(ctx, forgetNode, core.Text(node)); err != nil {
			return err
		}
		err := c.pool.QueryRow(ctx, stateOf, core.Text(node)).Scan(&is)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return is, nil
}
