package journal_test

import (
	"bytes"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// sharing is a journal that gives its tails, on a disk.
func sharing(t *testing.T) (*disktest.Disk, *journal.Journal) {
	t.Helper()
	files := disktest.New()
	return files, create(t, journal.Options{FS: files, Share: true, SegmentBytes: 1 << 20})
}

func appended(t *testing.T, j *journal.Journal, b journal.Batch) []byte {
	t.Helper()
	if err := j.Append(b); err != nil {
		t.Fatal(err)
	}
	return b.Lines
}

// TestTail: a tail has what was neither synced nor given before, as far as the journal has kept all of it, with what stands before it.
func TestTail(t *testing.T) {
	files, j := sharing(t)
	at := int64(0)
	next := uint64(1)
	add := func(text string) []byte {
		b := appended(t, j, batch(next, 2, text, journal.Source{}))
		next += 2
		at += int64(len(b))
		return b
	}
	gives := func(why string, lines []byte, ok bool) {
		t.Helper()
		x, can := j.Tail()
		if can != ok || !bytes.Equal(x.Lines, lines) {
			t.Fatalf("%s: %v, %d bytes of %d", why, can, len(x.Lines), len(lines))
		}
		if len(lines) == 0 {
			return
		}
		whole := files.Bytes(dir + "/000001.ndjson")
		if x.Segment != 1 || x.At != at-int64(len(lines)) || !bytes.Equal(x.Before, whole[max(0, x.At-64):x.At]) {
			t.Fatalf("%s: at %d of segment %d behind %q", why, x.At, x.Segment, x.Before)
		}
	}
	synced := func() {
		t.Helper()
		if err := j.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	gives("of nothing", nil, true)
	add("first")
	gives("the first batch is synced", nil, true)
	second, third := add("second"), add("third")
	gives("two batches", slices.Concat(second, third), true)
	gives("and none since", nil, true)
	gives("one more", add("fourth"), true)
	add("fifth")
	synced()
	gives("synced", nil, true)
	add(strings.Repeat("x", 40<<10))
	gives("more than is kept", nil, false)
	add("behind it")
	gives("and behind it", nil, false)
	synced()
	gives("synced since", nil, true)
	gives("one behind it", add("again"), true)
	if err := j.CloseUnclean(); err != nil {
		t.Fatal(err)
	}
	gives("closed", nil, false)
	j, _, err := journal.Open(dir, journal.Options{FS: files, Share: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	add("opened")
	gives("what stands before it is not known, nor whether it is synced", nil, false)
	synced()
	gives("known", add("known"), true)
	if err := j.NewEpoch(2); err != nil {
		t.Fatal(err)
	}
	gives("a new segment", nil, true)
	add("first")
	gives("the first batch of a segment is synced", nil, true)
	add("lost")
	files.FailAt(files.Count(), syscall.EIO, 0)
	if j.Sync() == nil {
		t.Fatal("no failure")
	}
	gives("failed", nil, false)
	if err := j.Recover(next - 1); err != nil {
		t.Fatal(err)
	}
	gives("lines of the segment that has failed are not of the next one", nil, true)
}

// TestTailBesideSync: lines that come while a sync is under way are given, also where only that sync makes those before them safe.
func TestTailBesideSync(t *testing.T) {
	s := &slow{Disk: disktest.New()}
	j := create(t, journal.Options{FS: s, Share: true})
	appended(t, j, batch(1, 1, "", journal.Source{}))
	appended(t, j, batch(2, 1, strings.Repeat("x", 70<<10), journal.Source{}))
	var lines []byte
	s.during = func() error {
		lines = appended(t, j, batch(3, 1, "meanwhile", journal.Source{}))
		return nil
	}
	if err := j.Sync(); err != nil {
		t.Fatal(err)
	}
	if x, ok := j.Tail(); !ok || !bytes.Equal(x.Lines, lines) {
		t.Errorf("%v, %d bytes of %d", ok, len(x.Lines), len(lines))
	}
}

// TestMendLeavesOtherLogs: a log that has gone on another way than the lines that were kept, wherever it parted from them, is left as it is. One of which bytes are
// missing, or zero, is mended.
func TestMendLeavesOtherLogs(t *testing.T) {
	files, j := sharing(t)
	kept := []store.Tail{}
	for n := range uint64(4) {
		appended(t, j, batch(1+3*n, 3, "the first time", journal.Source{}))
		x, ok := j.Tail()
		if !ok {
			t.Fatal("no tail")
		}
		if len(x.Lines) > 0 {
			kept = append(kept, x)
		}
	}
	name := dir + "/000001.ndjson"
	whole := slices.Clone(files.Bytes(name))
	logs := journal.In(func(id string) string { return id }, journal.Options{FS: files})
	mend := func(is []byte) ([]byte, store.Mended) {
		t.Helper()
		files.Put(name, slices.Clone(is))
		m, err := logs.Mend(dir, 1, kept, false)
		if err != nil {
			t.Fatal(err)
		}
		return files.Bytes(name), m
	}
	begin := kept[0].At
	for cut := begin; cut <= int64(len(whole)); cut++ {
		if got, m := mend(whole[:cut]); m.Other || !bytes.Equal(got, whole) || m.Bytes != int64(len(whole))-cut {
			t.Fatalf("cut at %d: %+v", cut, m)
		}
		zeros := slices.Concat(whole[:cut], make([]byte, int64(len(whole))-cut))
		if got, m := mend(zeros); m.Other || !bytes.Equal(got, whole) {
			t.Fatalf("zeros from %d: %+v", cut, m)
		}
	}
	seq := uint64(3)
	for at := begin; at < int64(len(whole)); at += int64(bytes.IndexByte(whole[at:], '\n')) + 1 {
		seq++
		for _, text := range []string{"", "not the first", "the first time?", strings.Repeat("much longer", 100)} {
			other := slices.Concat(whole[:at], line(seq, text), line(seq+1, text))
			if got, m := mend(other); !m.Other || !bytes.Equal(got, other) {
				t.Fatalf("another line %d, %q: %+v", seq, text, m)
			}
		}
	}
}
