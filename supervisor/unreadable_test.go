package supervisor_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// unreadable is a disk that fails when something is read of the files whose path ends so.
type unreadable struct {
	disk.FS
	suffix atomic.Pointer[string] // nil: it is well
}

func (d *unreadable) bad(name string) bool {
	s := d.suffix.Load()
	return s != nil && strings.HasSuffix(name, *s)
}

func (d *unreadable) Open(name string) (disk.Reader, error) {
	if d.bad(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return d.FS.Open(name)
}

func (d *unreadable) List(name string) ([]disk.Entry, error) {
	if d.bad(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return d.FS.List(name)
}

// TestUnreadableSession: a session whose files the disk does not give back is listed as damaged and refuses what would change it, at every start; nothing of it
// is touched, and it is as it was once the disk gives it back.
func TestUnreadableSession(t *testing.T) {
	for _, what := range []string{".ndjson", ".index", "session.json", "folder", "lines and session.json"} {
		t.Run(what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := &unreadable{FS: disk.OS()}
				d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = disk })
				defer func() { d.close() }()
				id := d.create().ID
				r := d.prompt(id, "hello")
				d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
				d.close()
				left, good, record := d.folderOf(id), d.file(id), filepath.Join(d.folder(id), "session.json")
				noted, err := os.ReadFile(record)
				if err != nil {
					t.Fatal(err)
				}
				suffix := what
				switch what {
				case "folder":
					suffix = filepath.Base(d.folder(id))
				case "lines and session.json":
					suffix = "n"
				}
				if strings.HasSuffix(what, "session.json") { // which is known by its copy, where there is one
					if err := os.Remove(filepath.Join(d.cfg.Data, "resting")); err != nil {
						t.Fatal(err)
					}
				}
				disk.suffix.Store(&suffix)
				for range 2 {
					d.start()
					synctest.Wait()
					if _, err := ask.Ask(t.Context(), d.find(id), sendPrompt("x")); code(err) != protocol.CodeReadOnly {
						t.Errorf("a prompt: %v", err)
					}
					synctest.Wait()
					page, err := d.List(t.Context(), supervisor.Query{})
					if err != nil || len(page.Sessions) != 1 {
						t.Fatalf("%+v, %v", page, err)
					}
					sum := page.Sessions[0]
					if sum.ID != id || !sum.ReadOnly || sum.Damage == nil || !strings.HasSuffix(d.folder(id)+"/"+sum.Damage.File, suffix) && what != "folder" || sum.Damage.Hint == "" {
						t.Errorf("%+v %+v", sum, sum.Damage)
					}
					d.close()
					if now := d.folderOf(id); fmt.Sprint(now) != fmt.Sprint(left) {
						t.Errorf("the folder was changed:\n%q\n%q", left, now)
					}
				}
				if now, err := os.ReadFile(record); strings.HasSuffix(record, suffix) && (err != nil || !bytes.Equal(now, noted)) {
					t.Errorf("what cannot be read was written over: %s, %v", now, err)
				}
				disk.suffix.Store(nil)
				d.start()
				synctest.Wait()
				if sum, err := d.Look(t.Context(), id); err != nil || sum.ReadOnly || sum.Damage != nil || !strings.HasPrefix(string(d.shown(id)), good) {
					t.Errorf("read again: %+v %+v, %v", sum, sum.Damage, err)
				}
			})
		})
	}
}
