package sqlcache

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	stdsync "sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tables are those of spec §10.3, and what is known of the lines of a session: their last number, their bytes with newlines, the CRC-32 of these, and
// when the session was opened last, in Unix ms.
const tables = `
CREATE TABLE IF NOT EXISTS sessions (session_id TEXT PRIMARY KEY, epoch INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS events (
  session_id TEXT NOT NULL, seq INTEGER NOT NULL, ts INTEGER NOT NULL, type TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (session_id, seq)
);
CREATE TABLE IF NOT EXISTS cached (
  session_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, length INTEGER NOT NULL, sum INTEGER NOT NULL, used INTEGER NOT NULL
);`

// Options of a Cache. The zero value is good.
type Options struct {
	Budget  int64            // bytes of all lines together, beyond which a store is cache.ErrFull; 0: 512 MiB. The database is larger than that
	Evicted func(id string)  // is told which session had to make room; nil: nobody
	Now     func() time.Time // for the order in which sessions are evicted; nil: time.Now
}

// Of a budget, a fraction or so many bytes are freed at once when room is needed.
const (
	defaultBudget = 512 << 20
	freedAtOnce   = 64 << 20
	freedFraction = 8
)

// ErrChanged is inside the error of a store when another program has written the session meanwhile.
var ErrChanged = errors.New("another program has written the session")

// Cache is a client.Cache in a database. Its methods are safe for concurrent use.
type Cache struct {
	db      *sql.DB
	options Options

	mu    stdsync.Mutex
	sizes map[string]int64 // bytes of the lines of each session of which something is stored
	sum   int64
	open  map[string]bool
}

var _ client.Cache = (*Cache)(nil)

// Open makes the tables where they are not there. The caller closes the database, behind the last use of the cache.
func Open(ctx context.Context, db *sql.DB, o Options) (*Cache, error) {
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Cache{db: db, options: o, sizes: map[string]int64{}, open: map[string]bool{}}
	if _, err := db.ExecContext(ctx, tables); err != nil {
		return nil, fmt.Errorf("sqlcache: %w", err)
	}
	// The sizes of what another program has stored, without a row in cached, are counted. That reads all of their lines.
	rows, err := db.QueryContext(ctx, `
SELECT session_id, length FROM cached WHERE session_id IN (SELECT session_id FROM events)
UNION ALL
SELECT session_id, sum(length(CAST(payload AS BLOB)) + 1) FROM events WHERE session_id NOT IN (SELECT session_id FROM cached) GROUP BY session_id
UNION ALL
SELECT session_id, 0 FROM sessions WHERE session_id NOT IN (SELECT session_id FROM events)`)
	if err != nil {
		return nil, fmt.Errorf("sqlcache: %w", err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		var length int64
		if err := rows.Scan(&id, &length); err != nil {
			return nil, fmt.Errorf("sqlcache: %w", err)
		}
		if protocol.ValidSessionID(id) {
			c.resize(id, length)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sqlcache: %w", err)
	}
	return c, nil
}

// Size is how many bytes the lines have.
func (c *Cache) Size() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sum
}

// Sessions gives the ids of the sessions of which something is stored, in order.
func (c *Cache) Sessions() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := make([]string, 0, len(c.sizes))
	for id := range c.sizes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Open opens a session, and reads what is stored of it. A session is open once at a time.
func (c *Cache) Open(id string) (client.CachedSession, sync.Open, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !protocol.ValidSessionID(id) || c.open[id] {
		return nil, sync.Open{}, fmt.Errorf("sqlcache: session %q is open already, or no session", id)
	}
	s := &session{cache: c, id: id}
	found, err := s.look(context.Background())
	if err != nil {
		return nil, sync.Open{}, fmt.Errorf("sqlcache: %w", err)
	}
	c.open[id] = true
	return s, found, nil
}

// Remove takes away what is stored of a session that is not open.
func (c *Cache) Remove(ctx context.Context, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !protocol.ValidSessionID(id) || c.open[id] {
		return fmt.Errorf("sqlcache: session %q is open, or no session", id)
	}
	return c.remove(ctx, id)
}

// evict takes away the sessions that were not open for longest, until it has freed an eighth of the budget, or 64 MiB, whichever is less.
func (c *Cache) evict(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	order, err := c.oldest(ctx)
	if err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	left := min(int64(freedAtOnce), c.options.Budget/freedFraction)
	for _, id := range order {
		size, is := c.sizes[id]
		if !is || c.open[id] {
			continue
		}
		if err := c.remove(ctx, id); err != nil {
			return err
		}
		if c.options.Evicted != nil {
			c.options.Evicted(id)
		}
		if left -= size; left <= 0 {
			break
		}
	}
	return nil
}

// oldest gives all sessions, the one first that was not open for longest. What another program has stored was never opened.
func (c *Cache) oldest(ctx context.Context) (order []string, err error) {
	rows, err := c.db.QueryContext(ctx, `
SELECT s.session_id FROM sessions s LEFT JOIN cached c ON c.session_id = s.session_id ORDER BY coalesce(c.used, 0), s.session_id`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		order = append(order, id)
	}
	return order, rows.Err()
}

// remove takes a session's rows away. With mu held.
func (c *Cache) remove(ctx context.Context, id string) error {
	err := c.change(ctx, func(tx *sql.Tx) error {
		for _, text := range []string{
			`DELETE FROM events WHERE session_id = ?`, `DELETE FROM cached WHERE session_id = ?`, `DELETE FROM sessions WHERE session_id = ?`,
		} {
			if _, err := tx.ExecContext(ctx, text, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		c.sum -= c.sizes[id]
		delete(c.sizes, id)
	}
	return err
}

// resize notes how many bytes the lines of a session have. With mu held.
func (c *Cache) resize(id string, size int64) {
	c.sum += size - c.sizes[id]
	c.sizes[id] = size
}

// change makes all of a change, or nothing.
func (c *Cache) change(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	if err := do(tx); err != nil {
		return fmt.Errorf("sqlcache: %w", errors.Join(err, tx.Rollback()))
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	return nil
}
