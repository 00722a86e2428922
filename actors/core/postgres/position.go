package postgres

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// columns are a position's, of a row of session_log or one like it that is called s.
const columns = `s.id::text, coalesce(s.node, ''), s.incarnation, s.lease::text, s.epoch, s.head, s.oldest`

// into is where columns are scanned.
func into(p *core.Position) []any {
	return []any{&p.Session, &p.Owner.Node, &p.Owner.Incarnation, &p.Lease, &p.Epoch, &p.Head, &p.Oldest}
}

// key is a UUID for the database. What is none is null, which is equal to nothing.
func key(id string) pgtype.UUID {
	var u pgtype.UUID
	if protocol.ValidSessionID(id) {
		_, err := hex.Decode(u.Bytes[:], []byte(strings.ReplaceAll(id, "-", "")))
		u.Valid = err == nil
	}
	return u
}

// keys are those of ids that are UUIDs.
func keys(ids []string) (list []pgtype.UUID) {
	for _, id := range ids {
		if k := key(id); k.Valid {
			list = append(list, k)
		}
	}
	return list
}

// positions asks for those of sessions.
func positions(ctx context.Context, q querier, ids []string) (map[string]core.Position, error) {
	list := keys(ids)
	if len(list) == 0 {
		return nil, nil
	}
	rows, err := q.Query(ctx, `SELECT `+columns+` FROM session_log s WHERE s.id = ANY($1::uuid[])`, list)
	return byID(rows, err)
}

// byID collects rows of columns.
func byID(rows pgx.Rows, err error) (map[string]core.Position, error) {
	found := map[string]core.Position{}
	return found, each(rows, err, func() error {
		var p core.Position
		if err := rows.Scan(into(&p)...); err != nil {
			return err
		}
		found[p.Session] = p
		return nil
	})
}

// each reads the rows of a query to their end.
func each(rows pgx.Rows, err error, read func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// pages goes through what next gives, until that is nothing or an error. It says whether its reader wants more.
func pages[T any](yield func(T, error) bool, next func() ([]T, error)) bool {
	for {
		list, err := next()
		if err != nil {
			var none T
			yield(none, err)
			return false
		}
		for _, one := range list {
			if !yield(one, nil) {
				return false
			}
		}
		if len(list) == 0 {
			return true
		}
	}
}
