package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	lockLog = `SELECT began, ` + columns + ` FROM session_log s WHERE s.id = $1 FOR UPDATE`
	// takeBack takes the newest epoch back, where the one before is none that the log does not have.
	takeBack = `UPDATE session_log s SET epoch = p.epoch, began = p.first_seq FROM (
    SELECT epoch, first_seq FROM session_epoch WHERE session_id = $1 AND epoch < $2 ORDER BY epoch DESC LIMIT 1
  ) p WHERE s.id = $1 AND p.epoch <= $3 RETURNING began, ` + columns
	dropEpoch = `WITH noted AS (UPDATE session SET noted = clock_timestamp() WHERE id = $1)
  DELETE FROM session_epoch WHERE session_id = $1 AND epoch = $2`
	// readStraddling finds the row that a cut goes through.
	readStraddling = `SELECT first_seq, epoch, ts, sources, lines FROM session_batch
  WHERE session_id = $1 AND first_seq = (SELECT max(first_seq) FROM session_batch WHERE session_id = $1 AND first_seq < $2) AND last_seq >= $2`
	keepFront = `UPDATE session_batch SET last_seq = $3, sources = $4, raw = $5, lines = $6 WHERE session_id = $1 AND first_seq = $2`
	loseRest  = `INSERT INTO session_lost (session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines, cut)
  SELECT session_id, $3, $4, epoch, lease, ts, $5, $6, $7, $8 FROM session_batch WHERE session_id = $1 AND first_seq = $2`
	loseRows = `WITH gone AS (DELETE FROM session_batch WHERE session_id = $1 AND first_seq >= $2 RETURNING *)
  INSERT INTO session_lost (session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines, cut)
  SELECT session_id, first_seq, last_seq, epoch, lease, ts, sources, raw, lines, $3 FROM gone ORDER BY first_seq`
	// loseSegments puts aside what is behind a cut of the segments: no object is touched, and one that the cut goes through is of both.
	loseSegments = `INSERT INTO session_lost (session_id, first_seq, last_seq, epoch, ts, sources, raw, lines, cut, ` + objectColumns + `)
  SELECT session_id, greatest(first_seq, $2), last_seq, 0, 0, '', 0, '', $3, ` + objectColumns + `
  FROM session_segment WHERE session_id = $1 AND last_seq >= $2 ORDER BY first_seq`
	dropSegments = `DELETE FROM session_segment WHERE session_id = $1 AND first_seq >= $2`
	cutSegment   = `UPDATE session_segment SET last_seq = $2 - 1, raw = NULL WHERE session_id = $1 AND last_seq >= $2`
	loseEpochs   = `DELETE FROM session_epoch WHERE session_id = $1 AND first_seq >= $2`
	beginEpoch   = `INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
  SELECT id, $2, $3, lease, node, 'rewound' FROM session_log WHERE id = $1`
	setHead = `UPDATE session_log s SET head = $2 - 1, oldest = least(oldest, $2), epoch = $3, began = $2, cold = least(cold, $2 - 1),
    hot = coalesce((SELECT sum(b.raw) FROM session_batch b WHERE b.session_id = s.id), 0) WHERE s.id = $1 RETURNING ` + columns
)

func (c *client) Rewind(ctx context.Context, cut core.Cut) (core.Answer, error) {
	answer := core.Answer{Problem: cut.Check()}
	err := c.within(ctx, "rewind", func(ctx context.Context, tx pgx.Tx) error {
		answer.Taken = false
		var began uint64
		at := &answer.At
		err := tx.QueryRow(ctx, lockLog, key(cut.Session)).Scan(append([]any{&began}, into(at)...)...)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return err
		case answer.Problem != "", at.Lease != cut.Lease:
			return nil
		case cut.Epoch < at.Epoch && began > at.Head:
			if err := takenBack(ctx, tx, cut, at, &began); err != nil {
				return err
			}
		}
		switch {
		case cut.First > at.Head+1, cut.Epoch < at.Epoch:
			return nil
		case cut.Epoch == at.Epoch:
			answer.Taken = began == cut.First && at.Head == cut.First-1
			return nil
		}
		answer.Taken = true
		return rewind(ctx, tx, cut, at)
	})
	if err != nil {
		return core.Answer{}, err
	}
	return answer, nil
}

// takenBack takes the newest epoch back, which has no event, where the log goes on in one before it, in the transaction that has locked the session's row.
func takenBack(ctx context.Context, tx pgx.Tx, cut core.Cut, at *core.Position, began *uint64) error {
	id, epoch := key(cut.Session), at.Epoch
	err := tx.QueryRow(ctx, takeBack, id, epoch, cut.Epoch).Scan(append([]any{began}, into(at)...)...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err == nil {
		_, err = tx.Exec(ctx, dropEpoch, id, epoch)
	}
	return err
}

// rewind puts aside what is behind a cut, in the transaction that has locked the session's row.
func rewind(ctx context.Context, tx pgx.Tx, cut core.Cut, at *core.Position) error {
	id := key(cut.Session)
	segments := &pgx.Batch{}
	segments.Queue(loseSegments, id, cut.First, cut.Epoch)
	segments.Queue(dropSegments, id, cut.First)
	segments.Queue(cutSegment, id, cut.First)
	if err := tx.SendBatch(ctx, segments).Close(); err != nil {
		return err
	}
	if err := split(ctx, tx, cut); err != nil {
		return err
	}
	todo := &pgx.Batch{}
	todo.Queue(loseRows, id, cut.First, cut.Epoch)
	todo.Queue(loseEpochs, id, cut.First)
	todo.Queue(beginEpoch, id, cut.Epoch, cut.First)
	todo.Queue(setHead, id, cut.First, cut.Epoch).QueryRow(func(row pgx.Row) error { return row.Scan(into(at)...) })
	return tx.SendBatch(ctx, todo).Close()
}

// split has the row that a cut goes through end before it.
func split(ctx context.Context, tx pgx.Tx, cut core.Cut) error {
	id := key(cut.Session)
	var r row
	switch err := tx.QueryRow(ctx, readStraddling, id, cut.First).Scan(r.into()...); {
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	whole, err := r.stretch()
	if err != nil {
		return err
	}
	front, rest := core.Part(whole, 0, cut.First-1), core.Part(whole, cut.First-1, whole.Last())
	todo := &pgx.Batch{}
	todo.Queue(loseRest, id, whole.First, rest.First, rest.Last(), core.EncodeSources(rest.Sources), len(rest.Lines), rest.Lines, cut.Epoch)
	todo.Queue(keepFront, id, whole.First, front.Last(), core.EncodeSources(front.Sources), len(front.Lines), front.Lines)
	return tx.SendBatch(ctx, todo).Close()
}
