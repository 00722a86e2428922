package cache

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func idNumber(n int) string { return fmt.Sprintf("0198c5a2-7d1e-7c3f-9a51-%012d", n) }

// One writer has a folder, and one holder a session.
func TestOneWriter(t *testing.T) {
	dir := t.TempDir()
	first, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a second writer gets %v", err)
	}
	session, _, err := first.Session(lifeID)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := first.Session(lifeID); err == nil {
		t.Error("a session is open twice")
	}
	if err := first.Remove(lifeID); err == nil {
		t.Error("a session that is open was removed")
	}
	session.Close()
	if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 1}, Lines: [][]byte{modelLine(1)}}); err == nil {
		t.Error("a session that was closed takes lines")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := Open(dir, Options{})
	if err != nil {
		t.Fatalf("the folder is free, and yet: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

// No name but a session's id becomes the name of a file.
func TestNamesOfFiles(t *testing.T) {
	dir := t.TempDir()
	folder, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, id := range []string{"", "..", "../../etc/passwd", "0198C5A2-7d1e-7c3f-9a51-6f2b8d4e1c0a", lifeID + "/x"} {
		if _, _, err := folder.Session(id); err == nil {
			t.Errorf("%q is opened", id)
		}
		if err := folder.Remove(id); err == nil {
			t.Errorf("%q is removed", id)
		}
	}
}

// What is stored is for its owner alone.
func TestModes(t *testing.T) {
	dir := t.TempDir() + "/principal"
	folder, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	session, _, err := folder.Session(lifeID)
	if err != nil {
		t.Fatal(err)
	}
	if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 1}, Lines: [][]byte{modelLine(1)}}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, "/sessions": 0o700, "/sessions/" + lifeID + ".ndjson": 0o600, "/sessions/" + lifeID + ".index": 0o600} {
		info, err := os.Stat(dir + name)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, want)
		}
	}
}

// The session that was not opened for longest makes room, never one that is open, and the sizes are those of the files.
func TestEvict(t *testing.T) {
	m := newMemory(rand.New(rand.NewPCG(1, 1)))
	var evicted []string
	clock := time.Unix(0, 0)
	folder, err := newFolder(m, Options{Budget: 4000, Evicted: func(id string) { evicted = append(evicted, id) }, Now: func() time.Time {
		clock = clock.Add(time.Second)
		return clock
	}})
	if err != nil {
		t.Fatal(err)
	}
	var sessions []*Session
	for n := range 4 {
		s, _, err := folder.Session(idNumber(n))
		if err != nil {
			t.Fatal(err)
		}
		var lines [][]byte
		for seq := range 5 {
			lines = append(lines, modelLine(seq+1))
		}
		if err := s.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 5}, Lines: lines}); err != nil {
			t.Fatal(err)
		}
		m.used[idNumber(n)+linesSuffix] = clock
		sessions = append(sessions, s)
	}
	sessions[1].Close()
	sessions[2].Close()
	again, _, err := folder.Session(idNumber(1)) // looked at since
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
	more := sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 16}}
	for seq := range 16 {
		more.Lines = append(more.Lines, modelLine(seq+6))
	}
	before := folder.Size()
	if err := sessions[3].Do(more); !errors.Is(err, ErrFull) {
		t.Fatalf("over the budget: %v", err)
	}
	if folder.Size() != before || m.sum() != before {
		t.Errorf("a store that failed left %d bytes, counted as %d, of %d", m.sum(), folder.Size(), before)
	}
	if err := sessions[3].Do(sync.Evict{}); err != nil {
		t.Fatal(err)
	}
	if want := []string{idNumber(2)}; !slices.Equal(evicted, want) {
		t.Fatalf("evicted are %q, want %q", evicted, want)
	}
	if err := folder.Evict(); err != nil || !slices.Equal(evicted, []string{idNumber(2), idNumber(1)}) {
		t.Fatalf("evicted are %q, %v", evicted, err)
	}
	if err := folder.Evict(); err != nil || len(evicted) != 2 {
		t.Fatalf("evicted are %q, %v: the others are open", evicted, err)
	}
	if want := []string{idNumber(0), idNumber(3)}; !slices.Equal(folder.Sessions(), want) {
		t.Errorf("stored are %q, want %q", folder.Sessions(), want)
	}
	if folder.Size() != m.sum() {
		t.Errorf("counted are %d bytes, there are %d", folder.Size(), m.sum())
	}
}

// A store that fails half way leaves what was there before, also for the store after it.
func TestStoreFails(t *testing.T) {
	m, log := written(t, 2)
	session, found := opened(t, m)
	next := sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 5}, Lines: [][]byte{modelLine(5)}}
	m.limit = m.sum() + 20
	if err := session.Do(next); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("on a full disk: %v", err)
	}
	if got := int64(len(m.now[lifeID+linesSuffix])); got != found.File.Length {
		t.Errorf("the file has %d bytes, had %d", got, found.File.Length)
	}
	m.limit = 0
	if err := session.Do(next); err != nil {
		t.Fatal(err)
	}
	if shown, _ := reread(t, m); len(shown) != len(log)+1 {
		t.Errorf("%d lines, want %d", len(shown), len(log)+1)
	}
}

// With Flush the lines are on the disk when the index is written: a loss of power costs what was stored last, and never the rest.
func TestFlush(t *testing.T) {
	for seed := range uint64(200) {
		m := newMemory(rand.New(rand.NewPCG(seed, 1)))
		folder, err := newFolder(m, Options{Flush: true})
		if err != nil {
			t.Fatal(err)
		}
		session, _, err := folder.Session(lifeID)
		if err != nil {
			t.Fatal(err)
		}
		for seq := range 6 {
			if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: uint64(seq + 1)}, Lines: [][]byte{modelLine(seq + 1)}}); err != nil {
				t.Fatal(err)
			}
			if seq == 3 { // the index of the first four has reached the disk by itself
				name := lifeID + indexSuffix
				m.safe[name] = m.now[name]
				delete(m.loose, name)
			}
		}
		m.powerLoss()
		_, found := opened(t, m)
		if found.Index == nil {
			continue // both slots were being written
		}
		if shown, _ := reread(t, m); uint64(len(shown)) != found.Index.Seq || found.Index.Seq < 3 {
			t.Fatalf("seed %d: %d lines, the index says %d", seed, len(shown), found.Index.Seq)
		}
	}
}
