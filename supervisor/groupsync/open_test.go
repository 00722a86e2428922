package groupsync_test

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/store"
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

// TestFullDiskAtTheStart: where logs must be mended and there is no room, the daemon starts, also again, and nothing is lost: these logs are not to be written, and
// are mended within a second when there is room, or when they are opened.
func TestFullDiskAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, kind := range []string{"patch", "sync"} {
			w, left := short(t)
			noRoom := func(_ int, op disktest.Op) *disktest.Fault { // for three of them
				if op.Kind == kind && slices.ContainsFunc(w.ids[:3], func(id string) bool { return strings.Contains(op.Name, id) }) {
					return &disktest.Fault{Err: syscall.ENOSPC, Short: len(op.Data) / 2}
				}
				return nil
			}
			var s *groupsync.Syncer
			var waits, told []string
			for range 3 { // the power is lost again between them
				left = left.Crash(left.Count(), nil)
				left.Fail(noRoom)
				var found groupsync.Left
				var err error
				if s, found, err = groupsync.Open(config(left, &w.failed)); err != nil || found.Owed < 3 || len(found.Errors) > 0 || tailsOf(left) == 0 {
					t.Fatalf("%s: %+v, %v, %d files", kind, found, err, tailsOf(left))
				}
				waits, told = nil, nil
				s.OnMended(func(id string) { told = append(told, id) })
				for _, id := range w.ids[1:] { // the first one is not opened
					err := s.Mended(id)
					var refused *store.WriteError
					switch {
					case err == nil:
						continue
					case !errors.As(err, &refused) || !errors.Is(err, syscall.ENOSPC) || refused.Hint == "":
						t.Fatalf("%s: %v", kind, err)
					}
					waits = append(waits, id)
				}
				if !slices.Equal(waits, w.ids[1:3]) {
					t.Fatalf("%s: %v wait, %+v", kind, waits, found)
				}
				time.Sleep(5 * time.Second)
				if len(told) > 0 || tailsOf(left) == 0 {
					t.Fatalf("%s: without room: %v, %d files", kind, told, tailsOf(left))
				}
				s.Close()
			}
			left = left.Crash(left.Count(), nil)
			left.Fail(noRoom)
			s, _, err := groupsync.Open(config(left, &w.failed))
			if err != nil {
				t.Fatal(err)
			}
			s.OnMended(func(id string) { told = append(told, id) })
			for _, id := range waits {
				if s.Mended(id) == nil {
					t.Fatalf("%s: %s is mended without room", kind, id)
				}
			}
			left.Fail(nil)
			if err := s.Mended(waits[0]); err != nil { // it is opened
				t.Fatal(err)
			}
			time.Sleep(time.Second + tick)
			synctest.Wait()
			slices.Sort(told)
			if slices.Sort(waits); !slices.Equal(told, waits) || tailsOf(left) > 0 {
				t.Errorf("%s: told of %v, waiting %v, %d files", kind, told, waits, tailsOf(left))
			}
			s.Close()
			last := w.told[len(w.told)-1]
			if err := last.holds(left.Crash(left.Count(), nil), last); err != nil {
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
