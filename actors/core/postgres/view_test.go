package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold/coldtest"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestEventsForPeople: the view and the function that people read with show every line, whatever is in others. Behind events that went into an object store the
// function shows what follows, and of those themselves it says that they did.
//
// Proves: 002.9.2, I16.3/people
func TestEventsForPeople(t *testing.T) {
	url := migrated(t)
	c := open(t.Context(), t, url)
	p := registered(t, c, id)[0]
	for _, l := range []string{
		"{\"seq\":1,\"ts\":5,\"type\":\"entry.delta\",\"text\":\"\\u0000\"}\n{\"seq\":2,\"ts\":6,\"type\":\"note\"}\n", "{\"seq\":3,\xff\x00}\n", "\n",
	} {
		n := 1
		if l[0] == '{' && l[7] == '1' {
			n = 2
		}
		st := store.Stretch{First: p.Head + 1, Epoch: 1, Sources: []store.Made{{Count: n}}, Lines: []byte(l)}
		p = taken(t.Context(), t, c, p, st)
	}
	conn := must(pgx.Connect(t.Context(), url))
	defer func() { _ = conn.Close(t.Context()) }()
	type event struct {
		Seq  int64
		Type string
	}
	for query, want := range map[string][]event{
		`SELECT seq, coalesce(type, '') FROM session_events WHERE session_id = $1 ORDER BY seq`: {{1, "entry.delta"}, {2, "note"}, {3, ""}, {4, ""}},
		`SELECT seq, coalesce(type, '') FROM session_events_since($1, 1)`:                       {{2, "note"}, {3, ""}, {4, ""}},
		`SELECT seq, coalesce(type, '') FROM session_events_since($1, 4)`:                       nil,
	} {
		rows, err := conn.Query(t.Context(), query, id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pgx.CollectRows(rows, pgx.RowToStructByPos[event])
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s: %v, %v", query, got, err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	}

	var moved atomic.Int64
	mover := coldtest.Eager(opened(t, url, postgres.Options{}), new(memory.Place).Store(), &moved)
	defer mover.Close()
	for moved.Load() == 0 {
		p = taken(t.Context(), t, mover, p, store.Stretch{First: p.Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: []byte("{}\n")})
	}
	var cold int64
	if err := conn.QueryRow(t.Context(), `SELECT cold FROM session_log WHERE id = $1`, id).Scan(&cold); err != nil || cold == 0 {
		t.Fatal(cold, err)
	}
	count := func(since int64) (n int64, err error) {
		err = conn.QueryRow(t.Context(), `SELECT count(*) FROM session_events_since($1, $2)`, id, since).Scan(&n)
		return n, err
	}
	if n, err := count(cold); err != nil || n != int64(p.Head)-cold {
		t.Errorf("behind event %d of %d there are %d, %v", cold, p.Head, n, err)
	}
	var told *pgconn.PgError
	if n, err := count(cold - 1); !errors.As(err, &told) || !strings.Contains(told.Message, fmt.Sprintf("up to %d ", cold)) || told.Hint == "" {
		t.Errorf("of events up to %d in objects the database tells %d, %v", cold, n, err)
	}
}
