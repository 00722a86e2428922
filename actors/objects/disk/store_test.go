package disk_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	"github.com/ringmaster-agents/ringmaster/actors/objects/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects/objectstest"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }

// TestStore holds the store in a folder against the contract.
func TestStore(t *testing.T) {
	objectstest.Run(t, func(t testing.TB) *objectstest.Place {
		dir := t.TempDir()
		return &objectstest.Place{Way: func(t testing.TB) objects.Store { return open(t, dir, disk.Options{}) }}
	})
}

// TestStoreInMemory is the suite on the file system that TestLossOfPower cuts off.
func TestStoreInMemory(t *testing.T) {
	objectstest.Run(t, func(testing.TB) *objectstest.Place {
		d := disktest.New()
		return &objectstest.Place{Way: func(t testing.TB) objects.Store { return open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}}) }}
	})
}

func open(t testing.TB, dir string, o disk.Options) objects.Store {
	t.Helper()
	s, err := disk.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

const session = "0199a7a0-0000-7000-8000-000000000001"

func key(b []byte) string { return objects.ImageKey(session, objects.Bytes(b).SHA256) }

func body(n int) []byte { return bytes.Repeat([]byte{byte('a' + n)}, 1000*n+100) }

func put(t testing.TB, s objects.Store, n int) {
	t.Helper()
	if fresh, err := s.Put(t.Context(), key(body(n)), objects.Bytes(body(n))); err != nil || !fresh {
		t.Fatal(fresh, err)
	}
}

// whole reads all objects of a store, which are those that were put and no others.
func whole(t testing.TB, s objects.Store) (found []string) {
	t.Helper()
	for info, err := range s.List(t.Context(), "", "") {
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Get(t.Context(), info.Key, 0, objects.Whole)
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err != nil || key(b) != info.Key || int64(len(b)) != info.Size {
			t.Fatalf("%s has %d bytes %.20q, %v", info.Key, len(b), b, err)
		}
		_ = r.Close()
		found = append(found, info.Key)
	}
	return found
}

// TestLossOfPower ends the process, and cuts the power, behind every change of the disk: what Put has answered is there, and every object is whole.
func TestLossOfPower(t *testing.T) {
	d := disktest.New()
	s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
	const many = 4
	var done [many]int // the number of changes when the object was acknowledged
	for n := range many {
		put(t, s, n)
		done[n] = d.Count()
	}
	deleting := d.Count()
	if err := s.Delete(t.Context(), key(body(0))); err != nil {
		t.Fatal(err)
	}
	deleted := d.Count()
	random := rand.New(rand.NewPCG(1, 1))
	clones := 0
	for at := range d.Count() + 1 {
		crashed := []*disktest.Disk{d.Kill(at), d.Crash(at, nil)}
		for range 10 {
			crashed = append(crashed, d.Crash(at, random))
		}
		for _, c := range crashed {
			clones++
			s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: c}})
			found := whole(t, s)
			for n := range many {
				is := slices.Contains(found, key(body(n)))
				if at >= done[n] && !is && (n > 0 || at <= deleting) {
					t.Fatalf("behind change %d the object %d is not there", at, n)
				}
				if n == 0 && at >= deleted && is {
					t.Fatalf("behind change %d a deleted object is there", at)
				}
			}
			for _, name := range c.Files() {
				if strings.HasPrefix(name, ".new/") {
					t.Fatalf("behind change %d Open leaves %s", at, name)
				}
			}
			for n := range many { // and it goes on
				if _, err := s.Put(t.Context(), key(body(n)), objects.Bytes(body(n))); err != nil {
					t.Fatal(err)
				}
			}
			if got := len(whole(t, s)); got != many {
				t.Fatalf("behind change %d there are %d objects after all were put again", at, got)
			}
		}
	}
	t.Logf("%d changes, %d crashes", d.Count(), clones)
}

// TestSecondPutSyncs: who is told that an object is there can rely on it, also where the first writer ended before it had synced the folders.
func TestSecondPutSyncs(t *testing.T) {
	d := disktest.New()
	s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
	put(t, s, 1)
	for at := range d.Count() + 1 {
		c := d.Kill(at)
		s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: c}})
		if _, err := s.Put(t.Context(), key(body(1)), objects.Bytes(body(1))); err != nil {
			t.Fatal(err)
		}
		if got := whole(t, open(t, ".", disk.Options{Files: disktest.Tree{Disk: c.Crash(c.Count(), nil)}})); len(got) != 1 {
			t.Fatalf("ended behind change %d, put again, then without power: %q", at, got)
		}
	}
}

// TestFaults has every change fail once: the error is typed, no object is torn, and the next try works.
func TestFaults(t *testing.T) {
	run := disktest.New()
	put(t, open(t, ".", disk.Options{Files: disktest.Tree{Disk: run}}), 2)
	for _, fault := range []error{syscall.ENOSPC, syscall.EIO, syscall.EROFS, syscall.EACCES} {
		for at := range run.Count() {
			d := disktest.New()
			s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
			d.FailAt(at, fault, 3)
			_, err := s.Put(t.Context(), key(body(2)), objects.Bytes(body(2)))
			if err != nil && !objects.Typed(err) {
				t.Errorf("change %d with %v: %v", at, fault, err)
			}
			if found := whole(t, s); err == nil && len(found) != 1 {
				t.Errorf("change %d with %v: put, and not there", at, fault)
			} else if away := new(*objects.AwayError); err != nil && !errors.As(err, away) && len(found) != 0 {
				t.Errorf("change %d with %v: there in spite of %v", at, fault, err)
			}
			d.Fail(nil)
			if _, err := s.Put(t.Context(), key(body(2)), objects.Bytes(body(2))); err != nil || len(whole(t, s)) != 1 {
				t.Errorf("change %d with %v: not put again: %v", at, fault, err)
			}
			if d.OpenFiles() != 0 {
				t.Errorf("change %d with %v: %d files are open", at, fault, d.OpenFiles())
			}
		}
	}
}

func TestFullDisk(t *testing.T) {
	d := disktest.New()
	s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
	put(t, s, 1)
	d.Limit(5000)
	var full *objects.FullError
	if _, err := s.Put(t.Context(), key(body(9)), objects.Bytes(body(9))); !errors.As(err, &full) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("the error is %v", err)
	}
	if got := d.Files(); len(got) != 1 {
		t.Errorf("the disk has %q", got)
	}
	put(t, s, 2)
	whole(t, s)
}

// TestLeftovers: a file that somebody else writes at the moment stays, an old one goes.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	put(t, open(t, dir, disk.Options{}), 1)
	for _, name := range []string{"old", "young"} {
		if err := os.WriteFile(filepath.Join(dir, ".new", name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	if err := os.Chtimes(filepath.Join(dir, ".new", "young"), time.Time{}, now.Add(30*time.Minute)); err != nil {
		t.Fatal(err)
	}
	open(t, dir, disk.Options{Now: func() time.Time { return now.Add(61 * time.Minute) }})
	list, err := os.ReadDir(filepath.Join(dir, ".new"))
	if err != nil || len(list) != 1 || list[0].Name() != "young" {
		t.Errorf("the folder has %v, %v", list, err)
	}
}

// TestReadOnly: a folder that may only be read is read, also where a crash has left something in it, and what would change it is refused with a hint.
func TestReadOnly(t *testing.T) {
	for _, fault := range []error{syscall.EROFS, syscall.EACCES} {
		d := disktest.New()
		s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
		put(t, s, 1)
		left, err := d.Create(".new/left")
		if err = errors.Join(err, left.Close()); err != nil {
			t.Fatal(err)
		}
		d.Fail(func(int, disktest.Op) *disktest.Fault { return &disktest.Fault{Err: fault} })
		s = open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}, Now: func() time.Time { return time.Now().Add(2 * time.Hour) }})
		if found := whole(t, s); len(found) != 1 {
			t.Errorf("%v: it has %q", fault, found)
		}
		var access *objects.AccessError
		if _, err := s.Put(t.Context(), key(body(2)), objects.Bytes(body(2))); !errors.As(err, &access) || access.Hint == "" {
			t.Errorf("%v: a put: %v", fault, err)
		}
		if err := s.Delete(t.Context(), key(body(1))); !errors.As(err, &access) || access.Hint == "" {
			t.Errorf("%v: a deletion: %v", fault, err)
		}
	}
}

// TestFolder: what is no object is left alone and in no list, and no folder stays without an object.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, disk.Options{})
	put(t, s, 1)
	for _, name := range []string{"notes.txt", "sessions/notes.txt", "sessions/" + session + "/images/x", "sessions/.hidden"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "sessions", "other", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := whole(t, s); len(got) != 1 {
		t.Errorf("the list has %q", got)
	}
	if err := s.Delete(t.Context(), key(body(1))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "sessions", session, "images", "x")); err != nil {
		t.Fatal(err)
	}
	put(t, s, 2)
	if err := s.Delete(t.Context(), key(body(2))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sessions", session)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of a session without objects: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sessions", "notes.txt")); err != nil {
		t.Error(err)
	}
}

func TestNoFolder(t *testing.T) {
	var access *objects.AccessError
	if _, err := disk.Open(filepath.Join(t.TempDir(), "none"), disk.Options{}); !errors.As(err, &access) || access.Hint == "" {
		t.Errorf("the error is %v", err)
	}
}

// ending is a body that has its store closed while it is read.
type ending struct {
	io.ReaderAt
	store objects.Store
}

func (e ending) ReadAt(p []byte, off int64) (int, error) {
	if off > 100_000 {
		e.store.Close()
	}
	return e.ReaderAt.ReadAt(p, off)
}

// TestCloseEnds: a put that is under way when the store is closed leaves nothing.
func TestCloseEnds(t *testing.T) {
	d := disktest.New()
	s := open(t, ".", disk.Options{Files: disktest.Tree{Disk: d}})
	b := objects.Bytes(bytes.Repeat([]byte("x"), 400_000))
	k := objects.ImageKey(session, b.SHA256)
	b.ReaderAt = ending{b.ReaderAt, s}
	var away *objects.AwayError
	if _, err := s.Put(t.Context(), k, b); !errors.As(err, &away) || len(d.Files()) != 0 {
		t.Errorf("%v, and the disk has %q", err, d.Files())
	}
}
