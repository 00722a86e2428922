package postgres

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

const (
	admittedColumns = `id, name, coalesce(node, ''), sum, made`
	keepAdmitted    = `INSERT INTO credential (id, name, node, sum) VALUES ($1, $2, nullif($3, ''), $4) ON CONFLICT (id) DO NOTHING`
	readAdmitted    = `SELECT ` + admittedColumns + ` FROM credential ORDER BY id COLLATE "C"`
	findAdmitted    = `SELECT ` + admittedColumns + ` FROM credential WHERE sum = $1`
	// lockAdmitted has two that bind wait for one another, and nobody who only finds.
	lockAdmitted = `LOCK TABLE credential IN SHARE ROW EXCLUSIVE MODE`
	bindAdmitted = `UPDATE credential SET node = $2 WHERE id = $1 AND (node = $2 OR node IS NULL
  AND NOT EXISTS (SELECT FROM node WHERE id = $2) AND NOT EXISTS (SELECT FROM credential WHERE node = $2))`
	dropAdmitted = `DELETE FROM credential WHERE id = $1`
)

// doors are the credentials that a database has.
type doors struct{ *client }

var _ core.Doors = doors{}

// OpenDoors connects to a database as Open does, for the credentials of nodes.
func OpenDoors(ctx context.Context, url string, options Options) (core.Doors, error) {
	c, err := Open(ctx, url, options)
	if err != nil {
		return nil, err
	}
	return doors{c.(*client)}, nil
}

func (d doors) Admit(ctx context.Context, c core.Credential) error {
	return d.call(ctx, "admit", func(ctx context.Context) error {
		_, err := d.pool.Exec(ctx, keepAdmitted, c.ID, core.Text(c.Name), core.Text(c.Node), c.Sum[:])
		return err
	})
}

func scanCredential(row pgx.Row) (c core.Credential, err error) {
	var sum []byte
	err = row.Scan(&c.ID, &c.Name, &c.Node, &sum, &c.Made)
	copy(c.Sum[:], sum)
	c.Made = c.Made.UTC()
	return c, err
}

func (d doors) Credentials(ctx context.Context) (list []core.Credential, err error) {
	err = d.call(ctx, "credentials", func(ctx context.Context) error {
		list = nil
		rows, err := d.pool.Query(ctx, readAdmitted)
		return each(rows, err, func() error {
			c, err := scanCredential(rows)
			list = append(list, c)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

func (d doors) Find(ctx context.Context, sum [sha256.Size]byte) (c core.Credential, ok bool, err error) {
	err = d.call(ctx, "find", func(ctx context.Context) (err error) {
		c, err = scanCredential(d.pool.QueryRow(ctx, findAdmitted, sum[:]))
		if ok = err == nil; errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		return err
	})
	if err != nil || !ok {
		return core.Credential{}, false, err
	}
	return c, true, nil
}

func (d doors) Bind(ctx context.Context, id, node string) (ok bool, err error) {
	if node == "" {
		return false, nil
	}
	err = d.within(ctx, "bind", func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockAdmitted); err != nil {
			return err
		}
		done, err := tx.Exec(ctx, bindAdmitted, id, core.Text(node))
		ok = done.RowsAffected() == 1
		return err
	})
	return ok && err == nil, err
}

func (d doors) Expel(ctx context.Context, id string) (gone bool, err error) {
	err = d.call(ctx, "expel", func(ctx context.Context) error {
		done, err := d.pool.Exec(ctx, dropAdmitted, id)
		gone = done.RowsAffected() == 1
		return err
	})
	return gone && err == nil, err
}
