package pictures_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/objects"
	objectsmemory "github.com/ringmaster-agents/ringmaster/actors/objects/memory"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
)

// home is a node with sessions that Core has as well, in virtual time.
type home struct {
	*testing.T
	data     folder.Data
	place    memory.Place
	bucket   objectsmemory.Place
	core     core.Core
	owner    core.Owner
	isAway   atomic.Bool  // the store cannot be opened
	asked    atomic.Int64 // keys that Core was asked to take
	refused  sync.Map     // by id: what Core says to a key
	pictures *pictures.Pictures
	told     *observer.ObservedLogs
}

func newHome(t *testing.T, ids ...string) *home {
	h := &home{T: t, data: folder.Data{Root: t.TempDir()}}
	h.core = h.place.Core()
	var err error
	h.owner, err = h.core.Join(t.Context(), "here")
	h.must(err)
	for _, id := range ids {
		_, err := h.core.Take(t.Context(), h.owner, []core.Record{{Session: id}})
		h.must(err)
	}
	return h
}

func (h *home) must(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

func (h *home) begin() {
	log, told := observer.New(zap.InfoLevel)
	h.told = told
	h.pictures = pictures.Begin(pictures.Config{
		Connect: func(context.Context) (core.Core, error) { return &strict{h.place.Core(), h}, nil },
		Open: func() (objects.Store, error) {
			if h.isAway.Load() {
				return nil, &objects.AwayError{Op: "open", Err: errors.New("away")}
			}
			return h.bucket.Store(), nil
		},
		Sessions: func() []string { return nil }, Images: h.images, Has: h.has, Data: h.data, Logs: shelf{data: h.data}, Log: zap.New(log),
	})
}

func (h *home) end() {
	h.pictures.Close()
	h.core.Close()
}

func (h *home) images(id string) session.Images { return session.Images{Dir: h.data.Images(id)} }

// has says that a session has a folder that was not set aside.
func (h *home) has(id string) bool {
	_, err := os.Stat(h.data.Session(id))
	return err == nil
}

func (h *home) draws(id, text string) {
	h.Helper()
	h.must(os.MkdirAll(h.data.Session(id), 0o700))
	_, _, err := h.images(id).Put("image/png", []byte(text))
	h.must(err)
}

// moves sets a session's folder aside, as a drain does.
func (h *home) moves(id, name string) {
	h.Helper()
	to := filepath.Dir(h.data.AsideImages(id, name))
	h.must(os.MkdirAll(filepath.Dir(to), 0o700))
	h.must(os.Rename(h.data.Session(id), to))
}

func (h *home) later(by time.Duration) {
	time.Sleep(by)
	synctest.Wait()
}

// there says that Core has these pictures of a session, and no others.
func (h *home) there(when, id string, texts ...string) {
	h.Helper()
	list, err := h.core.Pictures(h.Context(), id)
	h.must(err)
	has := map[[sha256.Size]byte]bool{}
	for _, p := range list {
		has[p.Digest] = true
	}
	for _, text := range texts {
		if !has[sha256.Sum256([]byte(text))] {
			h.Errorf("%s: Core does not have %q", when, text)
		}
	}
	if len(list) != len(texts) {
		h.Errorf("%s: Core has %d pictures, want %d", when, len(list), len(texts))
	}
}

// drains puts what a session has, as a drain does, which has so long for it.
func (h *home) drains(id string, has time.Duration) (put bool, took time.Duration) {
	ctx, cancel := context.WithTimeout(h.Context(), has)
	defer cancel()
	begun := time.Now()
	put = h.pictures.Put(ctx, id)
	return put, time.Since(begun)
}

// shelf has the folders that were set aside.
type shelf struct {
	store.Carrier
	data folder.Data
}

func (s shelf) Asides(id string) (names []string, err error) {
	found, err := os.ReadDir(s.data.Session(id) + ".aside")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range found {
		names = append(names, e.Name())
	}
	return names, err
}

func (s shelf) Shelved() (ids []string, err error) {
	found, err := filepath.Glob(s.data.Session("*.aside"))
	for _, path := range found {
		id := filepath.Base(path)
		ids = append(ids, id[:len(id)-len(".aside")])
	}
	return ids, err
}

// strict is Core that takes no keys of some sessions.
type strict struct {
	core.Core
	home *home
}

func (s *strict) Intend(ctx context.Context, session, key string) (bool, error) {
	s.home.asked.Add(1)
	if err, ok := s.home.refused.Load(session); ok {
		return false, err.(error)
	}
	return s.Core.Intend(ctx, session, key)
}

// TestPicturesOfWhatHasMoved: pictures that were not put when their session moved are put of what was set aside: each time that it has moved, with those of its
// own folder, and by the next life.
//
// Proves: I16.5/pictures
func TestPicturesOfWhatHasMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHome(t, one, two)
		h.isAway.Store(true)
		h.draws(two, "of an earlier life")
		h.moves(two, "lost.1")
		h.begin()
		h.draws(one, "of a queue")
		h.pictures.Note(one)
		h.later(time.Second)
		h.moves(one, "moved.1000")
		h.pictures.Note(one)
		h.later(time.Minute)
		h.draws(one, "when it was back")
		h.moves(one, "lost.2000")
		h.draws(one, "now")
		h.pictures.Note(one)
		h.later(time.Minute)
		h.there("the store is away", one)
		h.isAway.Store(false)
		h.later(20 * time.Minute)
		h.there("it is back", one, "of a queue", "when it was back", "now")
		h.there("it is back", two, "of an earlier life")

		before := h.asked.Load()
		h.pictures.Close()
		h.begin()
		defer h.end()
		h.later(2 * time.Hour)
		if asked := h.asked.Load() - before; asked != 0 {
			t.Errorf("%d pictures that Core has are put again", asked)
		}
	})
}

// TestPutBeforeASessionMoves: who gives a session away waits until its pictures are there, also while somebody else is at its objects, and for nothing where it
// has none, where the store takes nothing, or where there is no store.
//
// Proves: I16.5/pictures
func TestPutBeforeASessionMoves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const three = "0199a7a0-0000-7000-8000-000000000003"
		h := newHome(t, one, two, three)
		h.begin()
		defer h.end()
		h.later(time.Second)
		h.draws(one, "a picture")
		if put, took := h.drains(one, 10*time.Second); !put || took != 0 {
			t.Errorf("behind %v it is put: %t", took, put)
		}
		h.there("nobody has noted it", one, "a picture")

		h.draws(two, "another")
		other := core.Picture{Session: two, Digest: sha256.Sum256([]byte("of somebody else")), Size: 1}
		other.Key = objects.Attempt(objects.ImageKey(two, other.Digest))
		if ok, err := h.core.Intend(t.Context(), two, other.Key); err != nil || !ok {
			t.Fatal(ok, err)
		}
		if put, took := h.drains(two, 5*time.Second); put || took > 5*time.Second {
			t.Errorf("somebody else is at it: behind %v it is put: %t", took, put)
		}
		time.AfterFunc(3*time.Second, func() {
			if taken, err := h.core.Depict(t.Context(), other); err != nil || !taken {
				t.Error(taken, err)
			}
		})
		if put, took := h.drains(two, 10*time.Second); !put || took < 3*time.Second {
			t.Errorf("somebody else has done it: behind %v it is put: %t", took, put)
		}
		h.there("they have come", two, "another", "of somebody else")

		h.draws(one, "while the store answers nobody")
		h.bucket.FallSilent()
		h.pictures.Note(one)
		h.later(time.Second)
		h.draws(two, "meanwhile")
		if put, took := h.drains(two, 5*time.Second); put || took != 5*time.Second {
			t.Errorf("behind others: behind %v it is put: %t", took, put)
		}
		if put, took := h.drains(three, 5*time.Second); !put || took != 0 {
			t.Errorf("it has none: behind %v it is put: %t", took, put)
		}
		h.later(2 * time.Minute)
		if put, took := h.drains(one, 5*time.Second); put || took != 0 {
			t.Errorf("the store takes nothing: behind %v it is put: %t", took, put)
		}
		h.bucket.Return()
		h.later(3 * core.Busy)
		h.there("it answers", one, "a picture", "while the store answers nobody")
		h.there("it answers", two, "another", "of somebody else", "meanwhile")

		h.place.Leave()
		h.draws(three, "while Core is away")
		if put, took := h.drains(three, 5*time.Second); put || took != 0 {
			t.Errorf("Core is away: behind %v it is put: %t", took, put)
		}
		h.place.Return()
		var none *pictures.Pictures
		if none.Note(one); !none.Put(t.Context(), one) {
			t.Error("without a store something is left")
		}
	})
}

// TestOneThatMovedKeepsNoOthersBack: a session that is not here any more, and of which Core refuses the pictures for that, keeps those of no other session
// back. It is told once, and tried once an hour, as is one that is in Core no more.
func TestOneThatMovedKeepsNoOthersBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const gone = "0199a7a0-0000-7000-8000-000000000003"
		h := newHome(t, one, two)
		h.draws(one, "a picture")
		h.moves(one, "moved.1")
		h.draws(gone, "a picture")
		h.moves(gone, "lost.1")
		h.refused.Store(one, error(&core.AccessError{Op: "intend", Err: errors.New("not here")})) // as a server of Core says
		h.begin()
		defer h.end()
		h.later(time.Second)
		var texts []string
		for n := range 10 {
			texts = append(texts, string(rune('a'+n)))
			h.draws(two, texts[n])
			h.pictures.Note(two)
			h.later(time.Second)
			h.there("another one is refused", two, texts...)
		}
		before := h.asked.Load()
		const hours = 5
		h.later(hours * time.Hour)
		if asked := h.asked.Load() - before; asked > 2*hours {
			t.Errorf("%d keys in %d hours", asked, hours)
		}
		if h.told.Len() != 1 {
			t.Errorf("it is told that %v", h.told.All())
		}
		h.refused.Clear()
		h.later(2 * time.Hour)
		h.there("it is taken", one, "a picture")
	})
}
