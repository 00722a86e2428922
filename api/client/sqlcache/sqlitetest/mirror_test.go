package sqlitetest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/api/client/sqlcache"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// What a child process of TestKilledMirror is told: the daemon's data folder, and the folder of its database.
const (
	childData = "RINGMASTER_SQLCACHE_DATA"
	childDir  = "RINGMASTER_SQLCACHE_DIR"
)

func TestMain(m *testing.M) {
	if data := os.Getenv(childData); data != "" {
		fmt.Fprintln(os.Stderr, mirror(context.Background(), data, os.Getenv(childDir), func(*client.Mirror) bool {
			fmt.Println("more")
			return false
		}))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// mirror keeps all sessions of a daemon in a database, until enough says so after a change.
func mirror(ctx context.Context, data, dir string, enough func(m *client.Mirror) bool) error {
	db, err := sql.Open("sqlite", filepath.Join(dir, "cache.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	stored, err := sqlcache.Open(ctx, db, sqlcache.Options{})
	if err != nil {
		return err
	}
	c, err := client.Find(data)
	if err != nil {
		return err
	}
	defer c.Close()
	m := c.Mirror(client.MirrorOptions{Cache: stored})
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := errors.New("enough")
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }() // ends with ctx
	for _, err := range m.Changes(ctx) {
		if err != nil {
			break
		}
		if enough(m) {
			cancel(done)
			break
		}
	}
	if err := <-ended; !errors.Is(err, done) {
		return err
	}
	return nil
}

// TestKilledMirror: a program that mirrors a real daemon into a database is killed again and again, in the middle of stores, while sessions are at work.
// In the end the rows are the lines of the logs.
func TestKilledMirror(t *testing.T) {
	kills := 10
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_SYNC_KILLS")); err == nil {
		kills = n
	}
	built := filepath.Join(t.TempDir(), "ringmaster")
	build := exec.Command("go", "build", "-o", built, "./cmd/ringmaster")
	build.Dir = "../../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, root, dir := filepath.Join(t.TempDir(), "data"), t.TempDir(), t.TempDir()
	d, err := program.Start(program.Command(built, data, root))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := d.Running(ctx); err != nil {
		t.Fatal(err)
	}
	c, err := client.Find(data)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ids := make([]string, 4)
	for i := range ids {
		made, err := c.Create(ctx, client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: root}})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = made.ID
	}
	r := rand.New(rand.NewPCG(1, 2))
	for n := range kills {
		for _, id := range ids {
			if _, err := c.Prompt(ctx, id, client.Prompt{Text: "round " + strconv.Itoa(n)}); err != nil {
				t.Fatal(err)
			}
		}
		killed(t, data, dir, 1+r.IntN(60))
	}
	want := map[string][]byte{}
	for _, id := range ids {
		if _, err := c.Session(id).End(ctx, ""); err != nil {
			t.Fatal(err)
		}
		for l, err := range c.Log(ctx, id, protocol.Cursor{}) {
			if err != nil {
				t.Fatal(err)
			}
			want[id] = append(append(want[id], l.Raw...), '\n')
		}
	}
	whole := func(m *client.Mirror) bool {
		for _, id := range ids {
			at, kept := m.At(id)
			if !kept || at.Seq < uint64(bytes.Count(want[id], []byte{'\n'})) {
				return false
			}
		}
		return true
	}
	if err := mirror(ctx, data, dir, whole); err != nil {
		t.Fatal(err)
	}
	db := database(t, dir)
	for _, id := range ids {
		rows, err := db.QueryContext(ctx, `SELECT payload FROM events WHERE session_id = ? ORDER BY seq`, id)
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				t.Fatal(err)
			}
			got = append(append(got, text...), '\n')
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || !bytes.Equal(got, want[id]) {
			t.Errorf("session %s: %d bytes are stored of %d, %v", id, len(got), len(want[id]), err)
		}
	}
	t.Logf("%d kills, %d bytes of the last log", kills, len(want[ids[3]]))
}

// killed runs a child until it has told of so many changes, and kills it.
func killed(t *testing.T, data, dir string, changes int) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childData+"="+data, childDir+"="+dir)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 5)
	for range changes {
		if _, err := out.Read(buf); err != nil {
			t.Errorf("the child ended: %v", err)
			break
		}
	}
	_ = child.Process.Kill()
	_ = child.Wait() // it was killed
}
