package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
)

// refused expects that a database cannot be opened, with an error of a type that tells no password.
func refused[E error](t *testing.T, address string) (is E) {
	t.Helper()
	c, err := postgres.Open(t.Context(), address, postgres.Options{Connect: 30 * time.Second})
	if err == nil {
		c.Close()
	}
	if !errors.As(err, &is) {
		t.Fatalf("the error is %v, want a %T", err, is)
	}
	if strings.Contains(err.Error(), pgtest.Password) {
		t.Errorf("a password is told: %v", err)
	}
	return is
}

// TestSchemaVersions: tables that there are none of, and tables of an older build or a newer one, are told apart, and never worked with.
//
// Proves: I16.F/schema
func TestSchemaVersions(t *testing.T) {
	address := pgtest.Database(t)
	none := core.SchemaError{Want: postgres.Version}
	if is := refused[*core.SchemaError](t, address); *is != none {
		t.Errorf("of an empty database it says %v", is)
	}
	from, to, err := postgres.Migrate(t.Context(), address, postgres.Options{})
	if from != 0 || to != postgres.Version || err != nil {
		t.Fatalf("migrated from %d to %d, %v", from, to, err)
	}
	open(t.Context(), t, address)
	from, to, err = postgres.Migrate(t.Context(), address, postgres.Options{})
	if from != postgres.Version || to != from || err != nil {
		t.Errorf("migrated again from %d to %d, %v", from, to, err)
	}
	pgtest.Exec(t, address, `INSERT INTO ringmaster_schema (version, build) VALUES (99, 'newer')`)
	newer := core.SchemaError{Have: 99, Want: postgres.Version}
	if is := refused[*core.SchemaError](t, address); *is != newer {
		t.Errorf("of a newer database it says %v", is)
	}
	var is *core.SchemaError
	if from, to, err := postgres.Migrate(t.Context(), address, postgres.Options{}); !errors.As(err, &is) || *is != newer || from != 99 || to != 99 {
		t.Errorf("migrated a newer one from %d to %d, %v", from, to, err)
	}
	pgtest.Exec(t, address, `DELETE FROM ringmaster_schema WHERE version > 0`)
	if is := refused[*core.SchemaError](t, address); *is != none {
		t.Errorf("of an older database it says %v", is)
	}
	pgtest.Exec(t, address, `INSERT INTO ringmaster_schema (version, build) VALUES (1, '')`)
	if is := refused[*core.SchemaError](t, address); *is != (core.SchemaError{Have: 1, Want: postgres.Version}) {
		t.Errorf("of the first version it says %v", is)
	}
	pgtest.Exec(t, address, `INSERT INTO ringmaster_schema (version, build) SELECT n, '' FROM generate_series(2, `+fmt.Sprint(postgres.Version)+`) n`,
		`DROP TABLE session_lost`)
	if is := refused[*core.SchemaError](t, address); *is != none {
		t.Errorf("without a table it says %v", is)
	}
}

func TestSeveralMigrateAtOnce(t *testing.T) {
	address := pgtest.Database(t)
	var all sync.WaitGroup
	begun := make(chan struct{})
	for range 8 {
		all.Go(func() {
			<-begun
			if _, to, err := postgres.Migrate(t.Context(), address, postgres.Options{}); err != nil || to != postgres.Version {
				t.Errorf("migrated to %d, %v", to, err)
			}
		})
	}
	close(begun)
	all.Wait()
	open(t.Context(), t, address)
}

// TestRefusals: a database that cannot be used is told with what mends it.
//
// Proves: I16.F/rights
func TestRefusals(t *testing.T) {
	address := migrated(t)
	hint := func(is *core.AccessError, words string) {
		t.Helper()
		if !strings.Contains(is.Hint, words) {
			t.Errorf("%v: the hint is %q, want %q in it", is.Err, is.Hint, words)
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	missing := *u
	missing.Path = "/nowhere"
	hint(refused[*core.AccessError](t, missing.String()), "make the database")
	if _, _, err := postgres.Migrate(t.Context(), missing.String(), postgres.Options{}); !errors.As(err, new(*core.AccessError)) {
		t.Errorf("a database that is not there is migrated with %v", err)
	}

	if os.Getenv(pgtest.Env) == "" { // whose rules for passwords are known
		pgtest.Exec(t, address, "CREATE ROLE "+pgtest.Locked+" LOGIN PASSWORD '"+pgtest.Password+"'")
		t.Cleanup(func() { pgtest.Exec(t, address, "DROP OWNED BY "+pgtest.Locked, "DROP ROLE "+pgtest.Locked) })
		locked := *u
		for _, password := range []string{"", pgtest.Password + "-no"} {
			locked.User = url.UserPassword(pgtest.Locked, password)
			hint(refused[*core.AccessError](t, locked.String()), "password")
		}
		locked.User = url.UserPassword(pgtest.Locked, pgtest.Password)
		hint(refused[*core.AccessError](t, locked.String()), "GRANT")
		tables := "ringmaster_schema, node, session_log, session, session_epoch, session_batch"
		pgtest.Exec(t, address, "GRANT SELECT, INSERT, UPDATE, DELETE ON "+tables+" TO "+pgtest.Locked)
		if is := refused[*core.AccessError](t, locked.String()); !strings.Contains(is.Err.Error(), "session_lost") {
			t.Errorf("the missing right is told as %v", is)
		}
		tables = "session_lost, session_gone, session_segment, session_image, session_object, session_raw, credential"
		pgtest.Exec(t, address, "GRANT SELECT, INSERT, UPDATE, DELETE ON "+tables+" TO "+pgtest.Locked)
		open(t.Context(), t, locked.String()).Close()
		if _, _, err := postgres.Migrate(t.Context(), locked.String(), postgres.Options{}); err != nil {
			t.Errorf("with nothing to do, a user without rights migrates with %v", err)
		}
	}

	readOnly := *u
	readOnly.RawQuery += "&default_transaction_read_only=on"
	hint(refused[*core.AccessError](t, readOnly.String()), "primary")
}

// A database that becomes read-only under way, as a primary that was demoted does, is told as such.
func TestReadOnlyUnderWay(t *testing.T) {
	address := migrated(t)
	c := open(t.Context(), t, address+"&pool_max_conn_lifetime=1ms&pool_max_conn_lifetime_jitter=0s")
	name := strings.TrimPrefix(must(url.Parse(address)).Path, "/")
	pgtest.Exec(t, address, "ALTER DATABASE "+name+" SET default_transaction_read_only = on")
	for range 1000 { // a connection from before may be used once more
		_, err := c.Join(t.Context(), "a")
		if is := new(core.AccessError); errors.As(err, &is) {
			if !strings.Contains(is.Hint, "primary") {
				t.Errorf("the hint is %q", is.Hint)
			}
			return
		}
	}
	t.Error("it is not told")
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A password is in no error, however its URL is spelt; no database is needed for that.
func TestPasswordsAreNotTold(t *testing.T) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	nobody := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	const secret = pgtest.Password
	for _, address := range []string{
		"postgres://user:" + secret + "@" + nobody + "/db",
		"postgresql://user:" + secret + "@" + nobody + "/db?sslmode=disable&connect_timeout=1",
		"host=127.0.0.1 port=" + nobody[strings.LastIndexByte(nobody, ':')+1:] + " user=u password=" + secret,
	} {
		refused[*core.AwayError](t, address)
		if _, _, err := postgres.Migrate(t.Context(), address, postgres.Options{}); !errors.As(err, new(*core.AwayError)) || strings.Contains(err.Error(), secret) {
			t.Errorf("migrated with %v", err)
		}
	}
	for _, address := range []string{
		"postgres://user:%zz" + secret + "@" + nobody + "/db", "postgres://user:x/" + secret + "@" + nobody + "/db", "postgres://user:" + secret + "@host:port/db",
		"postgres://user:" + secret + " x@" + nobody + "/db?sslmode=never", "password=" + secret + "' port=x", "password='" + secret, "postgres//user:" + secret + "@h/db",
		"postgres://user:" + secret + "@" + nobody + "/db?pool_max_conns=" + secret,
	} {
		if is := refused[*core.AccessError](t, address); is.Hint == "" {
			t.Errorf("%v has no hint", is)
		}
		if _, _, err := postgres.Migrate(t.Context(), address, postgres.Options{}); err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("migrated with %v", err)
		}
	}
}

// A database that takes connections and says nothing is away when the context ends.
func TestSilentDatabase(t *testing.T) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer func() { _ = l.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := postgres.Open(ctx, "postgres://user:x@"+l.Addr().String()+"/db?sslmode=disable", postgres.Options{})
	if !errors.As(err, new(*core.AwayError)) {
		t.Errorf("the error is %v", err)
	}
}
