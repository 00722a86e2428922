package supervisor_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// narrow is a disk that has no room for what is to be mended.
type narrow struct {
	*crammed
	room atomic.Bool
}

func (d *narrow) Patch(name string) (disk.Patcher, error) {
	p, err := d.FS.Patch(name)
	return narrowPatch{p, d}, err
}

type narrowPatch struct {
	disk.Patcher
	on *narrow
}

func (p narrowPatch) WriteAt(b []byte, at int64) (int, error) {
	if p.on.room.Load() {
		return p.Patcher.WriteAt(b, at)
	}
	return 0, syscall.ENOSPC
}

// TestShortLog: a daemon that starts where there is no room for the end of a log that a loss of power has taken says so of that session, which can be read as far as it
// goes and takes nothing; the others work. When there is room it goes on behind all that it had, by itself.
func TestShortLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		files := &narrow{crammed: &crammed{FS: disk.OS(), at: -1}}
		data := t.TempDir()
		d := start(t, data, func(cfg *supervisor.Config) { cfg.Files = files })
		id, other := d.create().ID, d.create().ID
		for _, id := range []string{id, other} {
			d.until(id, d.prompt(id, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		}
		synctest.Wait()
		files.set(false, true)
		_ = d.Close(t.Context()) // it was killed, and has more to say
		time.Sleep(2 * time.Second)
		files.set(false, false)
		whole, at := loseEnd(t, d, id)
		log := func() (files [][]byte) {
			t.Helper()
			names, err := filepath.Glob(filepath.Join(d.folder(id), "0*"))
			for _, name := range names {
				b, readErr := os.ReadFile(name)
				files, err = append(files, b), errors.Join(err, readErr)
			}
			if err != nil {
				t.Fatal(err)
			}
			return files
		}
		lost := log()

		short := func() {
			t.Helper()
			if sum := d.look(id); !sum.ReadOnly || sum.Damage != nil {
				t.Errorf("%+v", sum)
			}
			if got := d.shown(id); !bytes.Equal(got, whole[:at]) {
				t.Errorf("%d bytes are shown, and %d are there", len(got), at)
			}
			for range 3 {
				_, err := ask.Ask(t.Context(), d.find(id), sendPrompt("x"))
				var p *protocol.Problem
				if !errors.As(err, &p) || p.Code != protocol.CodeReadOnly || p.Hint != "the disk is full: free space, the session then goes on in a new segment" {
					t.Fatalf("%v: %+v", err, p)
				}
				time.Sleep(2 * time.Second)
			}
			d.until(other, d.prompt(other, "hello").Cursor.Seq, protocol.TypeTurnEnd)
			if n, err := os.ReadDir(filepath.Join(d.cfg.Data, "tails")); err != nil || len(n) != 1 {
				t.Errorf("%v, %v", n, err)
			}
			if !slices.EqualFunc(log(), lost, bytes.Equal) {
				t.Error("the log is not as it was left")
			}
		}
		d.start()
		short()
		d.close()
		d.start()
		short()
		r := d.reader(id)
		files.room.Store(true)
		if err := r.Ring.WaitRetired(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		d.until(id, d.prompt(id, "hello").Cursor.Seq, protocol.TypeTurnEnd)
		if got := d.shown(id); !bytes.HasPrefix(got, whole) {
			t.Errorf("%d bytes are shown, and they do not begin with the %d that were", len(got), len(whole))
		}
		if sum := d.look(id); sum.ReadOnly || sum.Epoch != 2 {
			t.Errorf("%+v", sum)
		}
		if n, err := os.ReadDir(filepath.Join(d.cfg.Data, "tails")); err != nil || len(n) > 0 {
			t.Errorf("%v, %v", n, err)
		}
		d.close()
	})
}

// loseEnd leaves a session as a loss of power could that took the last line of its log, which is kept, and gives the log and where that line begins.
func loseEnd(t *testing.T, d *daemon, id string) (whole []byte, at int) {
	t.Helper()
	name := filepath.Join(d.folder(id), "000001.ndjson")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at = bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	f, err := tails.In(filepath.Join(d.cfg.Data, "tails"), disk.OS()).Begin()
	if err != nil {
		t.Fatal(err)
	}
	f.Add(id, &store.Tail{Segment: 1, At: int64(at), Before: whole[at-64 : at], Lines: whole[at:]})
	record, readErr := os.ReadFile(filepath.Join(d.folder(id), "session.json"))
	d.write(id, "session.json", string(bootName.ReplaceAll(record, []byte(`"boot":"another"`))))
	err = errors.Join(f.Commit(), f.Close(), readErr, os.Truncate(name, int64(at)+5), os.Truncate(filepath.Join(d.folder(id), "000001.index"), 64))
	if err != nil {
		t.Fatal(err)
	}
	return whole, at
}
