package journal_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// TestAppendAllocates: an append costs its two writes; nothing is allocated per batch or per line.
func TestAppendAllocates(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	j, err := journal.Create(filepath.Join(t.TempDir(), "s"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var batches []journal.Batch
	for n := range uint64(102) {
		batches = append(batches, batch(64*n+1, 64, agentText, journal.Source{}))
	}
	next := 0
	if n := testing.AllocsPerRun(100, func() {
		if err := j.Append(batches[next]); err != nil {
			t.Fatal(err)
		}
		next++
	}); n > 0 {
		t.Errorf("%v allocations per append", n)
	}
}

// TestIdleMemory: a journal that is open and idle holds no file and at most 1.5 KB.
func TestIdleMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector needs memory of its own")
	}
	const journals = 300
	root := t.TempDir()
	for n := range journals {
		j, err := journal.Create(filepath.Join(root, fmt.Sprint(n)), journal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Append(batch(1, 64, agentText, journal.Source{})); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("this system does not list open files")
		}
		return len(list)
	}
	var open [journals]*journal.Journal
	heap, fds := settled(), files()
	for n := range open {
		var err error
		if open[n], _, err = journal.Open(filepath.Join(root, fmt.Sprint(n)), journal.Options{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	grown := settled() - heap
	t.Logf("%d bytes per idle journal", grown/journals)
	if grown/journals > 1536 {
		t.Errorf("%d bytes per idle journal", grown/journals)
	}
	if now := files(); now > fds { // of an earlier test some may be closed only now
		t.Errorf("%d files open", now-fds)
	}
	runtime.KeepAlive(&open)
}

func settled() int64 {
	var m runtime.MemStats
	for range 3 { // pools let go in two collections
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestRangeGivesTheFile: the writer of net/http gets what it can hand to sendfile, a limited *os.File.
func TestRangeGivesTheFile(t *testing.T) {
	j, err := journal.Create(filepath.Join(t.TempDir(), "s"), journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := j.Append(batch(1, 5, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	r, err := j.Log().Range(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var w sendfiler
	if _, err := r.WriteTo(&w); err != nil {
		t.Fatal(err)
	}
	if !w.file {
		t.Error("not a limited *os.File")
	}
}

// sendfiler looks at its source as net.TCPConn does.
type sendfiler struct{ file bool }

func (s *sendfiler) Write(b []byte) (int, error) { return len(b), nil }

func (s *sendfiler) ReadFrom(r io.Reader) (int64, error) {
	limited, ok := r.(*io.LimitedReader)
	if ok {
		_, s.file = limited.R.(*os.File)
	}
	return io.Copy(io.Discard, r)
}
