package cored

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestDatabaseIsNotAsItShouldBe: a database that a newer build has migrated, that may only be read, or whose disk is full, is told wherever people look, with
// what mends it; sessions go on meanwhile, and all that they said is sent once it is mended. The disk is full by what the database says (the real one is
// TestFullDatabase's).
//
// Proves: I16.F/told
func TestDatabaseIsNotAsItShouldBe(t *testing.T) {
	w := begin(t)
	for range 2 {
		w.create()
	}
	w.work()
	w.caughtUp()
	const leave = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
	for _, c := range []struct {
		is            string
		breaks, mends []string
		restarts      bool // it is seen by whoever comes
		problem, hint string
	}{
		{
			"newer",
			[]string{`INSERT INTO ringmaster_schema (version, build) VALUES (99, 'newer')`},
			[]string{`DELETE FROM ringmaster_schema WHERE version = 99`},
			true, "schema version 99", "newer build",
		},
		{
			"for readers",
			[]string{`ALTER DATABASE postgres SET default_transaction_read_only = on`, leave},
			[]string{`SET default_transaction_read_only = off`, `ALTER DATABASE postgres RESET default_transaction_read_only`, leave},
			false, "refuses", "primary",
		},
		{
			"full",
			[]string{
				`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
				`CREATE TRIGGER no_room BEFORE INSERT ON session_batch EXECUTE FUNCTION no_room()`,
			},
			[]string{`DROP TRIGGER no_room ON session_batch`, `DROP FUNCTION no_room`},
			false, "no room", "make room",
		},
	} {
		if c.restarts {
			w.daemon.Stop(patience)
		}
		pgtest.Exec(t, w.core, c.breaks...)
		if c.restarts {
			w.start()
		}
		w.work()
		var is *resource.CoreState
		w.until("the database is "+c.is, func() bool {
			is = w.coreState()
			return strings.Contains(is.Problem, c.problem)
		})
		if is.Up || !strings.Contains(is.Hint, c.hint) || is.Behind == 0 {
			t.Errorf("a database that is %s is told as %+v", c.is, is)
		}
		w.rest()
		pgtest.Exec(t, w.core, c.mends...)
		w.caughtUp()
	}
}

// coreState is what the daemon tells of Core.
func (w *world) coreState() *resource.CoreState {
	w.t.Helper()
	_, text := w.fetch("/ready")
	var ready resource.Readiness
	if err := json.Unmarshal(text, &ready); err != nil || ready.Core == nil {
		w.t.Fatalf("%v\n%s", err, text)
	}
	return ready.Core
}
