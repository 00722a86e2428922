package record

import (
	"bytes"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"go.uber.org/zap"
)

// TestCheckpoint keeps a checkpoint and reads it again, whole, cut at every byte, with every byte of the state changed, and as another build's. (What its head says of the place is held against the journal.).
// Proves: I15.1/refused
func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	files := disk.OS()
	r := NewRecorder(func(id string) string { return filepath.Join(dir, id, "session.json") }, files, nil, zap.NewNop())
	if err := files.Mkdir(filepath.Join(dir, "s1")); err != nil {
		t.Fatal(err)
	}
	want := Checkpoint{
		Place: store.Place{Epoch: 2, Seq: 40, Segment: 3, Records: 9, Bytes: 4000, Sum: 77, Last: store.Source{Incarnation: 1, Batch: 30}},
		State: []byte("{\"what\":\n\"is known\"}"),
	}
	r.PutCheckpoint("s1", Checkpoint{State: []byte("older")})
	r.PutCheckpoint("s1", want)
	r.Put("s1", Record{Version: Version, Summary: new(Summary)})
	r.Wait("s1")
	if got, ok := r.Checkpoint("s1"); !ok || !reflect.DeepEqual(got, want) {
		t.Fatalf("got %+v, %v", got, ok)
	}
	if rec, err := Read(files, filepath.Join(dir, "s1", "session.json")); err != nil {
		t.Fatalf("the record beside it: %+v, %v", rec, err)
	}
	path := filepath.Join(dir, "s1", CheckpointFile)
	good, err := readWhole(files, path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, b []byte) {
		t.Helper()
		if err := files.Remove(path); err != nil {
			t.Fatal(err)
		}
		f, err := files.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got, ok := r.Checkpoint("s1"); ok {
			t.Errorf("%s at %d: it is taken as %+v", what, at, got)
		}
	}
	behind := bytes.IndexByte(good, '\n') + 1
	for i := range good {
		refused("cut", i, good[:i])
		if i >= behind {
			changed := bytes.Clone(good)
			changed[i] ^= 1
			refused("a state changed", i, changed)
		}
	}
	refused("longer", len(good), append(bytes.Clone(good), '!'))
	refused("another build's", 0, bytes.Replace(good, []byte(`"build":"`), []byte(`"build":"0`), 1))

	r.PutCheckpoint("s1", want)
	r.ForgetCheckpoint("s1")
	if _, ok := r.Checkpoint("s1"); ok {
		t.Error("it is there after it was forgotten")
	}
	r.ForgetCheckpoint("s1") // there is none
	r.Close()
	if _, ok := r.Checkpoint("s1"); ok {
		t.Error("it is written after it was forgotten")
	}
}

// TestWaitingCheckpoints has a disk that takes nothing: the bytes that wait are bounded, whatever is put, forgotten and taken.
// Proves: I15.1/hint
func TestWaitingCheckpoints(t *testing.T) {
	r := &Recorder{
		path: func(id string) string { return filepath.Join(t.TempDir(), id) }, files: disk.OS(), log: zap.NewNop(),
		waiting: map[string]job{}, anew: map[string]bool{}, safe: map[string]bool{}, arrived: make(chan struct{}, 1),
	}
	r.idle = sync.NewCond(&r.mu)
	put := func(id string, bytes, waits int) {
		t.Helper()
		r.PutCheckpoint(id, Checkpoint{State: make([]byte, bytes)})
		sum := 0
		for _, j := range r.waiting {
			sum += j.bytes()
		}
		if r.waits != waits || sum != waits {
			t.Fatalf("%d bytes wait, counted as %d, want %d", sum, r.waits, waits)
		}
	}
	put("s1", maxWaiting-100, maxWaiting-100)
	put("s2", 101, maxWaiting-100)
	put("s2", 100, maxWaiting)
	put("s2", 50, maxWaiting-50)
	put("s3", 0, maxWaiting-50) // it is to have none: that is never too much
	r.ForgetCheckpoint("s2")
	put("s4", 90, maxWaiting-10)
	r.Forget("s1")
	put("s5", 5, 95)
	for len(r.waiting) > 0 {
		if _, _, _, more, _ := r.next(); !more {
			t.Fatal("nothing is taken")
		}
		r.busy = ""
	}
	put("s6", 7, 7)
}
