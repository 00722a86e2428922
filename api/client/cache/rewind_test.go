package cache

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func rewindTo(epoch, seq uint64) sync.Rewind {
	return sync.Rewind{At: protocol.Cursor{Epoch: epoch, Seq: seq}}
}

// The lines up to one stay, in the epoch that is named, and lines are stored behind it. What is behind it goes, and its room is given back.
func TestRewind(t *testing.T) {
	for to := uint64(1); to <= 6; to++ {
		m, log := written(t, 3)
		session, _ := opened(t, m)
		if err := session.Do(rewindTo(2, to)); err != nil {
			t.Fatalf("to %d: %v", to, err)
		}
		if got := readAll(t, session, sync.Open{Cached: true, Index: &session.newest.Index, File: fileOf(t, session)}); !slices.Equal(got, log[:to]) {
			t.Errorf("to %d: the session has %q", to, got)
		}
		if session.folder.Size() != m.sum() {
			t.Errorf("to %d: counted are %d bytes, there are %d", to, session.folder.Size(), m.sum())
		}
		next := sync.Store{At: protocol.Cursor{Epoch: 2, Seq: to + 1}, Lines: [][]byte{modelLine(int(to) + 1)}}
		if err := session.Do(next); err != nil {
			t.Fatal(err)
		}
		_, found := opened(t, m)
		if x := found.Index; x == nil || x.Epoch != 2 || x.Seq != to+1 || found.File.Length != x.Length {
			t.Errorf("to %d, and a line behind it: %+v, %+v", to, x, found.File)
		}
		if shown, _ := reread(t, m); uint64(len(shown)) != to+1 {
			t.Errorf("to %d, and a line behind it: %d lines", to, len(shown))
		}
	}
}

func fileOf(t *testing.T, s *Session) (f sync.File) {
	t.Helper()
	lines, length, err := s.openFile(linesSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if err := measure(lines, s.newest.Length, &f); err != nil {
		t.Fatal(err)
	}
	f.Length = length
	return f
}

// Where the line is not there, or the lines are not what they were at the opening, nothing is changed: no checksum is made of them that would be right.
func TestRewindIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		to   uint64
		harm func(m *memory)
	}{
		"behind the last line":          {7, nil},
		"before the first line":         {0, nil},
		"a bit of a line that is kept":  {3, func(m *memory) { m.now[lifeID+linesSuffix][100] ^= 1 }},
		"a bit of a line that is not":   {3, func(m *memory) { b := m.now[lifeID+linesSuffix]; b[len(b)-10] ^= 1 }},
		"a file that is shorter":        {3, func(m *memory) { b := m.now[lifeID+linesSuffix]; m.now[lifeID+linesSuffix] = b[:len(b)-1] }},
		"a file that is not there":      {3, func(m *memory) { delete(m.now, lifeID+linesSuffix) }},
		"a newline that is none":        {3, func(m *memory) { b := m.now[lifeID+linesSuffix]; b[len(b)/2-1] ^= 1 }},
		"a line in place of another":    {3, func(m *memory) { swapNumbers(m.now[lifeID+linesSuffix]) }},
		"lines that begin behind it":    {1, func(m *memory) { b := m.now[lifeID+linesSuffix]; b[7] = '4' }},
		"a first line that is no event": {3, func(m *memory) { m.now[lifeID+linesSuffix][0] = 'x' }},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := written(t, 3)
			session, _ := opened(t, m)
			if c.harm != nil {
				c.harm(m)
			}
			index := slices.Clone(m.now[lifeID+indexSuffix])
			lines := slices.Clone(m.now[lifeID+linesSuffix])
			if err := session.Do(rewindTo(2, c.to)); !errors.Is(err, ErrUnreadable) {
				t.Errorf("the answer is %v", err)
			}
			if !slices.Equal(index, m.now[lifeID+indexSuffix]) || !slices.Equal(lines, m.now[lifeID+linesSuffix]) {
				t.Error("something was changed")
			}
		})
	}
	session, _ := opened(t, newMemory(rand.New(rand.NewPCG(1, 2))))
	if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: 4}, Lines: [][]byte{modelLine(1), modelLine(3), modelLine(4)}}); err != nil {
		t.Fatal(err)
	}
	if err := session.Do(rewindTo(2, 3)); !errors.Is(err, ErrUnreadable) {
		t.Errorf("lines that are no run, though their checksum is right: %v", err)
	}
	session.Close()
	if err := session.Do(rewindTo(2, 3)); !errors.Is(err, errClosed) {
		t.Errorf("a session that was closed says %v", err)
	}
}

// swapNumbers gives the third line the number of the second.
func swapNumbers(b []byte) {
	for i := range b {
		if string(b[i:min(len(b), i+9)]) == `{"seq":3,` {
			b[i+7] = '2'
		}
	}
}

// A process that ends in the midst of it, between the index and the cut too, leaves all lines in the epoch before, or those that are kept in the new one. A
// loss of power may cost the cache, and shows nothing else either.
func TestRewindIsInterrupted(t *testing.T) {
	var before, after, long, dropped int
	for seed := range uint64(300) {
		m, log := written(t, 3)
		m.r = rand.New(rand.NewPCG(seed, 1))
		for name, b := range m.now { // all of it has reached the disk
			m.safe[name] = slices.Clone(b)
		}
		clear(m.loose)
		session, _ := opened(t, m)
		m.fuse = int(seed % 3)
		if err := session.Do(rewindTo(2, 4)); err != nil && !m.dead {
			t.Fatal(err)
		}
		power := seed%2 == 0
		if m.restart(); power {
			m.powerLoss()
		}
		_, found := opened(t, m)
		shown, _ := reread(t, m)
		switch {
		case len(shown) == 6 && found.Index.Epoch == 1:
			before++
		case len(shown) == 4 && found.Index.Epoch == 2:
			after++
			if found.File.Length > found.Index.Length {
				long++
			}
		case power && len(shown) == 0:
			dropped++
		default:
			t.Fatalf("seed %d: %d lines of %+v", seed, len(shown), found.Index)
		}
		if !slices.Equal(shown, log[:len(shown)]) {
			t.Fatalf("seed %d: shown are %q", seed, shown)
		}
	}
	t.Logf("%d times as before, %d times done, of which %d without the cut, %d times dropped", before, after, long, dropped)
	if before == 0 || after == long || long == 0 || dropped == 0 {
		t.Error("this proves too little")
	}
}
