// Package sqlitetest has the tests of sqlcache, which need a driver of SQLite: a module of its own, so that the project depends on none. tools/sqlcache.sh runs them.
package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sqlcache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	one = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"
	two = "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0b"
)

// database opens a database in a folder, as a program would.
func database(t testing.TB, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "cache.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func opened(t testing.TB, db *sql.DB, o sqlcache.Options) *sqlcache.Cache {
	t.Helper()
	c, err := sqlcache.Open(t.Context(), db, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func line(seq uint64) []byte {
	return fmt.Appendf(nil, `{"seq":%d,"ts":%d,"type":"model","text":"é%d"}`, seq, 1000+seq, seq)
}

// store is the effect of lines from one number to another.
func store(epoch, from, to uint64) sync.Store {
	e := sync.Store{At: protocol.Cursor{Epoch: epoch, Seq: to}}
	for seq := from; seq <= to; seq++ {
		e.Lines = append(e.Lines, line(seq))
	}
	return e
}

// kept is a session that was opened, with what the machine makes of what was found.
type kept struct {
	client.CachedSession
	machine sync.State
	dropped bool
	seqs    []uint64
}

func keep(t testing.TB, c *sqlcache.Cache, id string) *kept {
	t.Helper()
	s, found, err := c.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{CachedSession: s}
	for _, e := range slices.Clone(k.machine.Step(found, 0)) {
		switch e := e.(type) {
		case sync.Drop:
			k.dropped = true
			k.must(t, e)
		case sync.Read:
			for l, err := range s.Lines(e) {
				if err != nil {
					t.Fatal(err)
				}
				if string(l.Bytes) != string(line(l.Event.Seq)) {
					t.Errorf("line %d is %s", l.Event.Seq, l.Bytes)
				}
				k.seqs = append(k.seqs, l.Event.Seq)
			}
		}
	}
	return k
}

func (k *kept) must(t testing.TB, e sync.CacheEffect) {
	t.Helper()
	if err := k.Do(e); err != nil {
		t.Fatalf("%T: %v", e, err)
	}
}

func run(from, to uint64) (list []uint64) {
	for seq := from; seq <= to; seq++ {
		list = append(list, seq)
	}
	return list
}

// TestStoresAreReadAgain, by the same program and by the next one, from a number behind retention too, and a drop takes everything.
func TestStoresAreReadAgain(t *testing.T) {
	dir := t.TempDir()
	db := database(t, dir)
	c := opened(t, db, sqlcache.Options{})
	k := keep(t, c, one)
	if k.dropped || len(k.seqs) > 0 || len(c.Sessions()) > 0 {
		t.Errorf("an empty database has %+v", k)
	}
	k.must(t, store(3, 5, 9))
	k.must(t, store(3, 10, 10))
	if _, _, err := c.Open(one); err == nil {
		t.Error("a session was opened twice")
	}
	k.Close()
	if err := k.Do(store(3, 11, 11)); err == nil {
		t.Error("a closed session takes lines")
	}
	if k = keep(t, c, one); !slices.Equal(k.seqs, run(5, 10)) || k.machine.At() != (protocol.Cursor{Epoch: 3, Seq: 10}) {
		t.Errorf("%v at %v", k.seqs, k.machine.At())
	}
	k.must(t, store(3, 11, 12))
	k.Close()
	_ = db.Close()

	c = opened(t, database(t, dir), sqlcache.Options{})
	if got := c.Sessions(); !slices.Equal(got, []string{one}) {
		t.Errorf("%v", got)
	}
	if k = keep(t, c, one); !slices.Equal(k.seqs, run(5, 12)) {
		t.Errorf("%v", k.seqs)
	}
	size := c.Size()
	k.must(t, sync.Drop{})
	if c.Size() != 0 || size == 0 || len(c.Sessions()) > 0 {
		t.Errorf("%d of %d bytes are left, %v", c.Size(), size, c.Sessions())
	}
	k.must(t, store(4, 1, 2))
	k.Close()
	if k = keep(t, c, one); !slices.Equal(k.seqs, run(1, 2)) || k.machine.At().Epoch != 4 {
		t.Errorf("%v at %v", k.seqs, k.machine.At())
	}
}

// TestDamageIsNotShown: whatever was changed in the rows of a session, nothing of it is shown, and it is read again.
func TestDamageIsNotShown(t *testing.T) {
	for name, damage := range map[string]string{
		"a text that was changed":    `UPDATE events SET payload = replace(payload, 'é2', 'è2') WHERE seq = 2`,
		"a line in the middle":       `DELETE FROM events WHERE seq = 2`,
		"the last line":              `DELETE FROM events WHERE seq = 4`,
		"the first line":             `DELETE FROM events WHERE seq = 1`,
		"all lines":                  `DELETE FROM events`,
		"the session":                `DELETE FROM sessions`,
		"a gap without a checksum":   `DELETE FROM cached; DELETE FROM events WHERE seq = 3`,
		"an epoch that is none":      `UPDATE sessions SET epoch = 0`,
		"a checksum":                 `UPDATE cached SET sum = sum + 1`,
		"a line that was put behind": `INSERT INTO events SELECT session_id, 9, ts, type, payload FROM events WHERE seq = 4`,
	} {
		t.Run(name, func(t *testing.T) {
			db := database(t, t.TempDir())
			c := opened(t, db, sqlcache.Options{})
			k := keep(t, c, one)
			k.must(t, store(1, 1, 4))
			k.Close()
			if _, err := db.Exec(damage); err != nil {
				t.Fatal(err)
			}
			c = opened(t, db, sqlcache.Options{})
			if k = keep(t, c, one); !k.dropped || len(k.seqs) > 0 || !k.machine.At().Start() {
				t.Errorf("dropped %v, shown %v at %v", k.dropped, k.seqs, k.machine.At())
			}
			k.must(t, store(2, 1, 1))
			k.Close()
			if k = keep(t, c, one); !slices.Equal(k.seqs, run(1, 1)) {
				t.Errorf("then %v", k.seqs)
			}
		})
	}
}

// TestTablesOfTheSpec: what another program has stored by the tables of the spec alone is gone on with.
func TestTablesOfTheSpec(t *testing.T) {
	db := database(t, t.TempDir())
	c := opened(t, db, sqlcache.Options{})
	for seq := uint64(1); seq <= 3; seq++ {
		if _, err := db.Exec(`INSERT OR IGNORE INTO events VALUES (?, ?, ?, 'model', ?)`, one, seq, 1000+seq, string(line(seq))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(`INSERT INTO sessions VALUES (?, 7)`, one); err != nil {
		t.Fatal(err)
	}
	c = opened(t, db, sqlcache.Options{})
	k := keep(t, c, one)
	if k.dropped || !slices.Equal(k.seqs, run(1, 3)) || c.Size() == 0 {
		t.Fatalf("%v", k.seqs)
	}
	k.must(t, store(7, 4, 5))
	k.Close()
	var types, count int
	if err := db.QueryRow(`SELECT count(*), sum(type = 'model' AND ts = 1000 + seq) FROM events WHERE session_id = ? AND seq > 3`, one).Scan(&count, &types); err != nil || count != 2 || types != 2 {
		t.Errorf("%d rows, %d right, %v", count, types, err)
	}
	if _, err := db.Exec(`INSERT INTO events VALUES (?, 6, 1006, 'model', ?)`, one, string(line(6))); err != nil {
		t.Fatal(err)
	}
	if k = keep(t, c, one); !slices.Equal(k.seqs, run(1, 6)) {
		t.Errorf("%v", k.seqs)
	}
}

// TestTwoPrograms: what another one has written meanwhile is neither doubled nor lost.
func TestTwoPrograms(t *testing.T) {
	dir := t.TempDir()
	a, b := opened(t, database(t, dir), sqlcache.Options{}), opened(t, database(t, dir), sqlcache.Options{})
	ka, kb := keep(t, a, one), keep(t, b, one)
	ka.must(t, store(1, 1, 3))
	if err := kb.Do(store(1, 1, 5)); !errors.Is(err, sqlcache.ErrChanged) {
		t.Errorf("the second program: %v", err)
	}
	kb.Close()
	kb = keep(t, b, one)
	kb.must(t, store(1, 4, 5))
	if err := ka.Do(store(1, 4, 9)); !errors.Is(err, sqlcache.ErrChanged) {
		t.Errorf("the first program: %v", err)
	}
	kb.Close()
	if kb = keep(t, b, one); !slices.Equal(kb.seqs, run(1, 5)) {
		t.Errorf("%v", kb.seqs)
	}
}

// TestBudget: what does not fit is not stored, the session that was not open for longest makes room, and one that is open does not.
func TestBudget(t *testing.T) {
	now := time.UnixMilli(1)
	var gone []string
	o := sqlcache.Options{
		Budget: 2000, Now: func() time.Time { now = now.Add(time.Second); return now }, Evicted: func(id string) { gone = append(gone, id) },
	}
	c := opened(t, database(t, t.TempDir()), o)
	for _, id := range []string{two, one} {
		k := keep(t, c, id)
		k.must(t, store(1, 1, 15))
		k.Close()
	}
	k := keep(t, c, one)
	if err := k.Do(store(1, 16, 40)); !errors.Is(err, cache.ErrFull) {
		t.Fatalf("%v", err)
	}
	k.must(t, sync.Evict{})
	if !slices.Equal(gone, []string{two}) || !slices.Equal(c.Sessions(), []string{one}) {
		t.Errorf("%v made room", gone)
	}
	k.must(t, store(1, 16, 30))
	k.must(t, sync.Evict{})
	if len(gone) != 1 {
		t.Errorf("%v made room", gone)
	}
	k.Close()
	if err := c.Remove(context.Background(), one); err != nil || c.Size() != 0 {
		t.Errorf("%d bytes, %v", c.Size(), err)
	}
}

// TestStoreOfAFullDisk: a store that the database refuses changes nothing.
func TestStoreOfAFullDisk(t *testing.T) {
	db := database(t, t.TempDir())
	db.SetMaxOpenConns(1) // the limit is the connection's
	c := opened(t, db, sqlcache.Options{})
	k := keep(t, c, one)
	k.must(t, store(1, 1, 3))
	var pages int
	if err := db.QueryRow(`PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)); err != nil {
		t.Fatal(err)
	}
	if err := k.Do(store(1, 4, 2000)); err == nil || !strings.Contains(err.Error(), "full") {
		t.Fatalf("%v", err)
	}
	k.Close()
	if k = keep(t, c, one); k.dropped || !slices.Equal(k.seqs, run(1, 3)) {
		t.Errorf("dropped %v, %v", k.dropped, k.seqs)
	}
}

// TestRewind: the lines up to one stay in the epoch that is named, and lines are stored behind it, with the tables of the spec alone too.
func TestRewind(t *testing.T) {
	for name, noted := range map[string]bool{"with a checksum": true, "with the tables of the spec": false} {
		t.Run(name, func(t *testing.T) {
			db := database(t, t.TempDir())
			c := opened(t, db, sqlcache.Options{})
			k := keep(t, c, one)
			k.must(t, store(1, 3, 8))
			k.Close()
			if !noted {
				if _, err := db.Exec(`DELETE FROM cached`); err != nil {
					t.Fatal(err)
				}
			}
			k = keep(t, c, one)
			size := c.Size()
			k.must(t, sync.Rewind{At: protocol.Cursor{Epoch: 2, Seq: 5}})
			if got := c.Size(); got != size/2 {
				t.Errorf("%d bytes of %d are left", got, size)
			}
			var rows int
			if err := db.QueryRow(`SELECT count(*) FROM events WHERE seq > 5`).Scan(&rows); err != nil || rows != 0 {
				t.Errorf("%d rows behind it, %v", rows, err)
			}
			k.must(t, store(2, 6, 6))
			k.Close()
			if k = keep(t, c, one); k.dropped || !slices.Equal(k.seqs, run(3, 6)) || k.machine.At() != (protocol.Cursor{Epoch: 2, Seq: 6}) {
				t.Errorf("dropped %v, %v at %v", k.dropped, k.seqs, k.machine.At())
			}
			k.must(t, sync.Rewind{At: protocol.Cursor{Epoch: 3, Seq: 6}})
			k.Close()
			if k = keep(t, c, one); k.dropped || !slices.Equal(k.seqs, run(3, 6)) || k.machine.At().Epoch != 3 {
				t.Errorf("dropped %v, %v at %v", k.dropped, k.seqs, k.machine.At())
			}
		})
	}
}

// TestRewindIsRefused where the line is not there, or the rows are not what they were at the opening: then nothing is changed.
func TestRewindIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		to   uint64
		harm string
		want error
	}{
		"behind the last line":      {9, ``, cache.ErrUnreadable},
		"before the first line":     {2, ``, cache.ErrUnreadable},
		"a line that is kept":       {5, `UPDATE events SET payload = replace(payload, 'é4', 'è4')`, cache.ErrUnreadable},
		"a line that is not":        {5, `UPDATE events SET payload = replace(payload, 'é7', 'è7')`, cache.ErrUnreadable},
		"a gap":                     {5, `DELETE FROM events WHERE seq = 4`, cache.ErrUnreadable},
		"a line of another program": {5, `INSERT INTO events SELECT session_id, 9, ts, type, payload FROM events WHERE seq = 8`, cache.ErrUnreadable},
		"a checksum that is gone":   {5, `DELETE FROM cached`, sqlcache.ErrChanged},
		"a delete that fails":       {5, `CREATE TRIGGER no BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'no'); END`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			db := database(t, t.TempDir())
			k := keep(t, opened(t, db, sqlcache.Options{}), one)
			k.must(t, store(1, 3, 8))
			if _, err := db.Exec(c.harm); err != nil {
				t.Fatal(err)
			}
			before := dump(t, db)
			if err := k.Do(sync.Rewind{At: protocol.Cursor{Epoch: 2, Seq: c.to}}); err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("the answer is %v", err)
			}
			if after := dump(t, db); after != before {
				t.Errorf("it is\n%s, and was\n%s", after, before)
			}
			k.Close()
			if err := k.Do(sync.Rewind{At: protocol.Cursor{Epoch: 2, Seq: 5}}); err == nil {
				t.Error("a closed session goes back")
			}
		})
	}
}

// dump is all that the tables have.
func dump(t *testing.T, db *sql.DB) (all string) {
	t.Helper()
	rows, err := db.Query(`SELECT session_id || ' ' || epoch FROM sessions UNION ALL SELECT seq || ' ' || payload FROM events
  UNION ALL SELECT seq || ' ' || length || ' ' || sum FROM cached`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all += text + "\n"
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
