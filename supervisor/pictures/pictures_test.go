package pictures_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/scenarios/leaks"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
)

func TestMain(m *testing.M) { leaks.Main(m) }

const one, two = "0199a7a0-0000-7000-8000-000000000001", "0199a7a0-0000-7000-8000-000000000002"

func isHere(string) bool { return true }

// TestPictures: what a session has, and gets, is put, also where the session comes to Core later, and where Core and the store were away; nothing else is.
//
// Proves: I16.5/pictures
func TestPictures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		place, bucket := new(memory.Place), new(objectsmemory.Place)
		c := cold.Join(place.Core(), func() (objects.Store, error) { return bucket.Store(), nil })
		defer c.Close()
		owner, err := c.Join(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		take := func(id string) core.Position {
			at, err := c.Take(t.Context(), owner, []core.Record{{Session: id}})
			if err != nil {
				t.Fatal(err)
			}
			return at[0]
		}
		take(one)
		var p *pictures.Pictures
		images := func(id string) session.Images {
			return session.Images{Dir: filepath.Join(root, id, "images"), Files: pictures.Noting(disk.OS(), func() {
				if p != nil {
					p.Note(id)
				}
			})}
		}
		put := func(id, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Join(root, id), 0o700); err != nil {
				t.Fatal(err)
			}
			if _, _, err := images(id).Put("image/png", []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		has := func(id, text string, want bool) {
			t.Helper()
			got, ok, err := c.(cold.Pictures).Picture(t.Context(), id, sha256.Sum256([]byte(text)))
			if err != nil || ok != want || ok && string(got) != text {
				t.Errorf("%q of %s: %q, %v, %v", text, id, got, ok, err)
			}
		}
		later := func(by time.Duration) {
			<-time.After(by)
			synctest.Wait()
		}
		put(one, "left by an earlier life")
		for name, text := range map[string]string{".new-X": "being written", "0000": "no picture"} {
			if err := os.WriteFile(filepath.Join(root, one, "images", name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var isAway atomic.Bool
		p = pictures.Begin(pictures.Config{
			Connect: func(context.Context) (core.Core, error) { return place.Core(), nil },
			Open: func() (objects.Store, error) { // it stays open
				if isAway.Load() {
					return nil, &objects.AwayError{Op: "open", Err: errors.New("away")}
				}
				return bucket.Store(), nil
			},
			Sessions: func() []string { return []string{one, two} }, Images: images, Has: isHere, Log: zap.NewNop(),
		})
		later(time.Second)
		has(one, "left by an earlier life", true)
		put(two, "before Core has the session")
		later(time.Second)
		has(two, "before Core has the session", false)
		take(two)
		later(10 * time.Second)
		has(two, "before Core has the session", true)
		place.Leave()
		isAway.Store(true)
		put(one, "while Core is away")
		put(two, "while Core is away")
		later(time.Minute)
		place.Return()
		isAway.Store(false)
		later(20 * time.Minute)
		has(one, "while Core is away", true)
		has(two, "while Core is away", true)
		p.Close()
		n := 0
		for _, err := range bucket.Store().List(t.Context(), "", "") {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 4 {
			t.Errorf("%d objects were put", n)
		}
	})
}

// unreadable is a disk that does not give back what one session has.
type unreadable struct {
	disk.FS
	dir string
}

func (u *unreadable) List(dir string) ([]disk.Entry, error) {
	if dir == u.dir {
		return nil, syscall.EIO
	}
	return u.FS.List(dir)
}

// TestPicturesGoOn: a session whose pictures cannot be read keeps no other one's from being put, also not later; and what a Core has lost that went back, it
// gets again.
//
// Proves: I16.5/pictures
func TestPicturesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		root := t.TempDir()
		place, bucket := new(memory.Place), new(objectsmemory.Place)
		c := place.Core()
		defer c.Close()
		owner, err := c.Join(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for n := range 8 {
			ids = append(ids, fmt.Sprintf("0199a7a0-0000-7000-8000-%012x", n))
			if _, err := c.Take(t.Context(), owner, []core.Record{{Session: ids[n]}}); err != nil {
				t.Fatal(err)
			}
		}
		images := func(id string) session.Images {
			return session.Images{Dir: filepath.Join(root, id, "images"), Files: &unreadable{disk.OS(), filepath.Join(root, ids[0], "images")}}
		}
		put := func(id, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Join(root, id), 0o700); err != nil {
				t.Fatal(err)
			}
			if _, _, err := images(id).Put("image/png", []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		later := func(by time.Duration, each int) {
			t.Helper()
			<-time.After(by)
			synctest.Wait()
			for _, id := range ids[1:] {
				if list, err := c.Pictures(t.Context(), id); err != nil || len(list) != each {
					t.Errorf("%s has %d pictures, want %d: %v", id, len(list), each, err)
				}
			}
		}
		for _, id := range ids {
			put(id, "first")
		}
		log, told := observer.New(zap.WarnLevel)
		before := place.Moment()
		p := pictures.Begin(pictures.Config{
			Connect:  func(context.Context) (core.Core, error) { return place.Core(), nil },
			Open:     func() (objects.Store, error) { return bucket.Store(), nil },
			Sessions: func() []string { return ids }, Images: images, Has: isHere, Log: zap.New(log),
		})
		defer p.Close()
		later(time.Second, 1)
		<-time.After(30 * time.Minute) // by now it waits for long before it tries the broken one again
		for _, id := range ids {
			put(id, "second")
			p.Note(id)
		}
		later(time.Second, 2)
		place.GoBack(before)
		later(2*time.Hour, 2)
		if told.Len() != 1 {
			t.Errorf("%d warnings: %v", told.Len(), told.All())
		}
	})
}

// reading counts the pictures that are opened.
type reading struct {
	disk.FS
	opened atomic.Int64
}

func (r *reading) Open(name string) (disk.Reader, error) {
	r.opened.Add(1)
	return r.FS.Open(name)
}

// TestStoreThatTakesNothing: while a store takes nothing, that is told once, and nothing that works again. The pictures of a session of which Core takes
// nothing, since a put has failed, are not read until it does; then they are put, and only then is that told.
//
// Proves: I16.5/pictures
func TestStoreThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		place, bucket := new(memory.Place), new(objectsmemory.Place)
		c := place.Core()
		defer c.Close()
		owner, err := c.Join(t.Context(), "a")
		if err == nil {
			_, err = c.Take(t.Context(), owner, []core.Record{{Session: one}, {Session: two}})
		}
		if err != nil {
			t.Fatal(err)
		}
		root, files := t.TempDir(), &reading{FS: disk.OS()}
		images := func(id string) session.Images {
			return session.Images{Dir: filepath.Join(root, id, "images"), Files: files}
		}
		if err := os.MkdirAll(filepath.Join(root, one), 0o700); err != nil {
			t.Fatal(err)
		}
		const number = 3
		for n := range number {
			if _, _, err := images(one).Put("image/png", fmt.Appendf(nil, "picture %d", n)); err != nil {
				t.Fatal(err)
			}
		}
		var puts atomic.Int64
		bucket.Disturb(func(op string) error {
			if op == "put" {
				puts.Add(1)
				return &objects.AwayError{Op: op, Err: errors.New("away")}
			}
			return nil
		}, nil)
		log, told := observer.New(zap.InfoLevel)
		p := pictures.Begin(pictures.Config{
			Connect:  func(context.Context) (core.Core, error) { return place.Core(), nil },
			Open:     func() (objects.Store, error) { return bucket.Store(), nil },
			Sessions: func() []string { return []string{one} }, Images: images, Has: isHere, Log: zap.New(log),
		})
		defer p.Close()
		later := func(by time.Duration) {
			<-time.After(by)
			synctest.Wait()
		}
		logged := func(when string, want ...zapcore.Level) {
			t.Helper()
			var got []zapcore.Level
			for _, e := range told.All() {
				got = append(got, e.Level)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: it is told that %v", when, told.All())
			}
		}
		later(time.Second)
		logged("the store takes nothing", zap.WarnLevel)
		before := files.opened.Load()
		for range 590 { // something happens to another session all the time
			p.Note(two)
			later(time.Second)
		}
		if opened := files.opened.Load() - before; opened != 0 || puts.Load() != 1 {
			t.Errorf("%d pictures are opened while Core takes nothing, behind %d puts", opened, puts.Load())
		}
		logged("it takes nothing still", zap.WarnLevel)
		later(core.Busy)
		if puts.Load() != 2 {
			t.Errorf("%d puts", puts.Load())
		}
		logged("it was tried once more", zap.WarnLevel)
		bucket.Disturb(nil, nil)
		later(core.Busy)
		if list, err := c.Pictures(t.Context(), one); err != nil || len(list) != number {
			t.Errorf("%d pictures are there, %v", len(list), err)
		}
		logged("they are put", zap.WarnLevel, zap.InfoLevel)
	})
}

// TestAway: pictures of another node's session are read as files are, checked, and none is made.
//
// Proves: I16.5/pictures
func TestAway(t *testing.T) {
	right := []byte("a picture")
	no := errors.New("not from here")
	gives := right
	i := session.Images{Dir: "/nowhere", Files: pictures.Away(disk.OS(), func(digest [sha256.Size]byte) ([]byte, error) {
		if digest != sha256.Sum256(right) {
			return nil, no
		}
		return gives, nil
	}, func() error { return no })}
	digest := objects.Digest(sha256.Sum256(right)).String()
	f, err := i.Open(digest)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(right))
	if info, err := f.Stat(); err != nil || info.Size() != int64(len(right)) {
		t.Errorf("it has %v bytes, %v", info, err)
	}
	if _, err := f.ReadAt(got, 0); err != nil || !bytes.Equal(got, right) {
		t.Errorf("it is %q, %v", got, err)
	}
	gives = []byte("another")
	if _, err := i.Open(digest); !errors.Is(err, session.ErrImageDamaged) {
		t.Errorf("another one's bytes: %v", err)
	}
	for _, data := range [][]byte{right, []byte("new")} {
		if _, _, err := i.Put("image/png", data); !errors.Is(err, no) && !errors.Is(err, session.ErrImageDamaged) {
			t.Errorf("a picture is put: %v", err)
		}
	}
	if _, err := i.Open("../../etc/passwd"); err == nil {
		t.Error("what is no picture is opened")
	}
}
