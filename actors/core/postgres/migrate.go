package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Version is the schema version that this build works with.
var Version = uint32(len(steps))

// steps are the migrations in their order: the first one makes version 1.
var steps = readSteps()

func readSteps() (list []string) {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		panic(err) // they are in the program
	}
	for i, e := range entries { // by name
		if !strings.HasPrefix(e.Name(), fmt.Sprintf("%04d_", i+1)) {
			panic("migrations have a gap before " + e.Name())
		}
		text, err := migrations.ReadFile("migrations/" + e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, string(text))
	}
	return list
}

// Two that migrate at once share the row of version 0: who has locked it migrates, and the other finds the version that was made.
const (
	makeVersions = `CREATE TABLE IF NOT EXISTS ringmaster_schema (
  version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp(), build text NOT NULL)`
	firstVersion = `INSERT INTO ringmaster_schema (version, build) VALUES (0, $1) ON CONFLICT DO NOTHING`
	lockVersions = `SELECT FROM ringmaster_schema WHERE version = 0 FOR UPDATE`
	readVersion  = `SELECT coalesce(max(version), 0)::bigint FROM ringmaster_schema`
	noteVersion  = `INSERT INTO ringmaster_schema (version, build) VALUES ($1, $2)`
)

// Migrate brings a database to Version, each step in a transaction of its own. It may be called at any time, also by several at once; older builds that are
// at work meanwhile notice at their next start. The errors are those of core.Core.
func Migrate(ctx context.Context, url string, options Options) (from, to uint32, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return 0, 0, errAddress("migrate")
	}
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	if err := options.admit(ctx, config); err != nil {
		return 0, 0, told("migrate", err)
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return 0, 0, told("migrate", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // all that counts was committed
	from, to, err = migrate(ctx, conn)
	return from, to, told("migrate", err)
}

func migrate(ctx context.Context, conn *pgx.Conn) (from, to uint32, err error) {
	if err := supported(ctx, conn); err != nil {
		return 0, 0, err
	}
	var refused *pgconn.PgError
	err = conn.QueryRow(ctx, readVersion).Scan(&from)
	isEmpty := errors.As(err, &refused) && refused.Code == undefinedTable
	if err != nil && !isEmpty {
		return 0, 0, err
	}
	if from < Version { // else it may be asked by a user who can make no tables
		if err := begin(ctx, conn); err != nil {
			return from, from, err
		}
	}
	for to = from; to < Version; {
		if to, err = step(ctx, conn); err != nil {
			return from, to, err
		}
	}
	if to > Version {
		return from, to, &core.SchemaError{Have: to, Want: Version}
	}
	return from, to, nil
}

// begin makes the table of versions. Several that do may trip over one another, of which PostgreSQL tells in several ways, and later see that it is there.
func begin(ctx context.Context, conn *pgx.Conn) error {
	var err error
	for range 10 {
		if _, err = conn.Exec(ctx, makeVersions); err == nil {
			if _, err = conn.Exec(ctx, firstVersion, build()); err == nil {
				return nil
			}
		}
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != uniqueViolation && refused.Code != duplicateTable && refused.Code != duplicateObject {
			return err
		}
	}
	return err
}

// step makes the next version, where another process has not, and gives the one that there is then.
func step(ctx context.Context, conn *pgx.Conn) (version uint32, err error) {
	err = pgx.BeginTxFunc(ctx, conn, transaction, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockVersions); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, readVersion).Scan(&version); err != nil || version >= Version {
			return err
		}
		// The simple protocol: it takes many statements.
		if _, err := conn.PgConn().Exec(ctx, steps[version]).ReadAll(); err != nil {
			return fmt.Errorf("version %d: %w", version+1, err)
		}
		version++
		_, err := tx.Exec(ctx, noteVersion, version, build())
		return err
	})
	return version, err
}

// oldest is the first version of PostgreSQL that can choose a column's compression.
const oldest = 14

// supported refuses a server that is too old.
func supported(ctx context.Context, q querier) error {
	var number int
	if err := q.QueryRow(ctx, `SELECT current_setting('server_version_num')::bigint`).Scan(&number); err != nil {
		return err
	}
	if number/10000 < oldest {
		return &core.AccessError{
			Op: "open", Err: fmt.Errorf("the server is PostgreSQL %d", number/10000),
			Hint: "Core needs PostgreSQL " + strconv.Itoa(oldest) + " or newer",
		}
	}
	return nil
}

// build names this program in the table of versions.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	name := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			name += " " + s.Value
		}
	}
	return core.Text(name)
}
