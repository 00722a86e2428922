package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// Options are what an operator may choose. What the URL says as well, it says with more weight.
type Options struct {
	Connections int32         // at most; 0: 4
	Connect     time.Duration // bounds the making of a connection; 0: 5 s
	// Password is asked for each connection, so that it can change while a Core is open; nil: the URL, or what libpq's files say, has it.
	Password func() (string, error)
	Use      *Use // counts the connections; nil: nobody does
}

// admit gives a connection its password.
func (o *Options) admit(_ context.Context, c *pgx.ConnConfig) (err error) {
	if o.Password != nil {
		c.Password, err = o.Password()
	}
	return err
}

// querier is a connection, a pool of them, or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// client is a Core on a database.
type client struct {
	archive
	pool    *pgxpool.Pool
	closing context.Context // done when Close begins
	close   context.CancelCauseFunc
	once    sync.Once
	uncount func()  // of its connections
	heard   servers // at which nodes have beaten
}

var _ core.Core = (*client)(nil)

var errClosed = errors.New("closed")

// transaction is how all of them begin: also where the database's default is another level, or to read only. Who falls silent inside one, as with the loss
// of its machine's power, would hold what it has locked for as long as the server's system believes in the connection, which may be hours; the session's owner
// would wait, and nobody could claim it.
var transaction = pgx.TxOptions{BeginQuery: `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL idle_in_transaction_session_timeout = '5s'`}

// Open connects to a database, and looks whether it can be worked with. Besides the errors of core.Core there are none; the context counts for the
// opening alone.
func Open(ctx context.Context, url string, options Options) (core.Core, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errAddress("open")
	}
	conn := config.ConnConfig
	if conn.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement && !strings.Contains(url, "default_query_exec_mode") {
		conn.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	}
	if conn.ConnectTimeout == 0 {
		conn.ConnectTimeout = cmp.Or(options.Connect, 5*time.Second)
	}
	if conn.RuntimeParams["application_name"] == "" {
		conn.RuntimeParams["application_name"] = "ringmaster"
	}
	if !strings.Contains(url, "pool_max_conns") {
		config.MaxConns = cmp.Or(options.Connections, 4)
	}
	config.BeforeConnect = options.admit
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, told("open", err)
	}
	c := &client{pool: pool, uncount: options.Use.add(pool)}
	c.archive = archive{c}
	c.closing, c.close = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := c.call(ctx, "open", c.check); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

const (
	readMode = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean`
	// readMissing names a right that is not there; no row: all are.
	readMissing = `SELECT r.privilege || ' on ' || t.name
  FROM unnest(ARRAY['node', 'session_log', 'session', 'session_epoch', 'session_batch', 'session_lost', 'session_gone',
    'session_segment', 'session_image', 'session_object', 'session_raw', 'credential']) t (name),
    unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) r (privilege)
  WHERE NOT has_table_privilege(t.name, r.privilege) LIMIT 1`
)

// check looks whether this build can work with the database.
func (c *client) check(ctx context.Context) error {
	if err := supported(ctx, c.pool); err != nil {
		return err
	}
	var have uint32
	if err := c.pool.QueryRow(ctx, readVersion).Scan(&have); err != nil {
		return err
	}
	if have != Version {
		return &core.SchemaError{Have: have, Want: Version}
	}
	var isReadOnly bool
	if err := c.pool.QueryRow(ctx, readMode).Scan(&isReadOnly); err != nil {
		return err
	}
	if isReadOnly {
		return &core.AccessError{Op: "open", Err: errors.New("the database may only be read"), Hint: hintReadOnly}
	}
	var missing string
	switch err := c.pool.QueryRow(ctx, readMissing).Scan(&missing); {
	case err == nil:
		return &core.AccessError{Op: "open", Err: fmt.Errorf("the user lacks the right to %s", missing), Hint: hintRights}
	case !errors.Is(err, pgx.ErrNoRows):
		return err
	}
	return nil
}

// Close ends calls first: the pool's own end waits for them.
func (c *client) Close() {
	c.once.Do(func() {
		c.close(errClosed)
		c.pool.Close()
		c.uncount()
	})
}

// deadlocks is how many in a row a call lives through. Each has taken deadlock_timeout of the server, a second by default.
const deadlocks = 3

// call runs what one call of the contract asks of the database, until its context ends or the Core is closed. Where the database has ended a statement, so that
// others in a circle of waiting go on, it has undone it as well: act is called again, which begins anew or goes on, and nobody takes the database for away.
func (c *client) call(ctx context.Context, op string, act func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.closing, func() { cancel(errClosed) })()
	err := act(ctx)
	for n := 0; n < deadlocks && isDeadlock(err); n++ {
		err = act(ctx)
	}
	return told(op, err)
}

// within is call for what needs a transaction.
func (c *client) within(ctx context.Context, op string, act func(ctx context.Context, tx pgx.Tx) error) error {
	return c.call(ctx, op, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, c.pool, transaction, func(tx pgx.Tx) error { return act(ctx, tx) })
	})
}
