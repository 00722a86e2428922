package supervisor_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// feedings is how many sessions TestFedDaemon makes: few in the tests, as many as $RINGMASTER_FED says in its long form (task fed).
func feedings(t *testing.T) int {
	text := os.Getenv("RINGMASTER_FED")
	if text == "" {
		return 160
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 160 {
		t.Fatalf("RINGMASTER_FED=%s: want a number from 160 on", text)
	}
	return n
}

// load is what a daemon has.
type load struct {
	disk, heap                             int64 // bytes
	folders, descriptors, goroutines, live int
}

func (d *daemon) load() (l load) {
	d.t.Helper()
	sessions := filepath.Join(d.cfg.Data, "sessions")
	err := filepath.WalkDir(sessions, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil: // it goes just now
			return nil
		case e.IsDir() && filepath.Dir(path) == sessions:
			l.folders++
		case !e.IsDir():
			if info, err := e.Info(); err == nil {
				l.disk += info.Size()
			}
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		d.t.Fatal(err)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	l.heap, l.descriptors, l.goroutines, l.live = int64(m.HeapAlloc), len(open), runtime.NumGoroutine(), d.Health().Live
	return l
}

// TestFedDaemon: a daemon that is fed with short sessions for ever, and keeps a number of bytes, has bounded disk, memory, descriptors and goroutines, and
// starts as fast behind many sessions as behind few.
//
// Proves: I15.2/fed
func TestFedDaemon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 1 << 20
		n := feedings(t)
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			c.Keep.Bytes, c.RingBytes = most, 64<<10
		})
		var early, late load
		for i := range n {
			id := d.create().ID
			d.until(id, d.prompt(id, "hello").Cursor.Seq, protocol.TypeTurnEnd)
			d.end(id)
			time.Sleep(100 * time.Millisecond)
			switch i + 1 {
			case n / 2:
				early = d.load()
			case n:
				late = d.load()
			}
		}
		t.Logf("of %d sessions, after half of them %+v, after all %+v", n, early, late)
		gone := d.Health().Retention.Sessions[keep.WhyBytes]
		if int(gone) < n/4 {
			t.Fatalf("only %d of %d sessions are gone: this proves nothing", gone, n)
		}
		for _, l := range []load{early, late} {
			if l.disk > 2*most {
				t.Errorf("%d bytes are on the disk, and %d are to be", l.disk, most)
			}
		}
		if late.folders > early.folders+50 || late.live > early.live+50 || late.descriptors > early.descriptors+50 || late.goroutines > early.goroutines+200 ||
			late.heap > early.heap+16<<20 {
			t.Errorf("it grows: %+v, and then %+v", early, late)
		}
		d.close()
		list, err := os.ReadDir(filepath.Join(d.cfg.Data, "sessions"))
		if err != nil || len(list) > late.folders+1 {
			t.Errorf("a start would read %d folders, %v", len(list), err)
		}
		d.start()
		page, err := d.List(t.Context(), supervisor.Query{Limit: 1})
		if err != nil || page.Total != len(list) {
			t.Errorf("%d sessions are listed of %d folders, %v", page.Total, len(list), err)
		}
		d.close()
	})
}
