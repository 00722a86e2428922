package postgres_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres"
	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestFullDatabase: where the disk of the database is full, a batch is refused with an error that says so, all that was taken before can be read, and batches go
// on behind it once there is room. The disk is a real one of 8 MiB, on which the table of the batches lies.
//
// Proves: I16.F/full
func TestFullDatabase(t *testing.T) {
	s := pgtest.Private(t)
	address := s.URL("postgres")
	dir := small(t, address)
	if _, _, err := postgres.Migrate(t.Context(), address, postgres.Options{}); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 4<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, address, "CREATE TABLESPACE small LOCATION '"+filepath.Join(dir, "space")+"'", "ALTER TABLE session_batch SET TABLESPACE small")
	c := open(t.Context(), t, address)
	p := registered(t, c, id)[0]
	next := func() store.Stretch {
		text := make([]byte, 48<<10)
		_, _ = rand.Read(text)
		line, err := json.Marshal(map[string]any{"seq": p.Head + 1, "type": "note", "text": text})
		if err != nil {
			t.Fatal(err)
		}
		return store.Stretch{First: p.Head + 1, Epoch: 1, Sources: []store.Made{{Count: 1}}, Lines: append(line, '\n')}
	}
	var full *core.FullError
	for err := error(nil); err == nil; {
		var a []core.Answer
		switch a, err = c.Append(t.Context(), []core.Batch{{Session: id, Lease: p.Lease, Stretch: next()}}); {
		case err == nil:
			p = a[0].At
		case !errors.As(err, &full) || full.Problem() == "" || full.Hint() == "":
			t.Fatalf("a disk that is full is told as %v", err)
		}
		if p.Head > 1000 {
			t.Fatal("the disk does not get full")
		}
	}
	read := func() (last uint64) {
		for st, err := range c.Stretches(t.Context(), id, 0, p.Head) {
			if err != nil {
				t.Fatal(err)
			}
			if st.First != last+1 {
				t.Fatalf("event %d follows event %d", st.First, last)
			}
			last += uint64(st.Count())
		}
		return last
	}
	if last := read(); last != p.Head || p.Head < 10 {
		t.Fatalf("%d of %d events can be read", last, p.Head)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p = taken(t.Context(), t, c, p, next())
	if last := read(); last != p.Head {
		t.Errorf("%d of %d events can be read", last, p.Head)
	}
}

// small mounts a disk of 8 MiB with a folder, space, that the server of a database may use.
func small(t *testing.T, address string) (dir string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	var data string
	if err := conn.QueryRow(t.Context(), "SHOW data_directory").Scan(&data); err != nil {
		t.Fatal(err)
	}
	of := new(syscall.Stat_t)
	if err := syscall.Stat(data, of); err != nil {
		t.Fatal(err)
	}
	if dir, err = os.MkdirTemp("", "small-"); err != nil { //nolint:usetesting // the server's user does not come into a test's own folder
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(dir) })
	if err := syscall.Mount("none", dir, "tmpfs", 0, fmt.Sprintf("size=8m,mode=0700,uid=%d,gid=%d", of.Uid, of.Gid)); err != nil {
		t.Skip("no disk can be mounted here: ", err)
	}
	t.Cleanup(func() {
		s := syscall.Unmount(dir, syscall.MNT_DETACH) // the server ends behind it
		if s != nil {
			t.Error(s)
		}
	})
	space := filepath.Join(dir, "space")
	if err := errors.Join(os.Mkdir(space, 0o700), os.Chown(space, int(of.Uid), int(of.Gid))); err != nil {
		t.Fatal(err)
	}
	return dir
}
