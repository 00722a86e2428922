package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestSegmentIsTheWire: the segments of a session, one after another, are the body of /log.
func TestSegmentIsTheWire(t *testing.T) {
	opt := journal.Options{SegmentBytes: 1000}
	path := filepath.Join(t.TempDir(), "session")
	j, err := journal.Create(path, opt)
	if err != nil {
		t.Fatal(err)
	}
	var k book
	k.fill(t, j, 5000, seeded(1))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(path, "*.ndjson"))
	if err != nil || len(names) < 4 {
		t.Fatalf("%d segments, %v", len(names), err)
	}
	var all []byte
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b...)
		if info, _ := os.Stat(name); info.Mode().Perm() != 0o600 {
			t.Errorf("%s: mode %v", name, info.Mode())
		}
	}
	if !bytes.Equal(all, k.bytes) {
		t.Error("the segments are not the log")
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o700 {
		t.Errorf("folder: mode %v", info.Mode())
	}
	var visited []byte
	j, rec, err := journal.Open(path, opt, func(l []byte) error { visited = append(append(visited, l...), '\n'); return nil })
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(visited, k.bytes) {
		t.Error("Open did not visit the log")
	}
	want := journal.Recovery{Oldest: 1, Newest: k.newest(), Epoch: 1, Last: k.sources[len(k.sources)-1], Clean: true}
	if rec != want {
		t.Errorf("recovery %+v, want %+v", rec, want)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestEveryRange: a patch is the difference of two logs, whatever the versions, however it is read (protocol §1).
func TestEveryRange(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 700})
	var k book
	k.fill(t, j, 4000, seeded(2))
	for since := uint64(0); since <= k.newest(); since++ {
		for upTo := since; upTo <= k.newest(); upTo++ {
			want := k.between(since, upTo)
			if got := read(t, j.Log(), since, upTo); !bytes.Equal(got, want) {
				t.Fatalf("range %d..%d: %q, want %q", since, upTo, got, want)
			}
			r, err := j.Log().Range(since, upTo)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("read %d..%d: %q, %v", since, upTo, got, err)
			}
			r.Close()
			lines, err := store.LinesOf(j.Log(), since, upTo)
			if err != nil {
				t.Fatal(err)
			}
			list, err := drain(lines)
			if err != nil || len(list) != int(upTo-since) {
				t.Fatalf("lines %d..%d: %d of them, %v", since, upTo, len(list), err)
			}
			for i, l := range list {
				seq := since + 1 + uint64(i)
				if want := fmt.Sprintf("%d %s", seq, bytes.TrimSuffix(k.between(seq-1, seq), []byte("\n"))); l != want {
					t.Fatalf("line %q, want %q", l, want)
				}
			}
		}
	}
	closed(t, d, j)
}

// TestLongIndex: the search goes over many pages of the index, and over lines longer than any buffer.
func TestLongIndex(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	var k book
	for seq := uint64(1); seq <= 700; seq++ {
		text := ""
		if seq%350 == 0 {
			text = strings.Repeat("long ", 50_000)
		}
		b := batch(seq, 1, text, journal.Source{})
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
		k.add(b)
	}
	for since := range k.newest() {
		if got := read(t, j.Log(), since, since+1); !bytes.Equal(got, k.between(since, since+1)) {
			t.Fatalf("event %d: %.80q", since+1, got)
		}
	}
	lines, err := store.LinesOf(j.Log(), 340, 360)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := drain(lines); err != nil || len(list) != 20 || len(list[9]) < 250_000 {
		t.Fatalf("%d lines, %v", len(list), err)
	}
	closed(t, d, j)
}

func TestBounds(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	if oldest, newest := j.Log().Bounds(); oldest != 1 || newest != 0 {
		t.Errorf("empty: %d..%d", oldest, newest)
	}
	if got := read(t, j.Log(), 0, 0); len(got) != 0 {
		t.Errorf("empty: %q", got)
	}
	if err := j.Append(batch(1, 3, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ since, upTo, newest uint64 }{{0, 4, 3}, {4, 4, 3}, {3, 2, 2}} {
		_, err := j.Log().Range(c.since, c.upTo)
		if e := as[*journal.BeyondError](t, err); e.Newest != c.newest {
			t.Errorf("%+v: newest %d", c, e.Newest)
		}
	}
	closed(t, d, j)
}

// TestWrongBatches: a caller's mistake changes nothing on the disk.
// Proves: 002.3.3/seq
func TestWrongBatches(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	ops := d.Count()
	good := batch(1, 2, "", journal.Source{})
	for name, b := range map[string]journal.Batch{
		"later":        batch(2, 2, "", journal.Source{}),
		"zero":         {First: 1},
		"count":        {First: 1, Count: 3, Lines: good.Lines},
		"no newline":   {First: 1, Count: 2, Lines: good.Lines[:len(good.Lines)-1]},
		"other number": {First: 1, Count: 2, Lines: batch(11, 2, "", journal.Source{}).Lines},
	} {
		as[*journal.BatchError](t, j.Append(b))
		if d.Count() != ops {
			t.Fatalf("%s: something was written", name)
		}
	}
	if err := j.Append(good); err != nil {
		t.Fatal(err)
	}
	closed(t, d, j)
}

func TestReleaseAndReopen(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d, SegmentBytes: 800}
	j := create(t, opt)
	var k book
	r := seeded(3)
	for range 20 {
		k.fill(t, j, len(k.bytes)+300, r)
		if err := j.Release(); err != nil {
			t.Fatal(err)
		}
		if n := d.OpenFiles(); n != 0 {
			t.Fatalf("%d files open after Release", n)
		}
		if err := j.Sync(); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, d, j)
	if err := j.Append(k.next(r)); !errors.Is(err, journal.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
	for range 5 { // opening and closing changes nothing
		before := d.Count()
		o := mustOpen(t, opt)
		same(t, &k, o, k.newest())
		if !o.rec.Clean {
			t.Error("not clean")
		}
		closed(t, d, o.j)
		if ops := d.Ops(before); len(ops) != 0 {
			t.Fatalf("changes: %v", ops)
		}
	}
	o := mustOpen(t, opt)
	k.fill(t, o.j, len(k.bytes)+2000, r)
	closed(t, d, o.j)
	same(t, &k, mustOpen(t, opt), k.newest())
}

// TestForeignWriter: a file that changed behind the journal is noticed before anything is appended to it.
func TestForeignWriter(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	if err := j.Append(batch(1, 1, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	if err := j.Release(); err != nil {
		t.Fatal(err)
	}
	d.Put("s1/000001.ndjson", append(d.Bytes("s1/000001.ndjson"), "more"...))
	if err := j.Append(batch(2, 1, "", journal.Source{})); !errors.Is(err, journal.ErrChanged) {
		t.Fatalf("append: %v", err)
	}
}

func TestCreateOnce(t *testing.T) {
	d := disktest.New()
	if err := d.Mkdir(dir); err != nil {
		t.Fatal(err)
	}
	d.Put("s1/raw.zst", []byte("something else"))
	closed(t, d, create(t, journal.Options{FS: d}))
	if _, err := journal.Create(dir, journal.Options{FS: d}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second create: %v", err)
	}
	if _, _, err := journal.Open("other", journal.Options{FS: d}, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open of nothing: %v", err)
	}
	if _, err := journal.Stat("other", journal.Options{FS: d}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat of nothing: %v", err)
	}
}

// TestCreateAgain: a journal whose first append was cut off is no journal, wherever that was; one with a whole event is.
func TestCreateAgain(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	if err := j.Append(batch(1, 1, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	closed(t, d, j)
	lines, index := d.Bytes("s1/000001.ndjson"), d.Bytes("s1/000001.index")
	for cut := range len(lines) + 1 {
		d := disktest.New()
		if err := d.Mkdir(dir); err != nil {
			t.Fatal(err)
		}
		d.Put("s1/000001.ndjson", lines[:cut])
		d.Put("s1/000001.index", index[:128])
		j, err := journal.Create(dir, journal.Options{FS: d})
		if cut == len(lines) {
			if !errors.Is(err, fs.ErrExist) {
				t.Errorf("with a whole event: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if err := j.Append(batch(1, 2, "", journal.Source{})); err != nil {
			t.Fatal(err)
		}
		closed(t, d, j)
		if o := mustOpen(t, journal.Options{FS: d}); o.rec.Newest != 2 || o.rec.TornBytes > 0 || len(o.log) <= len(lines) {
			t.Errorf("cut at %d: %+v", cut, o.rec)
		}
	}
}

func TestEpochs(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d}
	j := create(t, opt)
	var k book
	r := seeded(4)
	k.fill(t, j, 500, r)
	if err := j.NewEpoch(1); err == nil {
		t.Error("the same epoch again")
	}
	if err := j.NewEpoch(4); err != nil {
		t.Fatal(err)
	}
	if j.Log().Epoch() != 4 {
		t.Errorf("epoch %d", j.Log().Epoch())
	}
	if err := j.NewEpoch(3); err == nil {
		t.Error("an epoch that has passed")
	}
	k.fill(t, j, 1000, r)
	closed(t, d, j)
	o := mustOpen(t, opt)
	same(t, &k, o, k.newest())
	if o.rec.Epoch != 4 {
		t.Errorf("epoch %d after open", o.rec.Epoch)
	}
}

// Proves: C7/gone
func TestDropBefore(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d, SegmentBytes: 500}
	j := create(t, opt)
	var k book
	k.fill(t, j, 3000, seeded(5))
	old, err := j.Log().Range(0, k.newest())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.DropBefore(k.newest() / 2); err != nil {
		t.Fatal(err)
	}
	oldest, newest := j.Log().Bounds()
	if oldest <= 1 || oldest > k.newest()/2 || newest != k.newest() {
		t.Fatalf("bounds %d..%d", oldest, newest)
	}
	_, err = j.Log().Range(oldest-2, newest)
	if e := as[*journal.GoneError](t, err); e.Oldest != oldest {
		t.Errorf("oldest %d", e.Oldest)
	}
	_, err = old.WriteTo(io.Discard)
	as[*journal.GoneError](t, err)
	old.Close()
	if got := read(t, j.Log(), oldest-1, newest); !bytes.Equal(got, k.between(oldest-1, newest)) {
		t.Error("the rest is not what it was")
	}
	closed(t, d, j)

	// Interrupted between any two of its changes, it is as if it had dropped less.
	for n := range d.Count() {
		o := open(journal.Options{FS: d.Kill(n), SegmentBytes: 500})
		if errors.Is(o.err, fs.ErrNotExist) && n < 5 {
			continue
		}
		if o.err != nil {
			t.Fatalf("after %d changes: %v", n, o.err)
		}
		if want := k.between(o.rec.Oldest-1, o.rec.Newest); !bytes.Equal(o.log, want) {
			t.Fatalf("after %d changes: %d bytes, want %d", n, len(o.log), len(want))
		}
	}
	if err := mustOpen(t, opt).j.DropBefore(1 << 60); err != nil {
		t.Fatal(err)
	}
	if files := d.Files(); len(files) != 2 {
		t.Errorf("files left: %v", files)
	}
}

func TestRemove(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d}
	closed(t, d, create(t, opt))
	d.Put("s1/raw.zst", nil)
	ops := d.Count()
	d.FailAt(ops+3, errors.New("out of luck"), 0)
	as[*journal.WriteError](t, journal.Remove(dir, opt))
	if _, err := journal.Stat(dir, opt); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half removed: %v", err)
	}
	for range 2 {
		if err := journal.Remove(dir, opt); err != nil {
			t.Fatal(err)
		}
		if files := d.Files(); len(files) != 0 {
			t.Fatalf("left: %v", files)
		}
	}
}

func TestStat(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d, SegmentBytes: 500}
	j := create(t, opt)
	var k book
	k.fill(t, j, 1800, seeded(6))
	info, err := journal.Stat(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	if info.Newest != k.newest() || info.Clean || info.Epoch != 1 || info.Segments < 3 || info.Bytes <= int64(len(k.bytes)) || info.Time == 0 {
		t.Errorf("open: %+v", info)
	}
	closed(t, d, j)
	then, err := journal.Stat(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !then.Clean || then.Newest != info.Newest || then.Time != info.Time {
		t.Errorf("closed: %+v", then)
	}
}

func TestVisitStops(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d}
	j := create(t, opt)
	if err := j.Append(batch(1, 3, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	closed(t, d, j)
	stop := errors.New("enough")
	if j, _, err := journal.Open(dir, opt, func([]byte) error { return stop }); !errors.Is(err, stop) || j != nil {
		t.Errorf("%v, %v", j, err)
	}
	if n := d.OpenFiles(); n != 0 {
		t.Errorf("%d files left open", n)
	}
}

// TestNewerVersion: a journal of a later format is refused with a hint, and not touched (P25).
func TestNewerVersion(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d}
	j := create(t, opt)
	if err := j.Append(batch(1, 3, "", journal.Source{})); err != nil {
		t.Fatal(err)
	}
	closed(t, d, j)
	const name = "s1/000001.index"
	d.Put(name, journal.WithVersion(d.Bytes(name), 2))
	ops := d.Count()
	o := open(opt)
	if e := as[*journal.VersionError](t, o.err); e.Version != 2 || e.Hint == "" || o.j != nil {
		t.Errorf("%+v", e)
	}
	if _, err := journal.Stat(dir, opt); !reflect.DeepEqual(err, o.err) {
		t.Errorf("stat: %v", err)
	}
	if d.Count() != ops {
		t.Error("it was changed")
	}
}
