package groupsync_test

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
)

// hanging is a disk on which the syncs of one log hang.
type hanging struct {
	*disktest.Disk
	dir  atomic.Value  // of the log, a string; empty: none hangs
	open chan struct{} // closed: no sync hangs any more
}

func (h *hanging) Create(name string) (disk.Writer, error) {
	return h.writer(name)(h.Disk.Create(name))
}

func (h *hanging) Append(name string) (disk.Writer, error) {
	return h.writer(name)(h.Disk.Append(name))
}

func (h *hanging) writer(name string) func(disk.Writer, error) (disk.Writer, error) {
	return func(w disk.Writer, err error) (disk.Writer, error) {
		if err != nil {
			return nil, err
		}
		return hangingWriter{w, h, filepath.Dir(name)}, nil
	}
}

type hangingWriter struct {
	disk.Writer
	on  *hanging
	dir string
}

func (w hangingWriter) Sync() error {
	if w.on.dir.Load() == w.dir {
		<-w.on.open
	}
	return w.Writer.Sync()
}

// TestOlderOutlastsFailure: a file of tails fails, and the one before it cannot go before sharing begins again. It goes between two ticks, and the next one shares.
func TestOlderOutlastsFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, 8, 6)
		slow := &hanging{Disk: w.disk, open: make(chan struct{})}
		slow.dir.Store("")
		w.cfg = config(slow, &w.failed)
		w.syncer.Close()
		w.start()
		for _, id := range w.ids {
			w.reopen(id)
		}
		writeAll := func(ids []string) {
			t.Helper()
			for _, id := range ids {
				if err := w.write(id); err != nil {
					t.Fatal(err)
				}
			}
			w.pass(1)
		}
		files := func() (names []string) {
			for _, name := range w.disk.Files() {
				if strings.HasPrefix(name, "tails/") {
					names = append(names, name)
				}
			}
			return names
		}
		for len(files()) == 0 {
			writeAll(w.ids)
		}
		first := files()[0]
		slow.dir.Store("sessions/" + w.ids[0])
		for len(files()) < 2 { // the first one is to go, and cannot
			writeAll(w.ids)
		}
		others, fails := w.ids[1:], 1
		w.disk.Fail(func(_ int, op disktest.Op) *disktest.Fault {
			if fails > 0 && op.Kind == "write" && strings.HasPrefix(op.Name, "tails/") {
				fails--
				return &disktest.Fault{Err: syscall.ENOSPC, Short: len(op.Data) / 2}
			}
			return nil
		})
		for range 60 {
			writeAll(others)
		}
		if fails > 0 || files()[0] != first {
			t.Fatalf("%d failures to come, %v", fails, files())
		}
		slow.dir.Store("")
		close(slow.open)
		synctest.Wait()
		failing := files()
		for range 3 {
			writeAll(w.ids)
		}
		if now := files(); len(now) == 0 || now[len(now)-1] <= failing[len(failing)-1] {
			t.Errorf("nothing is shared: %v", now)
		}
		w.losePower()
		w.syncer.Close()
	})
}
