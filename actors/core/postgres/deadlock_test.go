package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestDeadlock has a statement of another program stand in a circle with an append: the database ends the append, which waits for less long. It is taken all the same.
func TestDeadlock(t *testing.T) {
	ctx, url := t.Context(), migrated(t)
	c := open(ctx, t, url+"&deadlock_timeout=4s") // until it looks for a circle, which is to be there by then
	ids := []string{"0199a7a0-0000-7000-8000-000000000001", "0199a7a0-0000-7000-8000-000000000002"}
	me := must(c.Join(ctx, "a"))
	var records []core.Record
	for _, id := range ids {
		records = append(records, core.Record{Session: id, Root: id, Agent: "pi", State: "idle", Workspace: "node:a", Created: time.Now(), Updated: time.Now()})
	}
	var batches []core.Batch
	for _, at := range must(c.Take(ctx, me, records)) {
		batches = append(batches, core.Batch{Session: at.Session, Lease: at.Lease, Stretch: store.Stretch{
			First: 1, Epoch: at.Epoch, Time: 1_700_000_000_000, Lines: []byte(`{"seq":1}` + "\n"), Sources: []store.Made{{Count: 1, Source: store.Source{Incarnation: 1, Batch: 1}}},
		}})
	}

	connect := func() *pgx.Conn {
		conn := must(pgx.Connect(ctx, url))
		t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(ctx)) })
		return conn
	}
	other, eye := connect(), connect()
	do := func(statement string, arguments ...any) {
		t.Helper()
		if _, err := other.Exec(ctx, statement, arguments...); err != nil {
			t.Error(err)
		}
	}
	waiting := func(many int) { // waits until so many stand before a row that is locked
		t.Helper()
		for n := 0; n != many; {
			if err := eye.QueryRow(ctx, "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.datname = current_database() "+
				"JOIN pg_stat_activity a ON a.pid = l.pid AND a.datid = d.oid WHERE NOT l.granted").Scan(&n); err != nil {
				t.Fatal(err)
			}
		}
	}
	const lock = "SELECT FROM session_log WHERE id = $1 FOR UPDATE"
	do("SET deadlock_timeout = '1min'") // it looks for circles later than the append, and is not the one that is ended
	do("BEGIN")
	do(lock, ids[1])
	answers := make(chan []core.Answer, 1)
	go func() {
		list, err := c.Append(ctx, batches)
		if err != nil {
			t.Error(err)
		}
		answers <- list
	}()
	waiting(1)
	do(lock, ids[0]) // until the append was ended
	do("COMMIT")
	for i, a := range <-answers {
		if !a.Taken {
			t.Errorf("batch %d: %+v", i, a)
		}
	}
	var deadlocks int
	for deadlocks == 0 { // the server tells its figures a moment later
		if err := eye.QueryRow(ctx, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&deadlocks); err != nil {
			t.Fatal(err)
		}
	}
}
