package supervisor_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// foldersRead is a disk that counts what is asked of the folders of sessions.
type foldersRead struct {
	disk.FS
	read, stamps atomic.Int64
}

func (d *foldersRead) count(name string) {
	if strings.Contains(name, "/sessions/") {
		d.read.Add(1)
	}
}

func (d *foldersRead) Open(name string) (disk.Reader, error) { d.count(name); return d.FS.Open(name) }

func (d *foldersRead) List(name string) ([]disk.Entry, error) {
	d.count(name)
	return d.FS.List(name)
}
func (d *foldersRead) Remove(name string) error { d.count(name); return d.FS.Remove(name) }
func (d *foldersRead) Stamp(name string, anew bool) (disk.Stamp, error) {
	if strings.Contains(name, "/sessions/") {
		d.stamps.Add(1)
	}
	return d.FS.Stamp(name, anew)
}

// listed is what a daemon says of its sessions.
func (d *daemon) listed() map[string]session.Summary {
	d.t.Helper()
	page, err := d.List(d.t.Context(), supervisor.Query{Limit: 1000})
	if err != nil {
		d.t.Fatal(err)
	}
	all := map[string]session.Summary{}
	for i := range page.Sessions {
		all[page.Sessions[i].ID] = page.Sessions[i]
	}
	return all
}

// rested has a session that has worked, and its daemon end; the start after that is the first to know others in its place.
func rested(t *testing.T, change func(*supervisor.Config)) (d *daemon, id string) {
	d = start(t, t.TempDir(), change)
	s := d.create()
	r := d.prompt(s.ID, "hello")
	d.until(s.ID, r.Cursor.Seq, protocol.TypeTurnEnd)
	d.close()
	return d, s.ID
}

// TestNothingRestsOfASessionThatWasDeleted: the copy of its session.json goes with it, also where the daemon was killed in between.
func TestNothingRestsOfASessionThatWasDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, id := rested(t, func(*supervisor.Config) {})
		copies := filepath.Join(d.cfg.Data, "resting")
		has := func() bool {
			b, err := os.ReadFile(copies)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Contains(string(b), id)
		}
		if !has() {
			t.Fatal("there is no copy")
		}
		killed, err := os.ReadFile(copies)
		if err != nil {
			t.Fatal(err)
		}
		d.start()
		if err := d.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if has() {
			t.Error("it is in the file of copies")
		}
		d.close()
		lines := bytes.SplitAfter(killed, []byte("\n")) // one of them is put where a kill may have left it
		at := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(id)) })
		now, err := os.ReadFile(copies)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copies, append(slices.Clone(lines[at]), now...), 0o600); err != nil {
			t.Fatal(err)
		}
		d.start()
		if has() {
			t.Error("a start has left it")
		}
		d.close()
	})
}

// TestStartAsksTwoThingsOfASessionAtRest: whether its session.json and its newest lines are those that there were, once each; and it tells the same as a start
// that reads all folders.
func TestStartAsksTwoThingsOfASessionAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &foldersRead{FS: disk.OS()}
		d, id := rested(t, func(c *supervisor.Config) { c.Files = disk })
		const others = 100
		many(t, d, id, others)
		d.start() // reads the others
		before := d.listed()
		d.close()
		for range 2 {
			disk.read.Store(0)
			disk.stamps.Store(0)
			d.start()
			synctest.Wait()
			if disk.read.Load() != 0 || disk.stamps.Load() != 2*(others+1) {
				t.Errorf("%d sessions: their folders were read %d times, and asked %d", others+1, disk.read.Load(), disk.stamps.Load())
			}
			if now := d.listed(); len(now) != others+1 || !reflect.DeepEqual(now, before) {
				t.Errorf("%d sessions:\n%v\n%v", len(now), now[id], before[id])
			}
			d.close()
		}
		if err := os.Remove(filepath.Join(d.cfg.Data, "resting")); err != nil {
			t.Fatal(err)
		}
		d.start()
		defer d.close()
		if now := d.listed(); disk.read.Load() == 0 || !reflect.DeepEqual(now, before) {
			t.Errorf("%v\n%v", now[id], before[id])
		}
	})
}

// TestSessionTakenUpIsNotAtRest, whatever copies there are: its log is looked at, also where no end of its actor was ever noted.
func TestSessionTakenUpIsNotAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, id := rested(t, nil)
		file := filepath.Join(d.cfg.Data, "resting")
		old, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(old), id) {
			t.Fatalf("%q, %v", old, err)
		}
		d.start()
		r := d.prompt(id, "and again")
		d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
		now, err := os.ReadFile(file)
		if err != nil || len(now) <= len(old) {
			t.Fatalf("%d bytes, and there were %d; %v", len(now), len(old), err)
		}
		d.close()
		want := d.file(id)
		if err := os.WriteFile(file, now, 0o600); err != nil { // as it was while the session was up
			t.Fatal(err)
		}
		d.start()
		defer d.close()
		sum, err := d.Look(t.Context(), id)
		if n := strings.Count(want, "\n"); err != nil || int(sum.Seq) < n || sum.Turns != 2 {
			t.Errorf("%+v, %v; %d events", sum, err, n)
		}
	})
}

// TestSessionsThatAreNotAtRestHaveNoCopy: of each the folder is read.
func TestSessionsThatAreNotAtRestHaveNoCopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &foldersRead{FS: disk.OS()}
		d, id := rested(t, func(c *supervisor.Config) { c.Files = disk })
		d.write(id, "session.json", strings.Replace(d.text(id, "session.json"), `"open":false`, `"open":true`, 1))
		disk.read.Store(0)
		d.start()
		synctest.Wait()
		if disk.read.Load() == 0 {
			t.Error("its folder was not read")
		}
		if sum, err := d.Look(t.Context(), id); err != nil || sum.Status.State != protocol.StateIdle {
			t.Errorf("%+v, %v", sum, err)
		}
		d.close()
	})
}

func (d *daemon) text(id, name string) string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.folder(id), name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}
