package supervisor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// abreast is record.Abreast.
const abreast = 32

// slowFolders is a disk that does not answer what is asked of the folders of sessions while it is shut.
type slowFolders struct {
	disk.FS
	shut   chan struct{} // closed when it answers; nil: it does
	stamps atomic.Int64
}

func (d *slowFolders) Stamp(name string, anew bool) (disk.Stamp, error) {
	if d.shut != nil && !anew && strings.Contains(name, "/sessions/") {
		d.stamps.Add(1)
		<-d.shut
	}
	return d.FS.Stamp(name, anew)
}

func (d *slowFolders) close() { d.shut = make(chan struct{}) }

// asked asks, and gives what is there of the answer when nothing happens any more.
func asked[A any](question func(context.Context) (A, error)) func() (answer A, err error, there bool) {
	var a A
	var err error
	done := make(chan struct{})
	go func() { // ends with the answer
		a, err = question(context.Background())
		close(done)
	}()
	return func() (A, error, bool) {
		synctest.Wait()
		select {
		case <-done:
			return a, err, true
		default:
			return *new(A), nil, false
		}
	}
}

// TestStartDoesNotWaitForFolders: lists tell what copies say while a disk is slow, and questions about a session wait for its folder, whatever it says then.
//
// Proves: I5/behind
func TestStartDoesNotWaitForFolders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := &slowFolders{FS: disk.OS()}
		d, id := rested(t, func(c *supervisor.Config) { c.Files = files })
		many(t, d, id, 2)
		d.start() // reads the others
		before := d.listed()
		d.close()
		const same, changed = "10000000-0000-4000-8000-000000000000", "10000000-0000-4000-8000-000000000001"
		d.write(changed, "session.json", strings.Replace(d.text(changed, "session.json"), `"Title":""`, `"Title":"another"`, 1))
		files.close()
		d.start()
		if now := d.listed(); !reflect.DeepEqual(now, before) {
			t.Errorf("%v, and there were %v", now, before)
		}
		look := asked(func(ctx context.Context) (session.Summary, error) { return d.Supervisor.Look(ctx, changed) })
		rest := asked(func(ctx context.Context) (*session.Description, error) { return d.AtRest(ctx, changed) })
		find := asked(func(ctx context.Context) (session.Ref, error) { return d.Find(ctx, same) })
		gone := asked(func(ctx context.Context) (ask.Ref[supervisor.Message], error) {
			return ask.Ref[supervisor.Message]{}, d.Delete(ctx, id)
		})
		_, _, looked := look()
		_, _, told := rest()
		_, _, found := find()
		_, _, deleted := gone()
		if looked || told || found || deleted || d.Health().Live != 0 {
			t.Errorf("answered before the folder was asked: %v %v %v %v; %d actors", looked, told, found, deleted, d.Health().Live)
		}
		close(files.shut)
		if sum, err, _ := look(); err != nil || sum.Title != "another" {
			t.Errorf("%+v, %v", sum, err)
		}
		if is, err, _ := rest(); err != nil || is == nil || is.Title != "another" {
			t.Errorf("%+v, %v", is, err)
		}
		if ref, err, _ := find(); err != nil || !ref.Valid() {
			t.Errorf("%v, %v", ref, err)
		}
		if _, err, done := gone(); err != nil || !done {
			t.Errorf("%v, %v", err, done)
		}
		if now := d.listed(); len(now) != 2 || now[changed].Title != "another" {
			t.Errorf("%v", now)
		}
		if strings.Contains(d.resting(), id) {
			t.Error("there is a copy of the session that was deleted")
		}
		d.close()
		files.shut = nil
		d.start()
		defer d.close()
		if now := d.listed(); len(now) != 2 || now[changed].Title != "another" {
			t.Errorf("%v", now)
		}
	})
}

// heldStamps is a disk that holds back what it says of some newest lines.
type heldStamps struct {
	disk.FS
	of        string // a session
	came, let chan struct{}
}

func (d *heldStamps) Stamp(name string, anew bool) (disk.Stamp, error) {
	stamp, err := d.FS.Stamp(name, anew)
	if d.of != "" && strings.Contains(name, d.of) && strings.HasSuffix(name, ".ndjson") {
		close(d.came)
		<-d.let
	}
	return stamp, err
}

// TestNothingRestsOfASessionThatIsDeletedWhileItIsRead: its removal waits for the read, which may be about to copy its session.json.
func TestNothingRestsOfASessionThatIsDeletedWhileItIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := &heldStamps{FS: disk.OS(), came: make(chan struct{}), let: make(chan struct{})}
		d, id := rested(t, func(c *supervisor.Config) { c.Files = files })
		d.write(id, "session.json", d.text(id, "session.json")+"\n")
		files.of = id
		d.start()
		defer d.close()
		<-files.came
		files.of = ""
		gone := asked(func(ctx context.Context) (bool, error) { return true, d.Delete(ctx, id) })
		gone() // as far as it comes
		close(files.let)
		if _, err, done := gone(); err != nil || !done || strings.Contains(d.resting(), id) {
			t.Errorf("%v, %v; the file has\n%s", err, done, d.resting())
		}
	})
}

func (d *daemon) resting() string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.cfg.Data, "resting"))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(b)
}

// TestDrainWhileFoldersAreAsked: what waits is answered, nothing is asked any more, and the next start asks again.
func TestDrainWhileFoldersAreAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := &slowFolders{FS: disk.OS()}
		d, id := rested(t, func(c *supervisor.Config) { c.Files = files })
		many(t, d, id, 100)
		d.start() // reads the others
		before := d.listed()
		d.close()
		d.write(id, "session.json", strings.Replace(d.text(id, "session.json"), `"Title":""`, `"Title":"another"`, 1))
		files.close()
		d.start()
		look := asked(func(ctx context.Context) (session.Summary, error) { return d.Supervisor.Look(ctx, id) })
		find := asked(func(ctx context.Context) (session.Ref, error) { return d.Find(ctx, id) })
		pin := asked(func(ctx context.Context) (bool, error) { return true, d.Retention().Pin(ctx, id, true) })
		_, _, looked := look()
		_, _, found := find()
		_, _, pinned := pin()
		if looked || found || pinned {
			t.Errorf("answered before the folder was asked: %v %v %v", looked, found, pinned)
		}
		end := asked(func(ctx context.Context) (bool, error) { return true, d.Close(ctx) })
		if _, _, ended := end(); ended {
			t.Error("a folder is asked by a daemon that has ended")
		}
		stamps := files.stamps.Load()
		close(files.shut)
		if _, err, ended := end(); err != nil || !ended {
			t.Errorf("%v, %v", err, ended)
		}
		if _, err, answered := look(); !answered || err != nil && !errors.Is(err, ask.ErrGone) {
			t.Errorf("%v, %v", err, answered)
		}
		if ref, err, answered := find(); !answered || err == nil {
			t.Errorf("%v, %v", ref, err)
		}
		if _, err, answered := pin(); !answered || err == nil {
			t.Errorf("%v, %v", err, answered)
		}
		if n := files.stamps.Load() - stamps; n > 2*abreast {
			t.Errorf("%d things were asked in the drain", n)
		}
		d.start()
		defer d.close()
		now := d.listed()
		if now[id].Title != "another" || len(now) != len(before) {
			t.Errorf("%v", now[id])
		}
	})
}

// TestFolderThatIsNotAsItsCopyTells: a start that has copies tells in the end what a start without them does, of a session that nobody asked for and of one that
// somebody did, and its log goes on.
//
// Proves: I5/corrected
func TestFolderThatIsNotAsItsCopyTells(t *testing.T) {
	for name, change := range map[string]func(d *daemon, id string, backup map[string]string){
		"back from a backup": func(d *daemon, id string, backup map[string]string) {
			for name, text := range backup {
				d.write(id, name, text)
			}
		},
		"lines are lost":       func(d *daemon, id string, _ map[string]string) { cutTo(700)(d, id) },
		"session.json is gone": func(d *daemon, id string, _ map[string]string) { without("session.json")(d, id) },
		"session.json is torn": func(d *daemon, id string, _ map[string]string) { cut("session.json", 100)(d, id) },
		"a newer build":        func(d *daemon, id string, _ map[string]string) { d.write(id, "session.json", `{"version":99}`) },
		"the folder is gone":   func(d *daemon, id string, _ map[string]string) { without("")(d, id) },
	} {
		for _, asks := range []bool{false, true} {
			t.Run(name+map[bool]string{true: ", asked for"}[asks], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d, id := rested(t, nil)
					backup := map[string]string{}
					for file := range d.folderOf(id) {
						if file = strings.TrimPrefix(file, "/"); !strings.Contains(file, "/") {
							backup[file] = d.text(id, file)
						}
					}
					backup["session.json"] = d.text(id, "session.json")
					d.start()
					r := d.prompt(id, "and again")
					d.until(id, r.Cursor.Seq, protocol.TypeTurnEnd)
					d.close()
					change(d, id, backup)
					with := d.cfg.Data
					without := filepath.Join(t.TempDir(), "data")
					if err := os.CopyFS(without, os.DirFS(with)); err != nil {
						t.Fatal(err)
					}
					if err := os.Remove(filepath.Join(without, "resting")); err != nil {
						t.Fatal(err)
					}
					told := func(data string) (session.Summary, map[string]session.Summary, error) {
						d.cfg.Data = data
						d.start()
						defer d.close()
						if asks {
							if ref, err := d.Find(t.Context(), id); err == nil {
								_, _ = session.Ask(t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: "once more"}})
							}
						}
						sum, err := d.Look(t.Context(), id)
						return sum, d.listed(), err
					}
					want, wantList, wantErr := told(without)
					got, list, err := told(with)
					for _, sum := range []*session.Summary{&got, &want} {
						sum.Updated, sum.Spent.WorkingSince = time.Time{}, 0 // one is later
						if d := sum.Damage; d != nil {
							d.File = filepath.Base(d.File)
						}
					}
					if !reflect.DeepEqual(got, want) || (err == nil) != (wantErr == nil) || len(list) != len(wantList) {
						t.Errorf("\n%+v, %v\n%+v, %v", got, err, want, wantErr)
					}
				})
			})
		}
	}
}
