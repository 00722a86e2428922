package groupsync_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/tails"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/groupsync"
)

const tick = 100 * time.Millisecond

// world is a daemon's part of the disk: logs that grow, and a Syncer beside them.
type world struct {
	t      testing.TB
	r      *rand.Rand
	disk   *disktest.Disk
	cfg    groupsync.Config
	failed atomic.Uint64
	syncer *groupsync.Syncer
	ids    []string
	logs   map[string]*log
	made   int
	told   []told
}

// log is a log as it was written.
type log struct {
	w     store.Writer
	lines []byte
	seq   uint64
}

// told is what was promised when the disk had changed so often, and what was written by then.
type told struct {
	ops  int
	safe map[string]int // bytes of each log
	all  map[string][]byte
}

func config(files disk.FS, failed *atomic.Uint64) groupsync.Config {
	return groupsync.Config{
		Failed: failed, Apart: -1, Limit: 6000, Folder: tails.In("tails", files),
		Store: journal.In(func(id string) string { return "sessions/" + id }, journal.Options{FS: files, SegmentBytes: 3000, Share: true}),
	}
}

// newWorld is a world with so many logs.
func newWorld(t testing.TB, seed uint64, logs int) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), disk: disktest.New(), logs: map[string]*log{}}
	if err := errors.Join(w.disk.Mkdir("sessions"), w.disk.SyncDir(".")); err != nil {
		t.Fatal(err)
	}
	w.cfg = config(w.disk, &w.failed)
	w.start()
	for n := range logs {
		w.ids = append(w.ids, fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
		w.create(w.ids[n])
	}
	return w
}

func (w *world) start() (left groupsync.Left) {
	w.t.Helper()
	var err error
	if w.syncer, left, err = groupsync.Open(w.cfg); err != nil {
		w.t.Fatal(err)
	}
	return left
}

func (w *world) create(id string) {
	w.t.Helper()
	j, err := w.cfg.Store.Create(id)
	if err != nil {
		w.t.Fatal(err)
	}
	w.logs[id] = &log{w: j}
}

// reopen takes a log up again, which must be as it was written.
func (w *world) reopen(id string) {
	w.t.Helper()
	l := w.logs[id]
	var got []byte
	j, _, err := w.cfg.Store.Open(id, store.Opening{}, func(line []byte) error {
		got = append(append(got, line...), '\n')
		return nil
	})
	if err != nil || !bytes.Equal(got, l.lines) {
		w.t.Fatalf("%s has %d bytes, wrote %d: %v", id, len(got), len(l.lines), err)
	}
	l.w = j
}

// write appends a batch to a log, and tells the Syncer.
func (w *world) write(id string) error {
	l := w.logs[id]
	b := store.Batch{First: l.seq + 1, Count: 1 + w.r.IntN(3), Time: int64(l.seq)}
	for i := range b.Count {
		w.made++
		text := fmt.Sprint(id, " ", w.made, strings.Repeat("x", w.r.IntN(90)))
		e := protocol.Event{Seq: b.First + uint64(i), Time: time.Now().UnixMilli(), Payload: &protocol.EntryDelta{EntryID: "e", Delta: &protocol.TextAppend{Text: text}}}
		b.Lines = append(protocol.Append(b.Lines, &e), '\n')
	}
	if err := l.w.Append(b); err != nil {
		return err
	}
	l.lines, l.seq = append(l.lines, b.Lines...), l.seq+uint64(b.Count)
	w.syncer.Note(id, groupsync.Work{Journal: l.w})
	return nil
}

// sizes are the bytes of all logs.
func (w *world) sizes() map[string]int {
	n := map[string]int{}
	for id, l := range w.logs {
		n[id] = len(l.lines)
	}
	return n
}

// promise notes what is promised from now on.
func (w *world) promise(safe map[string]int) {
	n := told{ops: w.disk.Count(), safe: safe, all: map[string][]byte{}}
	for id, l := range w.logs {
		n.all[id] = bytes.Clone(l.lines)
	}
	w.told = append(w.told, n)
}

// withdraw takes a promise back: the log is going to be removed.
func (w *world) withdraw(id string) {
	safe := map[string]int{}
	if n := len(w.told); n > 0 {
		safe = maps.Clone(w.told[n-1].safe)
	}
	delete(safe, id)
	w.promise(safe)
}

// pass lets ticks pass: what was written before them is safe behind them.
func (w *world) pass(ticks int) {
	w.promise(w.lastSafe())
	before := w.sizes()
	time.Sleep(time.Duration(ticks)*tick + time.Millisecond)
	synctest.Wait()
	w.promise(before)
}

func (w *world) lastSafe() map[string]int {
	if n := len(w.told); n > 0 {
		return w.told[n-1].safe
	}
	return nil
}

// live lets sessions work for so many ticks, with all that happens to them.
func (w *world) live(ticks int) {
	w.t.Helper()
	for n := range ticks {
		for _, id := range w.ids {
			if w.r.IntN(3) == 0 {
				continue
			}
			if err := w.write(id); err != nil {
				w.t.Fatal(err)
			}
			if err := w.befall(id); err != nil {
				w.t.Fatal(err)
			}
		}
		if n%17 == 11 {
			w.kill()
		}
		w.pass(1)
	}
}

// befall is what happens to a log now and then.
func (w *world) befall(id string) (err error) {
	l := w.logs[id]
	switch w.r.IntN(50) {
	case 0:
		err = l.w.Release()
	case 1: // the session is parked, and wakes
		err = l.w.Close()
		w.reopen(id)
	case 2: // its actor fails
		err = l.w.CloseUnclean()
		w.reopen(id)
	case 3: // it is removed, and one of the same name made
		w.withdraw(id)
		if err = errors.Join(l.w.Close(), w.cfg.Store.Remove(id)); err == nil {
			w.create(id)
			w.withdraw(id)
		}
	}
	return err
}

// kill ends the daemon without a warning, and starts one.
func (w *world) kill() {
	w.t.Helper()
	w.promise(w.lastSafe())
	for _, l := range w.logs {
		if err := l.w.CloseUnclean(); err != nil {
			w.t.Fatal(err)
		}
	}
	w.syncer.Close()
	if left := w.start(); left.Mended > 0 {
		w.t.Fatalf("a kill has left %d logs short", left.Mended)
	}
	for _, id := range w.ids {
		w.reopen(id)
		if err := w.write(id); err != nil { // that its agent has ended
			w.t.Fatal(err)
		}
	}
}

// holds says what of a promise is not there on a disk that has lost its power. next is the promise after it.
func (n told) holds(files *disktest.Disk, next told) error {
	logs := config(files, nil).Store
	for id, safe := range n.safe {
		var got []byte
		j, rec, err := logs.Open(id, store.Opening{PowerLoss: true}, func(line []byte) error {
			got = append(append(got, line...), '\n')
			return nil
		})
		if j != nil {
			err = errors.Join(err, j.Close())
		}
		if err != nil || len(got) < safe || !bytes.HasPrefix(n.all[id], got) && !bytes.HasPrefix(next.all[id], got) {
			return fmt.Errorf("%s has %d bytes, %d were safe of %d: %+v, %w", id, len(got), safe, len(n.all[id]), rec, err)
		}
	}
	return nil
}
