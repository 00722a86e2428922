package groupsync_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
)

// thorough looks at every state.
var thorough = os.Getenv("RINGMASTER_DISK") == "full"

// TestPowerLossAnywhere takes the power between any two changes that a daemon's logs and the file that they share make, and once more while the next daemon mends them:
// what was written before the last tick is there. Between them sessions are parked, fail, are removed and made again, and daemons are killed.
// Proves: C27
func TestPowerLossAnywhere(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(r *rand.Rand) func(int, disktest.Op) *disktest.Fault
	}{
		{"sound", nil},
		{"files of tails fail", func(r *rand.Rand) func(int, disktest.Op) *disktest.Fault {
			return func(_ int, op disktest.Op) *disktest.Fault {
				if filepath.Dir(op.Name) != "tails" || r.IntN(15) > 0 || op.Kind == "remove" {
					return nil
				}
				return &disktest.Fault{Err: syscall.EIO, Short: r.IntN(len(op.Data) + 1)}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, 3, 9)
				if c.fault != nil {
					w.disk.Fail(c.fault(rand.New(rand.NewPCG(1, 1))))
				}
				w.live(100)
				w.pass(1)
				w.syncer.Close()
				if c.fault != nil && w.failed.Load() == 0 {
					t.Error("no fault came to pass")
				}
				w.losePower()
			})
		})
	}
}

// losePower looks at what a loss of power could leave after each change.
func (w *world) losePower() {
	w.t.Helper()
	every := 7
	if thorough {
		every = 1
	}
	past, at, states, mended := w.disk.Replay(), 0, 0, 0
	for n := 0; ; n++ {
		for at+1 < len(w.told) && w.told[at+1].ops <= n {
			at++
		}
		if n >= w.told[0].ops && n%every == 0 {
			for choice := range uint64(2) {
				r := rand.New(rand.NewPCG(uint64(n), choice))
				left := past.Crash(r)
				if choice == 1 {
					left = past.Crash(nil)
				}
				left, found := mend(w, left, r)
				if found.Mended > 0 {
					mended++
				}
				if err := w.told[at].holds(left, w.told[min(at+1, len(w.told)-1)]); err != nil {
					w.t.Fatalf("power lost after %d changes, choice %d: %v", n, choice, err)
				}
				states++
			}
		}
		if _, more := past.Next(); !more {
			break
		}
	}
	w.t.Logf("%d changes, %d states, of which %d had to be mended", w.disk.Count(), states, mended)
	if mended == 0 {
		w.t.Error("nothing had to be mended: this lane shows nothing")
	}
}

// mend starts a Syncer on what a loss of power has left, and gives what it found. Often the power is lost once more while it mends, and another one started.
func mend(w *world, left *disktest.Disk, r *rand.Rand) (*disktest.Disk, groupsync.Left) {
	w.t.Helper()
	var failed atomic.Uint64
	open := func(files *disktest.Disk) groupsync.Left {
		s, found, err := groupsync.Open(config(files, &failed))
		if err != nil {
			w.t.Fatal(err)
		}
		s.Close()
		return found
	}
	found := open(left)
	if n := left.Count(); n > 0 && r.IntN(4) > 0 {
		left = left.Crash(r.IntN(n+1), r)
		open(left)
	}
	if failed.Load() > 0 {
		w.t.Fatal("mending failed")
	}
	return left, found
}

// TestFullDisk: tails that fit no more are no loss; the logs are synced each by itself.
func TestFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 5, 6)
		w.live(3)
		full := false
		w.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if full && op.Kind == "write" && strings.HasPrefix(op.Name, "tails/") {
				return &disktest.Fault{Err: syscall.ENOSPC, Short: len(op.Data) / 2}
			}
			return nil
		})
		full = true
		w.live(3)
		if w.failed.Load() == 0 {
			t.Error("the disk was not full")
		}
		left := w.disk.Crash(w.disk.Count(), nil)
		if err := w.told[len(w.told)-1].holds(left, w.told[len(w.told)-1]); err != nil {
			t.Error("without the tails: ", err)
		}
		if files := w.disk.Files(); strings.HasPrefix(files[len(files)-1], "tails/") {
			t.Errorf("%s takes room", files[len(files)-1])
		}
		w.syncer.Close()
	})
}
