package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/api/client/cache"
	"github.com/ringmaster-agents/ringmaster/api/client/sync"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// runs gives the logs of protocol/testdata whose numbers have no gap, each with its lines.
func runs(t *testing.T) iter.Seq2[string, [][]byte] {
	names, err := filepath.Glob("../../protocol/testdata/logs/*.ndjson")
	if err != nil || len(names) < 10 {
		t.Fatalf("%d logs, %v", len(names), err)
	}
	return func(yield func(string, [][]byte) bool) {
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
			whole := true
			for i, line := range lines {
				whole = whole && seqOf(line) == uint64(i+1)
			}
			if whole && !yield(filepath.Base(name), lines) {
				return
			}
		}
	}
}

func foldOf(t *testing.T, lines [][]byte) string {
	t.Helper()
	s := new(protocol.SessionState)
	for _, line := range lines {
		e, err := protocol.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		s.Apply(&e)
	}
	s.Epoch = 1 // of the cursors that these tests give
	return string(s.AppendJSON(nil))
}

// told is what a mirror has told, and has at its end.
type told struct {
	lines    []uint64
	restored uint64 // 0: no state was taken from the cache
	reset    bool
	state    string
}

// mirrorLife runs a mirror with a cache over a stream of lines from the number first on, until it has the last of them.
func mirrorLife(t *testing.T, c Cache, every uint64, first int, lines [][]byte) (got told) {
	t.Helper()
	text := complete
	for i, line := range lines {
		text += merged(1, uint64(first+i), string(line))
	}
	last := uint64(first + len(lines) - 1)
	ctx, cancel := context.WithCancelCause(t.Context())
	m := newClient("http://localhost", "the fake", "", &streamer{texts: []string{text}}, nil).Mirror(MirrorOptions{Cache: c, States: true, SaveEvery: every})
	enough, ended, heard := errors.New("enough"), make(chan error, 1), make(chan struct{})
	go func() {
		defer close(heard)
		for change, err := range m.Changes(ctx) {
			switch change := change.(type) {
			case nil:
				if !errors.Is(err, enough) {
					t.Errorf("Changes ended with %v", err)
				}
			case SessionLine:
				got.lines = append(got.lines, change.Line.At.Seq)
			case SessionRestored:
				got.restored, got.lines = change.At.Seq, nil
			case SessionReset:
				got.reset, got.lines, got.restored = true, nil, 0
			case SessionGone, SessionChanged, SessionOverflow, SessionNotice, ListCurrent:
			}
		}
	}()
	synctest.Wait()
	go func() { ended <- m.Run(ctx) }()
	synctest.Wait() // everything was read
	if at, _ := m.At(mirrored); at.Seq != last {
		t.Errorf("it stands at %s, want %d", at, last)
	}
	got.state = string(m.State(mirrored).AppendJSON(nil))
	cancel(enough)
	if err := <-ended; !errors.Is(err, enough) {
		t.Errorf("Run returned %v", err)
	}
	<-heard
	return got
}

// TestStateAndTail: wherever a mirror ended, the next one begins with the state that it left, is told the lines behind that alone, and has the state of all lines.
//
// Proves: I13.5/states
func TestStateAndTail(t *testing.T) {
	restored := 0
	for name, lines := range runs(t) {
		want := foldOf(t, lines)
		for cut := 1; cut < len(lines); cut++ {
			synctest.Test(t, func(t *testing.T) {
				folder, err := cache.Open(t.TempDir(), cache.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer folder.Close()
				mirrorLife(t, Files(folder), 0, 1, lines[:cut])
				got := mirrorLife(t, Files(folder), 0, cut+1, lines[cut:])
				if got.state != want {
					t.Errorf("%s, cut behind %d: the state is\n%s, want\n%s", name, cut, got.state, want)
				}
				if got.restored != uint64(cut) || len(got.lines) != len(lines)-cut || got.reset {
					t.Errorf("%s, cut behind %d: a state at %d and %d lines of %d were told", name, cut, got.restored, len(got.lines), len(lines))
				}
				restored++
			})
		}
	}
	t.Logf("%d mirrors have begun with a state", restored)
	if restored < 100 {
		t.Error("this proves too little")
	}
}

// damaged is a cache whose states are of no use.
type damaged struct {
	Cache
	state []byte
}

func (d damaged) Open(id string) (CachedSession, sync.Open, error) {
	s, found, err := d.Cache.Open(id)
	return damagedSession{s.(StateKeeper), d.state}, found, err
}

type damagedSession struct {
	StateKeeper
	state []byte
}

func (s damagedSession) State() ([]byte, error) { return s.state, nil }

// A state that is none, of another epoch, or of a later line costs a mirror nothing but time: it reads all lines.
func TestStatesOfNoUse(t *testing.T) {
	for name, lines := range runs(t) {
		if name != "text_turn.ndjson" {
			continue
		}
		good := foldOf(t, lines[:9])
		for _, state := range []string{
			"", "{}", `{"seq":9}`, strings.Replace(good, `"epoch":1`, `"epoch":2`, 1), strings.Replace(good, `"seq":9`, `"seq":10`, 1), good[:len(good)-1],
		} {
			synctest.Test(t, func(t *testing.T) {
				folder, err := cache.Open(t.TempDir(), cache.Options{})
				if err != nil {
					t.Fatal(err)
				}
				defer folder.Close()
				mirrorLife(t, Files(folder), 0, 1, lines[:9])
				got := mirrorLife(t, damaged{Files(folder), []byte(state)}, 0, 10, lines[9:])
				if want := foldOf(t, lines); got.state != want || got.restored != 0 || len(got.lines) != len(lines) || !got.reset {
					t.Errorf("%.40q: the state is\n%s, want\n%s; %d lines of %d were told", state, got.state, want, len(got.lines), len(lines))
				}
				if after := mirrorLife(t, Files(folder), 0, len(lines), lines[len(lines)-1:]); after.restored != uint64(len(lines)) {
					t.Errorf("%.40q: the next one begins at %d, want %d", state, after.restored, len(lines))
				}
			})
		}
	}
}

// TestStatesCostNoMoreThanLines: however long a log becomes, its states come to no more bytes than a few times its lines, and the lines behind the newest state to no more
// than that one, or than SaveEvery.
//
// Proves: I13.5/states
func TestStatesCostNoMoreThanLines(t *testing.T) {
	for _, share := range []int{100, 50, 3, 0} { // how much of each hundred bytes of lines stays in the state
		var m sync.State
		m.Step(sync.Open{Cached: true, SaveEvery: sync.SaveEvery}, 0)
		m.Step(sync.Connected{}, 0)
		line := []byte(strings.Repeat("x", 199))
		var lines, saved, size, behind int64
		saves := 0
		for seq := uint64(1); seq <= 1_000_000; seq++ {
			at := protocol.Cursor{Epoch: 1, Seq: seq}
			lines += 200
			behind += 200
			var next sync.Input
			for _, e := range m.Step(sync.Frame{At: at, Seq: seq, Line: line}, 0) {
				if _, is := e.(sync.Save); is {
					size = 1000 + lines*int64(share)/100
					saved += size
					behind = 0
					saves++
					next = sync.Saved{Size: size}
				}
			}
			if next != nil {
				m.Step(next, 0)
			}
			if most := max(size, sync.SaveEvery*200) + sync.StoreBytes + 200; behind > most {
				t.Fatalf("%d %%: %d bytes of lines stand behind a state of %d", share, behind, size)
			}
		}
		if saved > 2*lines+1000*int64(saves) {
			t.Errorf("%d %%: %d bytes of states for %d of lines", share, saved, lines)
		}
		t.Log(fmt.Sprint(share, " % of the lines are in the state: ", saves, " states, ", saved>>20, " MiB for ", lines>>20, " MiB of lines"))
	}
}
