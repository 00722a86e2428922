package natives_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/natives"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// home is a node with sessions that Core has as well, in virtual time.
type home struct {
	*testing.T
	data     folder.Data
	place    memory.Place
	bucket   objectsmemory.Place
	core     core.Core
	files    *counting
	shelf    *shelf
	isLive   atomic.Bool
	isBack   atomic.Bool // those of which something was set aside are here as well
	refused  sync.Map    // by id: what Core says to a key
	archives map[string]*raw.Archive
	natives  *natives.Natives
	told     *observer.ObservedLogs
}

func newHome(t *testing.T, sessions int) (h *home, ids []string) {
	t.Helper()
	runtime.GC() // the encoders and decoders that are kept for whoever is next are of another test's bubble; the second one takes them
	runtime.GC()
	h = &home{T: t, data: folder.Data{Root: t.TempDir()}, files: &counting{FS: disk.OS()}, shelf: &shelf{}, archives: map[string]*raw.Archive{}}
	h.core = h.place.Core()
	owner, err := h.core.Join(t.Context(), "here")
	h.must(err)
	for n := range sessions {
		id := fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n)
		ids = append(ids, id)
		_, err := h.core.Take(t.Context(), owner, []core.Record{{Session: id}})
		h.must(err)
	}
	return h, ids
}

func (h *home) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// begin has native lines put. Those of a session that was set aside are of one that is not here any more.
func (h *home) begin(ids []string) {
	log, told := observer.New(zap.InfoLevel)
	h.told = told
	h.natives = natives.Begin(natives.Config{
		Connect: func(context.Context) (core.Core, error) { return &strict{h.place.Core(), &h.refused}, nil },
		Open:    func() (objects.Store, error) { return h.bucket.Store(), nil },
		Node:    "here", Sessions: func() []string { return ids }, Data: h.data, Files: h.files, Logs: h.shelf, Log: zap.New(log),
		Epoch: func(id string) uint64 {
			if h.shelf.has(id) && !h.isBack.Load() {
				return 0
			}
			return 1
		},
		Written: func(context.Context, string) (bool, error) { return h.isLive.Load(), nil },
	})
}

func (h *home) end() {
	h.natives.Close()
	for _, a := range h.archives {
		a.Close()
	}
	h.core.Close()
}

// says has an agent say some lines, in a connection that goes on, and more of them than a tail has.
func (h *home) says(id string, lines int) {
	h.Helper()
	a := h.archives[id]
	if a == nil {
		dir := h.data.Raw(id)
		if h.shelf.has(id) {
			dir = h.data.AsideRaw(id, aside)
		}
		h.must(os.MkdirAll(filepath.Dir(dir), 0o700))
		a = raw.New(dir, raw.Options{Roll: 8 << 10})
		h.archives[id] = a
	}
	r := a.Record(1, raw.Beginning{})
	for n := range lines {
		r.Out(fmt.Appendf(nil, `{"line":%d,"of":%q}`, n, id))
		r.Batch(1)
	}
	h.must(a.Flush(h.Context()))
}

// there is the newest line that Core has of sessions.
func (h *home) there(ids ...string) []uint64 {
	h.Helper()
	upTo, err := h.core.ArchivedUpTo(h.Context(), "here", ids)
	h.must(err)
	return upTo
}

// newest is the newest line in a session's folder.
func (h *home) newest(id string) uint64 {
	h.Helper()
	dir := h.data.Raw(id)
	if h.shelf.has(id) {
		dir = h.data.AsideRaw(id, aside)
	}
	has, err := raw.Look(dir, nil)
	h.must(err)
	last, err := has.Newest()
	h.must(err)
	return last
}

// later waits, and says how often a file of an archive was opened meanwhile.
func (h *home) later(by time.Duration) (opened int64) {
	before := h.files.opened.Load()
	time.Sleep(by)
	synctest.Wait()
	return h.files.opened.Load() - before
}

// logged counts what was logged of a level.
func (h *home) logged(of func(*observer.ObservedLogs) *observer.ObservedLogs) int {
	return of(h.told).Len()
}

func warnings(told *observer.ObservedLogs) *observer.ObservedLogs {
	return told.FilterLevelExact(zap.WarnLevel)
}

func again(told *observer.ObservedLogs) *observer.ObservedLogs {
	return told.FilterMessage("native lines are put into the object store again")
}

// counting counts the files that are opened for reading, and what is read of them.
type counting struct {
	disk.FS
	opened, read atomic.Int64
}

func (c *counting) Open(name string) (disk.Reader, error) {
	c.opened.Add(1)
	r, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &counted{r, c}, nil
}

type counted struct {
	disk.Reader
	of *counting
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.of.read.Add(int64(n))
	return n, err
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(b, at)
	c.of.read.Add(int64(n))
	return n, err
}

// aside is the name under which the folders of sessions that are not here any more were set aside.
const aside = "moved.1"

// shelf has those folders.
type shelf struct {
	store.Carrier
	ids   sync.Map
	names []string // of each of them, as by their alphabet; nil: aside
	// broken are the errors of Asides, and of Aside of a name.
	broken sync.Map
}

func (s *shelf) has(id string) bool {
	_, ok := s.ids.Load(id)
	return ok
}

// fails gives an error that waits under a name.
func (s *shelf) fails(name string) error {
	err, _ := s.broken.Load(name)
	failure, _ := err.(error)
	return failure
}

func (s *shelf) Asides(id string) ([]string, error) {
	if err := s.fails("asides"); err != nil && s.has(id) {
		return nil, err
	}
	switch {
	case !s.has(id):
		return nil, nil
	case s.names != nil:
		return s.names, nil
	}
	return []string{aside}, nil
}

func (s *shelf) Aside(_, name string) (store.Log, error) { return logged{}, s.fails(name) }

func (s *shelf) Shelved() (ids []string, err error) {
	s.ids.Range(func(id, _ any) bool {
		ids = append(ids, id.(string))
		return true
	})
	return ids, nil
}

// logged is a log of which the newest epoch is known.
type logged struct{ store.Log }

func (logged) Epoch() uint64 { return 1 }

// strict is Core that takes no keys of some sessions: with an error, or since somebody else is at them.
type strict struct {
	core.Core
	refused *sync.Map
}

type answer struct{ err error }

func (s *strict) Intend(ctx context.Context, session, key string) (bool, error) {
	if says, ok := s.refused.Load(session); ok {
		return false, says.(answer).err
	}
	return s.Core.Intend(ctx, session, key)
}

// TestOneThatMovedKeepsNoOthersBack: a session that is not here any more, and of which Core refuses the lines for that, keeps those of no other session
// back, in any pass.
func TestOneThatMovedKeepsNoOthersBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ids := newHome(t, 6)
		moved, others := ids[0], ids[1:]
		h.shelf.ids.Store(moved, true)
		h.refused.Store(moved, answer{&core.AccessError{Op: "intend", Err: errors.New("not here")}}) // as a server of an earlier build says
		h.says(moved, 10)
		h.begin(others)
		defer h.end()
		for round := range 10 {
			for _, id := range others {
				h.says(id, 10)
				h.natives.Note(id)
			}
			h.natives.Note(moved)
			h.later(time.Second)
			for i, last := range h.there(others...) {
				if want := h.newest(others[i]); last != want {
					t.Errorf("round %d: of %s there is %d of %d", round, others[i], last, want)
				}
			}
		}
		if n := h.there(moved)[0]; n != 0 {
			t.Errorf("what Core refuses is there up to line %d", n)
		}
		h.refused.Clear() // a server of today has taken the place of that one
		h.later(2 * time.Hour)
		if last, want := h.there(moved)[0], h.newest(moved); last != want {
			t.Errorf("of the session that moved there is %d of %d", last, want)
		}
	})
}

// TestPartsGoInTheirOrder: of a session that was here twice and was set aside twice the lines of both times are put, also where the name of the later part
// comes first.
//
// Proves: I16.5/raw-lost
func TestPartsGoInTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ids := newHome(t, 1)
		x := ids[0]
		h.shelf.ids.Store(x, true)
		h.shelf.names = []string{"lost.2000", "moved.1000"}
		h.parts(h.data.AsideRaw(x, "moved.1000"), h.data.AsideRaw(x, "lost.2000"))
		h.begin(nil)
		defer h.end()
		h.later(time.Second)
		list, err := h.core.Archived(t.Context(), x)
		if err != nil || len(list) != 2 || list[0].Object.First != 1 || list[1].Object.First < raw.Leap {
			t.Errorf("there is %+v, %v", list, err)
		}
	})
}

// parts makes archives of one line each, of which each begins a leap behind the one before.
func (h *home) parts(dirs ...string) {
	h.Helper()
	for n, dir := range dirs {
		h.must(os.MkdirAll(filepath.Dir(dir), 0o700))
		if n > 0 {
			h.must(raw.Begin(dir, nil, uint64(n)*raw.Leap))
		}
		a := raw.New(dir, raw.Options{})
		r := a.Record(1, raw.Beginning{})
		r.Out(fmt.Appendf(nil, `{"of":%q}`, dir))
		r.Batch(1)
		h.must(a.Flush(h.Context()))
		a.Close()
	}
}

// TestPartsWaitForThoseBefore: while it cannot be seen what was set aside of a session, or of which epoch that is, nothing that comes behind it is put: it would
// not be put any more. Once it can be seen, all of it is.
//
// Proves: I16.5/raw-lost
func TestPartsWaitForThoseBefore(t *testing.T) {
	for name, fails := range map[string]string{"which there are": "asides", "of which epoch": "moved.1000"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h, ids := newHome(t, 1)
				x := ids[0]
				h.shelf.ids.Store(x, true)
				h.isBack.Store(true)
				h.shelf.names = []string{"moved.1000"}
				h.parts(h.data.AsideRaw(x, "moved.1000"), h.data.Raw(x))
				h.shelf.broken.Store(fails, error(syscall.EMFILE))
				h.begin(ids)
				defer h.end()
				h.later(time.Second)
				if n := h.there(x)[0]; n != 0 || h.logged(warnings) == 0 {
					t.Errorf("what comes behind is there up to line %d, and %d warnings", n, h.logged(warnings))
				}
				h.shelf.broken.Clear()
				h.later(2 * time.Hour)
				list, err := h.core.Archived(t.Context(), x)
				if err != nil || len(list) != 2 || list[0].Object.First != 1 || list[1].Object.First < raw.Leap {
					t.Errorf("there is %+v, %v", list, err)
				}
			})
		})
	}
}

// TestStoreThatTakesNothing: while a store takes nothing, that is told once, and nothing that works again. A session of which Core takes nothing, since a put
// has failed, is left alone until it does: its archive is not read, and whoever drains does not wait. Then its lines are put, and only then is that told.
//
// Proves: I16.5/raw-away
func TestStoreThatTakesNothing(t *testing.T) {
	for name, failed := range map[string]error{
		"away":    &objects.AwayError{Op: "put", Err: errors.New("connection refused")},
		"no room": &objects.FullError{Op: "put", Err: errors.New("no space left on device")},
		"no folder": &objects.AccessError{
			Op: "put", Err: &fs.PathError{Op: "open", Path: "objects", Err: fs.ErrNotExist}, Hint: "mount it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { takesNothing(t, failed) })
		})
	}
}

func takesNothing(t *testing.T, failed error) {
	h, ids := newHome(t, 2)
	x, without := ids[0], ids[1]
	var puts atomic.Int64
	h.bucket.Disturb(func(op string) error {
		if op == "put" {
			puts.Add(1)
			return failed
		}
		return nil
	}, nil)
	h.says(x, 100)
	h.begin(ids)
	defer h.end()
	h.later(time.Second)
	if opened := h.files.opened.Load(); opened == 0 || puts.Load() != 1 || h.logged(warnings) != 1 {
		t.Fatalf("%d files opened, %d puts, %v", opened, puts.Load(), h.told.All())
	}
	for range 590 { // something happens to other sessions all the time
		h.natives.Note(without)
		if opened := h.later(time.Second); opened != 0 {
			t.Fatalf("%d files are opened while Core takes nothing", opened)
		}
	}
	begun, before := time.Now(), h.files.opened.Load()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	if h.natives.Put(ctx, x) || time.Since(begun) != 0 || h.files.opened.Load() != before {
		t.Errorf("who drains waits for %v", time.Since(begun))
	}
	cancel()
	if h.logged(again) != 0 || h.logged(warnings) != 1 {
		t.Errorf("the store takes nothing, and it is told that %v", h.told.All())
	}
	h.refused.Store(x, answer{}) // somebody else tries it, in vain
	h.later(3 * core.Busy)
	if puts.Load() != 1 || h.logged(again) != 0 {
		t.Errorf("%d puts, %v", puts.Load(), h.told.All())
	}
	h.refused.Clear()
	h.later(core.Busy) // it was tried once more, and has failed
	if puts.Load() != 2 || h.logged(again) != 0 || h.logged(warnings) != 1 {
		t.Errorf("%d puts, %v", puts.Load(), h.told.All())
	}
	h.bucket.Disturb(nil, nil)
	h.later(core.Busy)
	if last, want := h.there(x)[0], h.newest(x); last != want || h.logged(again) != 1 || h.logged(warnings) != 1 {
		t.Errorf("line %d of %d is there, %v", last, want, h.told.All())
	}
}

// TestSomebodyElseIsAtIt: while somebody else puts an object of a session, whoever drains tries again until that is done, and not much more often than it
// needs; he does not wait for what lasts longer than he may.
//
// Proves: I16.5/raw-away
func TestSomebodyElseIsAtIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ids := newHome(t, 2)
		x, y := ids[0], ids[1]
		h.begin(ids)
		defer h.end()
		h.later(time.Second)
		p := core.Picture{Session: x, Size: 1}
		for _, id := range ids {
			h.says(id, 10)
			key := objects.Attempt(objects.ImageKey(id, objects.Bytes(nil).SHA256))
			if ok, err := h.core.Intend(t.Context(), id, key); err != nil || !ok {
				t.Fatal(ok, err)
			}
			if id == x {
				p.Key = key
			}
		}
		drains := func(id string) (put bool, took time.Duration, opened int64) {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			begun, before := time.Now(), h.files.opened.Load()
			put = h.natives.Put(ctx, id)
			return put, time.Since(begun), h.files.opened.Load() - before
		}
		named := time.AfterFunc(3*time.Second, func() {
			if taken, err := h.core.Depict(t.Context(), p); err != nil || !taken {
				t.Error(taken, err)
			}
		})
		defer named.Stop()
		if put, took, opened := drains(x); !put || took < 3*time.Second || took > 5*time.Second || opened > 20 {
			t.Errorf("behind %v it is put: %t; %d files were opened", took, put, opened)
		}
		if put, took, opened := drains(y); put || took > 10*time.Second || opened > 20 {
			t.Errorf("behind %v it is put: %t; %d files were opened", took, put, opened)
		}
		h.later(2 * core.Busy)
		if last, want := h.there(y)[0], h.newest(y); last != want {
			t.Errorf("line %d of %d is there", last, want)
		}
	})
}

// TestSurveyReadsNothing: of a session whose lines are all there no file is opened as long as its connection runs, and later no more than heads are read.
func TestSurveyReadsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, ids := newHome(t, 3)
		h.isLive.Store(true)
		for _, id := range ids[:2] {
			h.says(id, 10_000)
		}
		h.begin(ids)
		defer h.end()
		h.later(time.Minute)
		if h.files.opened.Load() == 0 || h.there(ids[0])[0] == 0 {
			t.Fatal("nothing is put")
		}
		h.files.read.Store(0)
		if opened := h.later(3 * time.Hour); opened != 0 {
			t.Errorf("%d files are opened, and %d bytes read", opened, h.files.read.Load())
		}
		h.isLive.Store(false) // the lines behind the newest pack go, too
		h.later(time.Hour)
		if last, want := h.there(ids[0])[0], h.newest(ids[0]); last != want {
			t.Fatalf("line %d of %d is there", last, want)
		}
		h.files.read.Store(0)
		if opened := h.later(time.Hour); opened > 2 || h.files.read.Load() > 64<<10 {
			t.Errorf("%d files are opened, and %d bytes read", opened, h.files.read.Load())
		}

		// a Core that was away, and gets nothing new, works again once nothing has failed for long
		h.place.Leave()
		h.later(time.Hour)
		h.place.Return()
		h.later(time.Hour)
		if h.later(2 * time.Hour); h.logged(warnings) != 1 || h.logged(again) != 1 {
			t.Errorf("it is told that %v", h.told.All())
		}
	})
}
