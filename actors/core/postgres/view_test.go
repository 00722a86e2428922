package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// The view and the function that people read with show every line, whatever is in others.
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
}
