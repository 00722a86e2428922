package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	putNative = `INSERT INTO session_raw (session_id, node, first_line, last_line, epoch, raw, longest, key, bytes, sha256, frame_line, frame_off)
  SELECT $1::uuid, $2::text, $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bigint, $8::text, $9::bigint, $10::bytea, $11::bigint[], $12::bigint[]
  WHERE NOT EXISTS (SELECT FROM session_raw WHERE session_id = $1 AND node = $2 AND last_line >= $3)
  ON CONFLICT DO NOTHING`
	readNative  = `SELECT EXISTS (SELECT FROM session_raw WHERE key = $1 AND session_id = $2)`
	readNatives = `SELECT node, epoch, raw, longest, first_line, last_line, key, bytes, sha256, frame_line, frame_off FROM session_raw
  WHERE session_id = $1 ORDER BY first_line, node COLLATE "C"`
	giveNumber = `UPDATE session_log SET lines = greatest(lines, 1, (SELECT max(last_line) + 1 FROM session_raw WHERE session_id = $1)) + $2
  WHERE id = $1 RETURNING lines`
	readNativeEnds = `SELECT coalesce((SELECT max(r.last_line) FROM session_raw r WHERE r.session_id = a.id AND r.node = $1), 0)
  FROM unnest($2::uuid[]) WITH ORDINALITY a (id, n) ORDER BY a.n`
)

func (a archive) Archive(ctx context.Context, s *core.NativeSegment) (taken bool, err error) {
	if err := s.Check(); err != nil {
		return false, err
	}
	id, o := key(s.Session), &s.Object
	var firsts []uint64
	var offsets []int64
	for _, f := range o.Frames {
		firsts, offsets = append(firsts, f.First), append(offsets, f.Offset)
	}
	return a.named(ctx, "archive", s.Session, o.Key, readNative, []naming{
		{holdLog, []any{id}, 1},
		{nameObject, []any{o.Key, id}, 1},
		{putNative, []any{id, s.Node, o.First, o.Last, s.Epoch, s.Lines, s.Longest, o.Key, o.Size, o.SHA256[:], firsts, offsets}, 1},
	})
}

func (a archive) Archived(ctx context.Context, session string) (list []core.NativeSegment, err error) {
	err = a.c.call(ctx, "archived", func(ctx context.Context) error {
		list = nil
		rows, err := a.c.pool.Query(ctx, readNatives, key(session))
		return each(rows, err, func() error {
			s := core.NativeSegment{Session: session}
			var digest []byte
			var firsts []uint64
			var offsets []int64
			o := &s.Object
			err := rows.Scan(&s.Node, &s.Epoch, &s.Lines, &s.Longest, &o.First, &o.Last, &o.Key, &o.Size, &digest, &firsts, &offsets)
			if err != nil {
				return err
			}
			if copy(o.SHA256[:], digest) != len(o.SHA256) || len(firsts) != len(offsets) {
				return errSegment
			}
			for i, f := range firsts {
				o.Frames = append(o.Frames, core.Frame{First: f, Offset: offsets[i]})
			}
			list = append(list, s)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (a archive) ArchivedUpTo(ctx context.Context, node string, sessions []string) (list []uint64, err error) {
	ids := make([]pgtype.UUID, len(sessions))
	for i, id := range sessions {
		ids[i] = key(id)
	}
	err = a.c.call(ctx, "archived", func(ctx context.Context) error {
		list = nil
		rows, err := a.c.pool.Query(ctx, readNativeEnds, core.Text(node), ids)
		return each(rows, err, func() error {
			var last uint64
			err := rows.Scan(&last)
			list = append(list, last)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (a archive) Number(ctx context.Context, session string, leap uint64) (first uint64, err error) {
	err = a.c.call(ctx, "number", func(ctx context.Context) error {
		err := a.c.pool.QueryRow(ctx, giveNumber, key(session), leap).Scan(&first)
		if errors.Is(err, pgx.ErrNoRows) {
			first, err = 0, nil
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	return first, nil
}
