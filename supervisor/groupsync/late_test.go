package groupsync_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// refuse has the disk refuse so many changes of a kind of one log, or of the file of one; negative: all.
func refuse(w *world, id string, times int, err error, kinds ...string) (refused *int) {
	refused = new(int)
	w.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
		if !strings.HasPrefix(op.Name, "sessions/"+id) || !strings.HasSuffix(op.Name, ".ndjson") || *refused == times {
			return nil
		}
		for _, kind := range kinds {
			if op.Kind == kind {
				*refused++
				return &disktest.Fault{Err: err, Short: len(op.Data) / 2}
			}
		}
		return nil
	})
	return refused
}

// TestRefusedSync: where the disk refuses a sync of a journal whose lines are kept, these are written anew before their file goes, since a second sync says nothing of
// what was written before the first. What was promised is there after a loss of power.
func TestRefusedSync(t *testing.T) {
	for name, fail := range map[string]func(w *world, id string) (refused *int){
		"when its file is to go": func(w *world, id string) *int {
			return refuse(w, id, 1, syscall.EIO, "sync")
		},
		"once more when it is written anew": func(w *world, id string) *int {
			refused := refuse(w, id, 2, syscall.EIO, "sync", "patch")
			w.t.Cleanup(func() {
				if *refused != 2 {
					w.t.Errorf("%d times refused", *refused)
				}
			})
			return refused
		},
		"of an earlier daemon, in two files": func(w *world, id string) *int {
			for range 2 {
				w.kill()
				w.pass(1)
				w.writeAll()
			}
			return refuse(w, id, 1, syscall.EIO, "sync")
		},
		"by a full disk before": func(w *world, id string) *int {
			refused := refuse(w, id, 1, syscall.ENOSPC, "write")
			if w.write(id) == nil {
				w.t.Fatal("the disk is not full")
			}
			return refused
		},
		"before, and it goes on": func(w *world, id string) *int {
			refused := refuse(w, id, 1, syscall.EIO, "sync")
			if l := w.logs[id]; l.w.Sync() == nil || l.w.Recover(l.seq) != nil || w.write(id) != nil {
				w.t.Fatal("no failure, or it does not go on")
			}
			return refused
		},
		"before its actor failed": func(w *world, id string) *int {
			refused := refuse(w, id, 1, syscall.EIO, "sync")
			if l := w.logs[id]; l.w.Sync() == nil || l.w.CloseUnclean() != nil {
				w.t.Fatal("no failure, or it is not closed")
			}
			return refused
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := roomy(t, 30, 1<<20)
				w.writeAll()
				if tailsOf(w.disk) != 1 {
					t.Fatal("nothing is kept")
				}
				refused := fail(w, w.ids[0])
				w.pass(640)
				if n := tailsOf(w.disk); n > 0 || *refused < 1 {
					t.Fatalf("%d files, %d times refused", n, *refused)
				}
				last := w.told[len(w.told)-1]
				if err := last.holds(w.disk.Crash(w.disk.Count(), nil), last); err != nil {
					t.Error(err)
				}
				w.syncer.Close()
			})
		})
	}
}

// TestRefusedFile: lines that the file of tails could not keep are not written over a log. Nothing else would have them while that is done, and the log may have them by then.
func TestRefusedFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := roomy(t, 6, 1<<20)
		w.writeAll()
		id, failed := w.ids[0], map[string]bool{}
		w.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			kind := filepath.Ext(op.Name)
			ours := kind == ".tails" || strings.HasPrefix(op.Name, "sessions/"+id)
			if op.Kind != "sync" || !ours || failed[kind] {
				return nil
			}
			failed[kind] = true
			return &disktest.Fault{Err: syscall.EIO}
		})
		begin := w.disk.Count()
		from := int64(len(w.logs[id].lines))
		w.writeAll()
		w.pass(1)
		if !failed[".tails"] || !failed[".ndjson"] {
			t.Fatalf("refused: %v", failed)
		}
		for _, op := range w.disk.Ops(begin) {
			if op.Kind == "patch" && op.Size+int64(len(op.Data)) > from {
				t.Errorf("%v, and nothing has kept what is behind %d", op, from)
			}
		}
		w.syncer.Close()
	})
}

// TestRefusedForLong: the file that keeps lines of a journal which the disk does not take stays until it does, also over the daemon's end, and the others share as before.
func TestRefusedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := roomy(t, 6, 1<<20)
		w.writeAll()
		first := w.disk.Files()[len(w.disk.Files())-1]
		refused := refuse(w, w.ids[0], -1, syscall.EIO, "sync", "patch")
		is := func(name string) bool { return w.disk.Bytes(name) != nil }
		others := w.ids[1:]
		w.ids = others
		w.pass(620)
		for range 3 { // files come and go
			w.writeAll()
			newest := w.disk.Files()[len(w.disk.Files())-1]
			if w.pass(620); newest == first || is(newest) || !is(first) {
				t.Fatalf("%v of %s", w.disk.Files(), newest)
			}
		}
		if *refused < 100 || *refused > 400 { // once a second, for four minutes
			t.Errorf("%d refused", *refused)
		}
		last := w.told[len(w.told)-1]
		if err := last.holds(mended(t, w, w.disk.Crash(w.disk.Count(), nil)), last); err != nil {
			t.Error(err)
		}
		w.disk.Fail(nil)
		w.pass(12)
		if is(first) {
			t.Errorf("it stays: %v", w.disk.Files())
		}
		if err := last.holds(w.disk.Crash(w.disk.Count(), nil), last); err != nil {
			t.Error(err)
		}
		w.syncer.Close()
	})
}

// mended is a disk on which a daemon has begun and ended.
func mended(t *testing.T, w *world, d *disktest.Disk) *disktest.Disk {
	t.Helper()
	mended, _ := mend(w, d, w.r)
	return mended
}

// TestRefusedAgainAndAgain: however many journals the disk refuses, few files stay; and all go when it takes them.
func TestRefusedAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := roomy(t, 6, 2000)
		w.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			late := op.Kind == "sync" && strings.HasSuffix(op.Name, ".ndjson") && w.r.IntN(8) == 0
			if late || op.Kind == "patch" {
				return &disktest.Fault{Err: syscall.EIO}
			}
			return nil
		})
		most := 0
		for range 300 {
			for _, id := range w.ids {
				if w.write(id) == nil {
					continue
				}
				if l := w.logs[id]; l.w.Recover(l.seq) == nil { // else it is tried at the next tick
					_ = w.write(id)
				}
			}
			w.pass(1)
			most = max(most, tailsOf(w.disk))
		}
		if most < 5 || most > 7 { // four that stay, one that cannot go, the newest, and one that has failed
			t.Errorf("%d files", most)
		}
		w.disk.Fail(nil)
		for _, id := range w.ids {
			if err := w.logs[id].w.Recover(w.logs[id].seq); err != nil {
				t.Fatal(err)
			}
		}
		w.pass(700)
		if n := tailsOf(w.disk); n > 0 {
			t.Errorf("%d files stay", n)
		}
		w.syncer.Close()
	})
}
