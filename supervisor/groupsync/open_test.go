package groupsync_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
)

// tailsOf counts the files of tails.
func tailsOf(d *disktest.Disk) (n int) {
	for _, name := range d.Files() {
		if strings.HasPrefix(name, "tails/") {
			n++
		}
	}
	return n
}

// TestKilledAgainAndAgain: daemons that are killed soon after their start, one after another, do not leave a file each.
func TestKilledAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 4, 12)
		w.cfg.Limit = 1 << 20
		most := 0
		for range 9 {
			w.kill()
			w.pass(1)
			for _, id := range w.ids {
				if err := w.write(id); err != nil {
					t.Fatal(err)
				}
			}
			w.pass(1)
			most = max(most, tailsOf(w.disk))
		}
		if most < 2 || most > 5 { // four are left for later, and the daemon has one
			t.Errorf("%d files of tails", most)
		}
		w.losePower()
		w.syncer.Close()
	})
}

// short is a disk that has lost the power, so that logs must be mended, and a world that knows what was promised.
func short(t *testing.T) (*world, *disktest.Disk) {
	t.Helper()
	w := newWorld(t, 6, 6)
	w.live(5)
	w.syncer.Close()
	return w, w.disk.Crash(w.disk.Count(), nil)
}

// TestFullDiskAtTheStart: where logs must be mended and there is no room, the start fails, and nothing is lost: the next one mends.
func TestFullDiskAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, kind := range []string{"patch", "sync"} {
			w, left := short(t)
			left.Fail(func(_ int, op disktest.Op) *disktest.Fault {
				if op.Kind == kind {
					return &disktest.Fault{Err: syscall.ENOSPC, Short: len(op.Data) / 2}
				}
				return nil
			})
			if s, _, err := groupsync.Open(config(left, &w.failed)); !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("%s: started: %v, %v", kind, s, err)
			}
			left.Fail(nil)
			left = left.Crash(left.Count(), nil)
			s, found, err := groupsync.Open(config(left, &w.failed))
			if err != nil || found.Mended == 0 || len(found.Errors) > 0 || tailsOf(left) > 0 {
				t.Fatalf("%s: then %+v, %v, %d files", kind, found, err, tailsOf(left))
			}
			s.Close()
			if err := w.told[len(w.told)-1].holds(left, w.told[len(w.told)-1]); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}
	})
}

// TestOneLogCannotBeMended: the others are, and the daemon is told of that one.
func TestOneLogCannotBeMended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, left := short(t)
		bad := w.ids[2]
		left.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if op.Kind == "patch" && strings.Contains(op.Name, bad) {
				return &disktest.Fault{Err: syscall.EIO}
			}
			return nil
		})
		s, found, err := groupsync.Open(config(left, &w.failed))
		if err != nil || found.Mended == 0 || len(found.Errors) == 0 || !strings.Contains(found.Errors[0].Error(), bad) || tailsOf(left) > 0 {
			t.Fatalf("%+v, %v, %d files", found, err, tailsOf(left))
		}
		s.Close()
		left.Fail(nil)
		last := w.told[len(w.told)-1]
		delete(last.safe, bad)
		if err := last.holds(left, last); err != nil {
			t.Error(err)
		}
	})
}

// TestDeletedMeanwhile: nothing is made of the tails of a session that was deleted.
func TestDeletedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, left := short(t)
		for _, id := range w.ids {
			if err := errors.Join(left.RemoveAll("sessions/"+id), left.SyncDir("sessions")); err != nil {
				t.Fatal(err)
			}
		}
		s, found, err := groupsync.Open(config(left, &w.failed))
		if err != nil || found.Mended+len(found.Errors) > 0 {
			t.Fatalf("%+v, %v", found, err)
		}
		w.pass(4)
		s.Close()
		if files := left.Files(); len(files) > 0 {
			t.Errorf("left: %v", files)
		}
	})
}
