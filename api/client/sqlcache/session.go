package sqlcache

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// session is what is stored of one session. Its newest is what counts now; the zero value where nothing does.
type session struct {
	cache  *Cache
	id     string
	newest sync.Index
	noted  bool  // cached has a row of it
	stuck  error // a drop that failed: nothing may be stored over what is still there
}

var errClosed = errors.New("sqlcache: the session was closed")

// look measures what is stored, and decides nothing. A session of which nobody has noted a checksum, as another program leaves it that knows the tables of
// the spec alone, is taken for what it is as long as its numbers have no gap. With the cache's lock.
func (s *session) look(ctx context.Context) (sync.Open, error) {
	found := sync.Open{Cached: true}
	var epoch uint64
	err := s.cache.db.QueryRowContext(ctx, `SELECT epoch FROM sessions WHERE session_id = ?`, s.id).Scan(&epoch)
	known := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	run, err := s.measure(ctx, &found.File, protocol.MaxSeq)
	if err != nil {
		return found, err
	}
	x := sync.Index{Epoch: epoch, Seq: found.File.Seq, Length: found.File.Length, Sum: found.File.Sum}
	var noted sync.Index
	err = s.cache.db.QueryRowContext(ctx, `SELECT seq, length, sum FROM cached WHERE session_id = ?`, s.id).Scan(&noted.Seq, &noted.Length, &noted.Sum)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	if s.noted = err == nil; s.noted && noted.Seq >= x.Seq { // less: another program has stored on
		x.Seq, x.Length, x.Sum = noted.Seq, noted.Length, noted.Sum
	}
	if !known || x.Epoch == 0 || x.Seq == 0 {
		return found, nil
	}
	found.File.Whole = run
	s.newest, found.Index = x, &x
	_, err = s.cache.db.ExecContext(ctx, `UPDATE cached SET used = ? WHERE session_id = ?`, s.cache.options.Now().UnixMilli(), s.id)
	return found, err
}

// measure reads the lines of the session up to a number; run says that their numbers follow each other.
func (s *session) measure(ctx context.Context, f *sync.File, last uint64) (run bool, err error) {
	rows, err := s.cache.db.QueryContext(ctx, `SELECT seq, payload FROM events WHERE session_id = ? AND seq <= ? ORDER BY seq`, s.id, last)
	if err != nil {
		return false, err
	}
	defer func() { _ = rows.Close() }()
	run = true
	for rows.Next() {
		var seq uint64
		var line sql.RawBytes
		if err := rows.Scan(&seq, &line); err != nil {
			return false, err
		}
		run = run && (f.Length == 0 || seq == f.Seq+1)
		f.Seq = seq
		f.Length += int64(len(line)) + 1
		f.Sum = crc32.Update(crc32.Update(f.Sum, crc32.IEEETable, line), crc32.IEEETable, newline)
	}
	return run, rows.Err()
}

var newline = []byte{'\n'}

// Close lets go of the session.
func (s *session) Close() {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	if s.stuck != errClosed { //nolint:errorlint // it is never wrapped
		s.stuck = errClosed
		delete(s.cache.open, s.id)
	}
}

// Do carries out an effect on the cache. Nothing is ever left behind the index, and there are no checkpoints, so that there is nothing to cut.
func (s *session) Do(e sync.CacheEffect) error {
	ctx := context.Background()
	switch e := e.(type) {
	case sync.Store:
		return s.store(ctx, e)
	case sync.Rewind:
		return s.rewind(ctx, e)
	case sync.Drop:
		return s.drop(ctx)
	case sync.Evict:
		return s.cache.evict(ctx)
	case sync.Cut, sync.DropCheckpoint, sync.Read, sync.Save:
	}
	return nil
}

// store writes lines and what is known of them in one transaction.
func (s *session) store(ctx context.Context, e sync.Store) error {
	if s.stuck != nil {
		return s.stuck
	}
	next := sync.Index{Epoch: e.At.Epoch, Seq: e.At.Seq, Length: s.newest.Length, Sum: s.newest.Sum}
	for _, line := range e.Lines {
		next.Length += int64(len(line)) + 1
		next.Sum = crc32.Update(crc32.Update(next.Sum, crc32.IEEETable, line), crc32.IEEETable, newline)
	}
	c := s.cache
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sum+next.Length-c.sizes[s.id] > c.options.Budget {
		return cache.ErrFull
	}
	err := c.change(ctx, func(tx *sql.Tx) error {
		if err := s.note(ctx, tx, next); err != nil {
			return err
		}
		return s.insert(ctx, tx, e)
	})
	if err != nil {
		return err
	}
	s.newest, s.noted = next, true
	c.resize(s.id, next.Length)
	return nil
}

// note writes what is known of the lines, unless they are not those any more that this session has seen.
func (s *session) note(ctx context.Context, tx *sql.Tx, next sync.Index) error {
	used := s.cache.options.Now().UnixMilli()
	var done sql.Result
	var err error
	if s.noted {
		done, err = tx.ExecContext(ctx, `UPDATE cached SET seq = ?, length = ?, sum = ?, used = ? WHERE session_id = ?
  AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = ? AND seq > ?) AND EXISTS (SELECT 1 FROM events WHERE session_id = ? AND seq = ?)`,
			next.Seq, next.Length, next.Sum, used, s.id, s.id, s.newest.Seq, s.id, s.newest.Seq)
	} else {
		done, err = tx.ExecContext(ctx, `INSERT INTO cached (session_id, seq, length, sum, used) SELECT ?, ?, ?, ?, ?
  WHERE coalesce((SELECT max(seq) FROM events WHERE session_id = ?), 0) = ? ON CONFLICT DO NOTHING`,
			s.id, next.Seq, next.Length, next.Sum, used, s.id, s.newest.Seq)
	}
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n != 1 {
		return errors.Join(ErrChanged, err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO sessions (session_id, epoch) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE SET epoch = excluded.epoch`,
		s.id, next.Epoch)
	return err
}

// insert writes lines. A line that this build cannot decode is stored like any other.
func (s *session) insert(ctx context.Context, tx *sql.Tx, e sync.Store) error {
	into, err := tx.PrepareContext(ctx, `INSERT INTO events (session_id, seq, ts, type, payload) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = into.Close() }()
	for i, line := range e.Lines {
		var head struct {
			TS   int64  `json:"ts"`
			Type string `json:"type"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return fmt.Errorf("line %d of %d: %w", i+1, len(e.Lines), err)
		}
		seq := e.At.Seq - uint64(len(e.Lines)-1-i)
		if _, err := into.ExecContext(ctx, s.id, seq, head.TS, head.Type, string(line)); err != nil {
			return err
		}
	}
	return nil
}

// drop takes everything away.
func (s *session) drop(ctx context.Context) error {
	if s.stuck == errClosed { //nolint:errorlint // it is never wrapped
		return s.stuck
	}
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	s.newest, s.noted = sync.Index{}, false
	s.stuck = s.cache.remove(ctx, s.id)
	return s.stuck
}

// Lines goes through the stored lines that a Read is about, up to the last one or the first error.
func (s *session) Lines(r sync.Read) iter.Seq2[cache.Line, error] {
	return func(yield func(cache.Line, error) bool) {
		if err := s.lines(context.Background(), r, yield); err != nil {
			yield(cache.Line{}, err)
		}
	}
}

func (s *session) lines(ctx context.Context, r sync.Read, yield func(cache.Line, error) bool) error {
	rows, err := s.cache.db.QueryContext(ctx, `SELECT seq, payload FROM events WHERE session_id = ? AND seq > ? ORDER BY seq`, s.id, r.After)
	if err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	defer func() { _ = rows.Close() }()
	last := r.After
	for rows.Next() {
		var seq uint64
		var line sql.RawBytes
		if err := rows.Scan(&seq, &line); err != nil {
			return fmt.Errorf("sqlcache: %w", err)
		}
		e, err := protocol.Decode(line)
		if err != nil {
			return fmt.Errorf("%w: the line %d: %w", cache.ErrUnreadable, seq, err)
		}
		if e.Seq != seq || last > 0 && seq != last+1 {
			return fmt.Errorf("%w: the number %d is in the row %d behind %d", cache.ErrUnreadable, e.Seq, seq, last)
		}
		last = seq
		if !yield(cache.Line{Event: e, Bytes: line}, nil) {
			return nil
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("sqlcache: %w", err)
	}
	if last != s.newest.Seq {
		return fmt.Errorf("%w: they end with the number %d, not with %d", cache.ErrUnreadable, last, s.newest.Seq)
	}
	return nil
}
