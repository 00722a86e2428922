package supervisor_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/keep"
)

// there says that a session has a folder.
func (d *daemon) there(id string) bool {
	d.t.Helper()
	_, err := os.Stat(d.folder(id))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.t.Fatal(err)
	}
	return err == nil
}

// ended makes a session that has had a turn and has ended.
func (d *daemon) ended() string {
	d.t.Helper()
	id := d.create().ID
	d.until(id, d.prompt(id, "hello").Cursor.Seq, protocol.TypeTurnEnd)
	d.end(id)
	synctest.Wait()
	return id
}

// TestRetentionByAge: what is older than is kept goes, loudly; what is pinned, works, or is read stays. A pin survives the daemon.
//
// Proves: I15.2/age
func TestRetentionByAge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		core, logged := observer.New(zap.InfoLevel)
		d := start(t, t.TempDir(), func(c *supervisor.Config) {
			c.Keep, c.Log = keep.Rule{For: 2 * time.Hour}, zap.New(core)
		})
		goes, pinned, read, passive := d.ended(), d.ended(), d.ended(), d.create().ID
		if err := d.Retention().Pin(t.Context(), pinned, true); err != nil {
			t.Fatal(err)
		}
		if err := d.Retention().Pin(t.Context(), "00000000-0000-4000-8000-999999999999", true); code(err) != protocol.CodeSessionNotFound {
			t.Errorf("no session is pinned: %v", err)
		}
		var discarded []string
		time.Sleep(time.Hour)
		if !d.there(goes) || !d.there(passive) {
			t.Fatal("it went too early")
		}
		d.close()
		d.start()
		var mu sync.Mutex
		d.Retention().OnDiscarded(func(id string) {
			mu.Lock()
			defer mu.Unlock()
			discarded = append(discarded, id)
		})
		revision := d.Roster().Now()
		r := d.reader(read)
		worksFrom := d.create().ID
		time.Sleep(90 * time.Minute)
		for id, want := range map[string]bool{goes: false, passive: false, pinned: true, read: true, worksFrom: true} {
			if got := d.there(id); got != want {
				t.Errorf("%s has a folder: %v", id, got)
			}
			if _, err := d.Look(t.Context(), id); (err == nil) != want {
				t.Errorf("%s is listed: %v", id, err)
			}
		}
		if e, is := d.Known(pinned); !is || !e.Pinned {
			t.Errorf("the pin is not known: %+v", e)
		}
		gone := 0
		changed, _, _ := d.Roster().Since(revision)
		for _, x := range changed {
			if x.Gone {
				gone++
			}
		}
		lines := logged.FilterMessage("retention removes a session")
		if n := d.Health().Retention.Sessions[keep.WhyAge]; gone != 2 || n != 2 || len(discarded) != 2 || lines.Len() != 2 || lines.FilterField(zap.String("session", goes)).Len() != 1 {
			t.Errorf("%d gone in the list, %d counted, told of %v, %d lines", gone, n, discarded, lines.Len())
		}
		r.Leave()
		if err := d.Retention().Pin(t.Context(), pinned, false); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		if d.there(pinned) || d.there(read) {
			t.Error("what nobody keeps any more is still there")
		}
		d.close()
	})
}

// TestRetentionByBytes: native lines go first, and the log of the session can be read to its end without them; then whole sessions do. A plan says so before.
//
// Proves: I15.2/bytes
func TestRetentionByBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Keep.Bytes = 1 << 40 })
		first, second := d.ended(), d.ended()
		time.Sleep(20 * time.Minute) // they are put away
		log := d.file(first)
		p, err := d.Retention().Plan(t.Context(), nil)
		if err != nil || len(p.Going) > 0 || p.Bytes < int64(len(log)) {
			t.Fatalf("%+v, %v", p, err)
		}
		rule := &keep.Rule{Bytes: p.Bytes - 10}
		if p, err = d.Retention().Plan(t.Context(), rule); err != nil || len(p.Going) != 1 || !p.Going[0].Archive || p.Going[0].ID != first {
			t.Fatalf("%+v, %v", p, err)
		}
		collect := func(rule *keep.Rule) {
			if err := d.Retention().Collect(t.Context(), rule); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		collect(rule)
		r, err := d.Raw(t.Context(), first)
		if err != nil || r.First() < 2 {
			t.Fatalf("its native lines: %v, %v", r, err)
		}
		if d.file(first) != log || !d.there(second) {
			t.Error("more is gone than its native lines")
		}
		d.until(first, 0, protocol.TypeSessionEnd)
		if n := d.Health().Retention.Archives[keep.WhyBytes]; n != 1 {
			t.Errorf("%d are counted", n)
		}
		time.Sleep(20 * time.Minute)
		collect(&keep.Rule{Bytes: int64(len(log)) + 3000}) // the second one's log, with its index and record, but not both
		if d.there(first) || !d.there(second) {
			t.Errorf("the first is there: %v, the second: %v", d.there(first), d.there(second))
		}
		if list, err := filepath.Glob(filepath.Join(d.cfg.Data, "sessions", "*")); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
		d.close()
	})
}

// TestEndIsRead: who follows a session reads its end, and finds it for a minute, however much there is.
func TestEndIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Keep.Bytes = 1 })
		id := d.create().ID
		d.until(id, d.prompt(id, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		time.Sleep(time.Minute)
		d.end(id)
		d.ended() // which has retention look
		time.Sleep(20 * time.Second)
		d.until(id, 0, protocol.TypeSessionEnd)
		r := d.reader(id) // one that stays, and reads on
		time.Sleep(5 * time.Minute)
		d.until(id, 0, protocol.TypeSessionEnd)
		r.Leave()
		time.Sleep(5 * time.Minute)
		if d.there(id) {
			t.Error("it is still there")
		}
		d.close()
	})
}

// TestScarceDisk: a disk with less room than is to stay free takes no new session, and says why.
//
// Proves: I15.2/low-water
func TestScarceDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := start(t, t.TempDir(), nil)
		id := d.ended()
		d.close()
		d.cfg.Keep.Free = 1 << 62
		d.start()
		_, err := d.Create(t.Context(), supervisor.NewSession{Agent: "scripted", Cwd: d.root})
		var p *protocol.Problem
		if !errors.As(err, &p) || p.Code != protocol.CodeOverloaded || p.Hint == "" {
			t.Errorf("a session is made: %v", err)
		}
		time.Sleep(time.Minute)
		if r, err := d.Raw(t.Context(), id); err != nil || r.First() < 2 || !d.there(id) {
			t.Errorf("native lines are not gone, or more is: %v, %v", r, err)
		}
		if n := d.Health().Retention.Archives[keep.WhyDisk]; n != 1 {
			t.Errorf("%d are counted", n)
		}
		d.close()
	})
}

// forgetful is a disk that takes no session.json while it is full.
type forgetful struct {
	disk.FS
	full atomic.Bool
}

func (d *forgetful) Create(name string) (disk.Writer, error) {
	if d.full.Load() && strings.Contains(name, "session.json") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOSPC}
	}
	return d.FS.Create(name)
}

// TestPinOnFullDisk: a pin that would not survive the daemon is not answered as one that does.
//
// Proves: I15.2/kept
func TestPinOnFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := &forgetful{FS: disk.OS()}
		d := start(t, t.TempDir(), func(c *supervisor.Config) { c.Files = files })
		id := d.ended()
		files.full.Store(true)
		if err := d.Retention().Pin(t.Context(), id, true); code(err) != protocol.CodeReadOnly {
			t.Errorf("a full disk takes a pin: %v", err)
		}
		files.full.Store(false)
		if err := d.Retention().Pin(t.Context(), id, true); err != nil {
			t.Error(err)
		}
		d.close()
		d.start()
		if e, is := d.Known(id); !is || !e.Pinned {
			t.Errorf("the pin is not known: %+v", e)
		}
		d.close()
	})
}
