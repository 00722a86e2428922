package postgres

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	// holdLog has a removal of the session wait, and an append not.
	holdLog      = `SELECT FROM session_log WHERE id = $1 FOR KEY SHARE`
	putPicture   = `INSERT INTO session_image (session_id, digest, key, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
	readPicture  = `SELECT EXISTS (SELECT FROM session_image WHERE key = $1 AND session_id = $2)`
	readPictures = `SELECT digest, key, bytes FROM session_image WHERE session_id = $1 ORDER BY digest`
)

func (a archive) Depict(ctx context.Context, p core.Picture) (taken bool, err error) {
	id := key(p.Session)
	return a.named(ctx, "depict", p.Session, p.Key, readPicture, []naming{
		{holdLog, []any{id}, 1}, {nameObject, []any{p.Key, id}, 1}, {putPicture, []any{id, p.Digest[:], p.Key, p.Size}, 1},
	})
}

func (a archive) Pictures(ctx context.Context, session string) (list []core.Picture, err error) {
	err = a.c.call(ctx, "pictures", func(ctx context.Context) error {
		list = nil
		rows, err := a.c.pool.Query(ctx, readPictures, key(session))
		return each(rows, err, func() error {
			p := core.Picture{Session: session}
			var digest []byte
			err := rows.Scan(&digest, &p.Key, &p.Size)
			copy(p.Digest[:], digest)
			list = append(list, p)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}
