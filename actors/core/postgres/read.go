package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	readSession = `SELECT ` + columns + `, ` + toldColumns + ` FROM session_log s JOIN session r USING (id) WHERE s.id = $1`
	// readEpochs leaves out the first one of most logs, which protocol.Epochs does not name.
	readEpochs = `SELECT epoch, first_seq FROM session_epoch WHERE session_id = $1 AND epoch > 1 ORDER BY epoch`
)

func (c *client) Session(ctx context.Context, id string) (p core.Position, r core.Record, ok bool, err error) {
	err = c.call(ctx, "session", func(ctx context.Context) error {
		r, err = record(c.pool.QueryRow(ctx, readSession, key(id)), &p)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		ok = err == nil
		return err
	})
	if err != nil || !ok {
		return core.Position{}, core.Record{}, false, err
	}
	return p, r, true, nil
}

func (c *client) Epochs(ctx context.Context, id string) (list protocol.Epochs, err error) {
	err = c.call(ctx, "epochs", func(ctx context.Context) error {
		rows, err := c.pool.Query(ctx, readEpochs, key(id))
		return each(rows, err, func() error {
			var e protocol.EpochStart
			err := rows.Scan(&e.Epoch, &e.First)
			list = append(list, e)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// row is one of session_batch or session_lost; a join may have it empty.
type row struct {
	first, epoch   *uint64
	time           *int64
	sources, lines []byte
}

func (r *row) into() []any { return []any{&r.first, &r.epoch, &r.time, &r.sources, &r.lines} }

func (r *row) stretch() (store.Stretch, error) {
	sources, err := core.DecodeSources(r.sources)
	if err != nil {
		return store.Stretch{}, err
	}
	return store.Stretch{First: *r.first, Epoch: *r.epoch, Time: *r.time, Sources: sources, Lines: r.lines}, nil
}
