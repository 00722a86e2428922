package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// What the two statements that write records share; each has further arguments behind these. The last one is kept beside the position, where claims look at it.
const (
	recordColumns = `id, root, parent, agent, owner, state, workspace, created, updated, labels, told`
	recordGiven   = recordColumns + `, failover`
	recordArrays  = `$1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::timestamptz[], $9::timestamptz[], $10::text[], $11::bytea[], $12::text[]`
	recordValues  = `r.id, r.root, r.parent, r.agent, r.owner, r.state, r.workspace, r.created, r.updated, r.labels::jsonb, r.told`
	recordChanges = `root = excluded.root, parent = excluded.parent, agent = excluded.agent, owner = excluded.owner, state = excluded.state,
    workspace = excluded.workspace, created = excluded.created, updated = excluded.updated, labels = excluded.labels, told = excluded.told,
    noted = clock_timestamp()`
)

// noteRecords writes the rows that say whose the sessions are, and so has them locked: what an owner says that was fenced meanwhile does not replace what its
// successor says. Each of them has a record already.
const noteRecords = `WITH r AS (
  SELECT * FROM unnest(` + recordArrays + `, $13::uuid[]) AS r (` + recordGiven + `, lease)
), s AS (
  UPDATE session_log l SET failover = r.failover FROM r WHERE l.id = r.id AND l.lease = r.lease
  RETURNING l.id, l.lease
)
INSERT INTO session (` + recordColumns + `)
SELECT ` + recordValues + ` FROM r JOIN s ON s.id = r.id AND s.lease = r.lease
ON CONFLICT (id) DO UPDATE SET ` + recordChanges

// toldColumns are a record's, of a row r of session and a row s as columns has it.
const toldColumns = `r.root::text, coalesce(r.parent::text, ''), r.agent, r.owner, r.state, r.workspace, r.created, r.updated,
  r.labels::text, r.told, s.failover`

// record scans columns and toldColumns, and further ones.
func record(row pgx.Row, p *core.Position, more ...any) (r core.Record, err error) {
	var labels string
	err = row.Scan(append(append(into(p), &r.Root, &r.Parent, &r.Agent, &r.Owner, &r.State, &r.Workspace, &r.Created, &r.Updated,
		&labels, &r.Told, &r.Failover), more...)...)
	if err == nil {
		err = json.Unmarshal([]byte(labels), &r.Labels)
	}
	r.Session, r.Created, r.Updated = p.Session, r.Created.UTC(), r.Updated.UTC()
	return r, err
}

// recordArguments are records, that are as Kept gives them, for recordArrays.
func recordArguments(records []core.Record) []any {
	var id, root, parent []pgtype.UUID
	var agent, owner, state, workspace, labels, failover []string
	var created, updated []time.Time
	var told [][]byte
	for i := range records {
		r := &records[i]
		id, root, parent = append(id, key(r.Session)), append(root, key(r.Root)), append(parent, key(r.Parent))
		agent, owner, state, workspace = append(agent, r.Agent), append(owner, r.Owner), append(state, r.State), append(workspace, r.Workspace)
		created, updated = append(created, r.Created), append(updated, r.Updated)
		text, _ := json.Marshal(r.Labels) //nolint:errchkjson // a map of texts
		labels = append(labels, string(text))
		told = append(told, append([]byte{}, r.Told...)) // not null
		failover = append(failover, string(r.Failover))
	}
	return []any{id, root, parent, agent, owner, state, workspace, created, updated, labels, told, failover}
}

func (c *client) Note(ctx context.Context, notes []core.Note) error {
	type one struct{ session, lease string }
	last := map[one]int{}
	for i := range notes {
		last[one{notes[i].Session, string(notes[i].Lease)}] = i
	}
	var leases []pgtype.UUID
	var records []core.Record
	for i := range notes {
		n := &notes[i]
		lease := key(string(n.Lease))
		if last[one{n.Session, string(n.Lease)}] == i && lease.Valid && key(n.Session).Valid {
			leases, records = append(leases, lease), append(records, n.Kept())
		}
	}
	if len(records) == 0 {
		return nil
	}
	return c.call(ctx, "note", func(ctx context.Context) error {
		_, err := c.pool.Exec(ctx, noteRecords, append(recordArguments(records), leases)...)
		return err
	})
}
