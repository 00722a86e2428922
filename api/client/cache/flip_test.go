package cache

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestFlippedBits: each bit of a cache is turned over once. None of them is ever shown: the cache gives the whole log, an earlier part of it, or nothing.
//
// Proves: I13.7/flips
func TestFlippedBits(t *testing.T) {
	m, log := written(t, 12)
	whole := map[string][]byte{}
	for name, b := range m.now {
		whole[name] = b
	}
	flips, dropped, earlier := 0, 0, 0
	for _, suffix := range []string{linesSuffix, indexSuffix, stateSuffix} {
		for bit := range 8 * len(whole[lifeID+suffix]) {
			flips++
			for name, b := range whole {
				m.now[name] = append([]byte{}, b...)
			}
			m.now[lifeID+suffix][bit/8] ^= 1 << (bit % 8)
			shown, state := reread(t, m)
			if len(shown) > len(log) {
				t.Fatalf("%s, bit %d: %d lines of %d", suffix, bit, len(shown), len(log))
			}
			for i, line := range shown {
				if line != log[i] {
					t.Fatalf("%s, bit %d: shown is\n%s, want\n%s", suffix, bit, line, log[i])
				}
			}
			switch {
			case suffix == linesSuffix && len(shown) > 0:
				t.Fatalf("bit %d of the lines was not noticed", bit)
			case suffix == stateSuffix && (len(shown) != len(log) || state != nil):
				t.Fatalf("bit %d of the state: %d lines, checkpoint %+v", bit, len(shown), state)
			case len(shown) == 0:
				dropped++
			case len(shown) < len(log):
				earlier++
			}
		}
	}
	t.Logf("%d bits: %d times nothing is left, %d times an earlier part", flips, dropped, earlier)
	if flips < 10_000 || earlier == 0 {
		t.Errorf("%d bits, %d of them lead to the older slot: this proves too little", flips, earlier)
	}
}

// written is a cache with a log that was stored in several parts, and a state.
func written(t *testing.T, parts int) (*memory, []string) {
	m := newMemory(rand.New(rand.NewPCG(1, 2)))
	session, _ := opened(t, m)
	var log []string
	for range parts {
		var lines [][]byte
		for range 2 {
			lines = append(lines, modelLine(len(log)+1))
			log = append(log, string(lines[len(lines)-1]))
		}
		if err := session.Do(sync.Store{At: protocol.Cursor{Epoch: 1, Seq: uint64(len(log))}, Lines: lines}); err != nil {
			t.Fatal(err)
		}
	}
	if err := session.SaveState(protocol.Cursor{Epoch: 1, Seq: uint64(len(log))}, []byte(`{"seq":24}`)); err != nil {
		t.Fatal(err)
	}
	return m, log
}

func modelLine(seq int) []byte {
	return fmt.Appendf(nil, `{"seq":%d,"ts":1767225600000,"type":"entry_delta","entryId":"e1","delta":{"op":"text_append","text":"word %d"}}`, seq, seq)
}

func opened(t *testing.T, m *memory) (*Session, sync.Open) {
	t.Helper()
	folder, err := newFolder(m, Options{Now: func() time.Time { return time.Time{} }})
	if err != nil {
		t.Fatal(err)
	}
	session, found, err := folder.Session(lifeID)
	if err != nil {
		t.Fatal(err)
	}
	return session, found
}

// reread is what the next process shows of a cache, before it has heard from a server. A state is only looked for: all lines are read.
func reread(t *testing.T, m *memory) (shown []string, state *sync.Checkpoint) {
	t.Helper()
	session, found := opened(t, m)
	state, found.Checkpoint = found.Checkpoint, nil
	var machine sync.State
	for _, e := range machine.Step(found, 0) {
		r, is := e.(sync.Read)
		if !is {
			continue
		}
		for line, err := range session.Lines(r) {
			if err != nil {
				return nil, state
			}
			shown = append(shown, string(line.Bytes))
		}
	}
	return shown, state
}
