package postgres

import (
	"cmp"
	"context"
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// takeSessions takes again and registers, in one statement. The lock of the node's row has a new life of the node wait for it, or it for that one. A life that
// the database has forgotten, since it went back, it has again then.
const takeSessions = `WITH me AS (
  INSERT INTO node AS n (id, incarnation) VALUES ($16, $17)
  ON CONFLICT (id) DO UPDATE SET state = CASE WHEN n.incarnation = excluded.incarnation THEN n.state ELSE 'up' END, ` + beginLife + `
  WHERE ` + isHere + `
  RETURNING id, incarnation
), r AS (
  SELECT * FROM unnest(` + recordArrays + `, $13::bigint[], $14::bigint[], $15::bigint[]) AS r (` + recordGiven + `, epoch, first_seq, claimed)
), again AS (
  UPDATE session_log l SET node = me.id, incarnation = me.incarnation, lease = gen_random_uuid(), failover = r.failover
  FROM r, me WHERE l.id = r.id AND (l.node = me.id OR l.epoch <= r.claimed)
  RETURNING l.id, l.node, l.incarnation, l.lease, l.epoch, l.head, l.oldest
), registered AS (
  INSERT INTO session_log (id, node, incarnation, lease, epoch, began, head, oldest, failover)
  SELECT r.id, me.id, me.incarnation, gen_random_uuid(), r.epoch, r.first_seq, r.first_seq - 1, r.first_seq, r.failover FROM r, me
  ON CONFLICT (id) DO NOTHING
  RETURNING id, node, incarnation, lease, epoch, head, oldest
), epochs AS (
  INSERT INTO session_epoch (session_id, epoch, first_seq, lease, node, reason)
  SELECT id, epoch, oldest, lease, node, 'registered' FROM registered
), s AS (
  SELECT * FROM again UNION ALL SELECT * FROM registered
), records AS (
  INSERT INTO session (` + recordColumns + `)
  SELECT ` + recordValues + ` FROM r JOIN s USING (id)
  ON CONFLICT (id) DO UPDATE SET ` + recordChanges + `
)
SELECT ` + columns + ` FROM s`

func (c *client) Take(ctx context.Context, as core.Owner, sessions []core.Record) ([]core.Position, error) {
	ids := make([]string, len(sessions))
	var todo []core.Record
	seen := map[string]bool{}
	for i := range sessions {
		if r := &sessions[i]; r.Fits() {
			ids[i] = r.Session
			if !seen[r.Session] {
				seen[r.Session] = true
				todo = append(todo, r.Kept())
			}
		}
	}
	slices.SortFunc(todo, func(a, b core.Record) int { return cmp.Compare(a.Session, b.Session) })
	at := map[string]core.Position{}
	err := c.call(ctx, "take", func(ctx context.Context) error {
		var err error
		if as.IsLife() && len(todo) > 0 {
			rows, queryErr := c.pool.Query(ctx, takeSessions, takeArguments(as, todo)...)
			at, err = byID(rows, queryErr)
		}
		if err != nil || len(at) == len(todo) {
			return err
		}
		others, err := positions(ctx, c.pool, slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return at[id].Session != "" }))
		for id, p := range others {
			at[id] = p
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return inOrder(ids, at), nil
}

// inOrder gives positions in the order of ids; the zero value of what there is not.
func inOrder(ids []string, at map[string]core.Position) []core.Position {
	list := make([]core.Position, len(ids))
	for i, id := range ids {
		list[i] = at[id]
	}
	return list
}

func takeArguments(as core.Owner, records []core.Record) []any {
	var epochs, firsts, claimed []uint64
	for i := range records {
		epochs, firsts, claimed = append(epochs, records[i].Epoch), append(firsts, records[i].First), append(claimed, records[i].Claimed)
	}
	return append(recordArguments(records), epochs, firsts, claimed, core.Text(as.Node), as.Incarnation)
}
