package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

var most = store.Most{Events: 1 << 20, Bytes: 1 << 30}

// TestStretchDamage: of bytes that are not what was written nothing is given, and the error says where they are.
func TestStretchDamage(t *testing.T) {
	third := func(k *book) (first uint64, offset int64) { return k.ends[1] + 1, int64(k.starts[k.ends[1]]) }
	for name, c := range map[string]struct {
		spoil func(d *disktest.Disk, k *book)
		file  string
	}{
		"a bit": {func(d *disktest.Disk, k *book) { _, at := third(k); d.Flip(data1, int(at+20)*8) }, data1},
		"zeros": {func(d *disktest.Disk, k *book) {
			_, at := third(k)
			b := d.Bytes(data1)
			clear(b[at : at+30])
			d.Put(data1, b)
		}, data1},
		"a shorter file": {func(d *disktest.Disk, k *book) { _, at := third(k); d.Put(data1, d.Bytes(data1)[:at+5]) }, data1},
		"a record":       {func(d *disktest.Disk, _ *book) { d.Flip(index1, (journal.HeaderSize+2*journal.RecordSize+5)*8) }, index1},
		"a shorter index": {func(d *disktest.Disk, _ *book) {
			d.Put(index1, d.Bytes(index1)[:journal.HeaderSize+2*journal.RecordSize])
		}, index1},
	} {
		d := disktest.New()
		j := create(t, journal.Options{FS: d})
		var k book
		k.fill(t, j, 3000, seeded(9))
		c.spoil(d, &k)
		first, offset := third(&k)
		for since := range first {
			_, err := j.Log().Stretch(since, k.newest(), most)
			damage := as[*journal.DamageError](t, err)
			if damage.File != c.file || damage.Hint == "" || c.file == data1 && (damage.Seq != first || damage.Offset != offset) || damage.Seq > first || name == "a shorter file" && !strings.Contains(damage.Problem, "shorter") {
				t.Errorf("%s, since %d: %+v, want event %d at %d", name, since, damage, first, offset)
			}
		}
		if c.file == data1 {
			if st, err := j.Log().Stretch(0, first-1, most); err != nil || !bytes.Equal(st.Lines, k.upTo(first-1)) {
				t.Errorf("%s: what lies before is not given: %v", name, err)
			}
		}
		closed(t, d, j)
	}
}

// TestStretchWrongRecord: a record that says something else of a batch than is so, with the right checksum of its own, is no reason to believe it.
func TestStretchWrongRecord(t *testing.T) {
	for name, change := range map[string]func(record []byte){
		"a mark":        func(r []byte) { clear(r[44:56]) },
		"fewer lines":   func(r []byte) { r[44]-- },
		"another event": func(r []byte) { r[0]++ },
		"another place": func(r []byte) { r[8]++ },
	} {
		d := disktest.New()
		j := create(t, journal.Options{FS: d})
		if err := j.Append(batch(1, 3, "", journal.Source{})); err != nil {
			t.Fatal(err)
		}
		b := d.Bytes(index1)
		change(b[journal.HeaderSize:])
		d.Put(index1, journal.Seal(b))
		st, err := j.Log().Stretch(0, 3, most)
		var damage *journal.DamageError
		if !errors.As(err, &damage) || damage.Seq != 1 {
			t.Errorf("%s: %d events, %v", name, st.Count(), err)
		}
		if err := j.CloseUnclean(); err != nil {
			t.Fatal(err)
		}
	}
}

// opens counts the files that are opened for reading, by the end of their names.
type opens struct {
	*disktest.Disk
	files map[string]int
}

func (o *opens) Open(name string) (disk.Reader, error) {
	o.files[filepath.Ext(name)]++
	return o.Disk.Open(name)
}

// TestStretchCost: a stretch opens the index and the lines of the segment that it is in, once, and costs as little in a log of a thousand segments as in a short one.
func TestStretchCost(t *testing.T) {
	var allocations []float64
	for _, size := range []int{10_000, 500_000} {
		files := &opens{disktest.New(), map[string]int{}}
		j := create(t, journal.Options{FS: files, SegmentBytes: 500})
		var k book
		k.fill(t, j, size, seeded(2))
		since := k.ends[3]
		clear(files.files)
		stretch := func() {
			if st, err := j.Log().Stretch(since, k.newest(), store.Most{Events: 1, Bytes: 100}); err != nil || st.Last() != k.ends[4] {
				t.Fatalf("%d events, %v", st.Count(), err)
			}
		}
		if stretch(); files.files[".index"] != 1 || files.files[".ndjson"] != 1 {
			t.Errorf("%d bytes: %v were opened", size, files.files)
		}
		allocations = append(allocations, testing.AllocsPerRun(10, stretch))
		closed(t, files.Disk, j)
	}
	if !raceEnabled && allocations[0] != allocations[1] {
		t.Errorf("%v allocations", allocations)
	}
}

// TestStretchReadFaults: a disk that does not read gives an error that says so, and no lines; every file is closed.
func TestStretchReadFaults(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 900})
	var k book
	k.fill(t, j, 4000, seeded(3))
	closed(t, d, j)
	for n := 0; ; n++ {
		files := &unreadable{Disk: d, left: 1 << 30}
		o := open(journal.Options{FS: files, ReadOnly: true})
		if files.left = n; o.err != nil {
			t.Fatal(o.err)
		}
		st, err := o.j.Log().Stretch(1, k.newest()-1, most)
		if d.OpenFiles() != 0 {
			t.Fatalf("%d: files left open", n)
		}
		if err == nil {
			if !bytes.Equal(st.Lines, k.between(1, k.newest()-1)) || n < 4 {
				t.Fatalf("after %d reads: %d bytes", n, len(st.Lines))
			}
			return
		}
		var damage *journal.DamageError
		if e := new(journal.ReadError); !errors.As(err, &damage) && (!errors.As(err, &e) || !errors.Is(err, syscall.EIO)) || len(st.Lines) > 0 {
			t.Fatalf("%d: %v", n, err)
		}
	}
}

// TestStretchOfRebuiltIndex: lines whose records are gone are lines without a source, from an index that could not be written as well.
func TestStretchOfRebuiltIndex(t *testing.T) {
	d, k := written(t, 3000)
	d.Delete(index1)
	for _, opt := range []journal.Options{{FS: d, ReadOnly: true}, {FS: d}} {
		o := mustOpen(t, opt)
		st, err := o.j.Log().Stretch(2, k.newest(), most)
		if err != nil || !bytes.Equal(st.Lines, k.between(2, k.newest())) {
			t.Fatalf("%d bytes, %v", len(st.Lines), err)
		}
		if want := (store.Made{Count: int(k.newest() - 2)}); len(st.Sources) != 1 || st.Sources[0] != want || st.Time == 0 {
			t.Errorf("the sources are %v, want %v", st.Sources, want)
		}
		closed(t, d, o.j)
	}
}

// TestStretchesWhileAppending: beside a writer that rolls, releases, drops, fails and recovers, a stretch is what was published, or gone.
func TestStretchesWhileAppending(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 5000})
	const batches = 600
	var k book // written in full before anybody reads it
	var all []journal.Batch
	r := seeded(21)
	for range batches {
		b := k.next(r)
		k.add(b)
		all = append(all, b)
	}
	var published atomic.Uint64
	var read atomic.Int64
	var group sync.WaitGroup
	for n := range uint64(4) {
		group.Go(func() {
			r := seeded(n)
			for at := uint64(0); at < k.newest(); {
				upTo := published.Load()
				oldest, _ := j.Log().Bounds()
				if oldest > upTo+1 {
					continue
				}
				since := max(at, oldest-1)
				if n%2 == 0 {
					since = oldest - 1 + r.Uint64N(upTo-oldest+2)
				}
				st, err := j.Log().Stretch(since, upTo, store.Most{Events: 50 + r.IntN(100), Bytes: 1 << 20})
				var gone *journal.GoneError
				if errors.As(err, &gone) {
					continue
				}
				if err != nil || st.First != since+1 || st.Last() > upTo || !bytes.Equal(st.Lines, k.between(since, st.Last())) {
					t.Errorf("stretch %d..%d: %d bytes, %v", since, upTo, len(st.Lines), err)
					return
				}
				if n%2 == 1 || upTo == k.newest() {
					at = st.Last()
				}
				read.Add(int64(st.Count()))
			}
		})
	}
	for i, b := range all {
		if i%23 == 0 {
			d.FailAt(d.Count()+i%2, syscall.EIO, 50)
			if err := j.Append(b); err == nil {
				t.Error("the append did not fail")
			}
			d.Fail(nil)
			if err := j.Recover(b.First - 1); err != nil {
				t.Error(err)
			}
		}
		err := j.Append(b)
		published.Store(b.First + uint64(b.Count) - 1)
		switch {
		case i%31 == 0:
			err = errors.Join(err, j.Release())
		case i%67 == 0:
			err = errors.Join(err, j.DropBefore(b.First-min(b.First, 200)))
		}
		if err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	closed(t, d, j)
	t.Logf("%d events were read", read.Load())
}

// BenchmarkStretch ships sessions as a node does: a megabyte of one, then of the next, of 64 lines of 160 bytes to a batch.
func BenchmarkStretch(b *testing.B) {
	const sessions, batches, count = 100, 150, 64
	logs := make([]store.Log, sessions)
	root := b.TempDir()
	for i := range logs {
		j, err := journal.Create(filepath.Join(root, fmt.Sprint(i)), journal.Options{})
		if err != nil {
			b.Fatal(err)
		}
		for n := range uint64(batches) {
			next := batch(n*count+1, count, strings.Repeat("x", 55), journal.Source{Incarnation: 1, Batch: n + 1})
			if err := j.Append(next); err != nil {
				b.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
		logs[i] = j.Log()
	}
	for _, events := range []int{64, 2000, 6400} {
		b.Run(fmt.Sprintf("events=%d", events), func(b *testing.B) {
			b.ReportAllocs()
			since, bytes, n := make([]uint64, sessions), int64(0), 0
			for b.Loop() {
				i := n % sessions
				n++
				st, err := logs[i].Stretch(since[i], batches*count, store.Most{Events: events, Bytes: 1 << 20})
				if err != nil {
					b.Fatal(err)
				}
				bytes += int64(len(st.Lines))
				if since[i] = st.Last(); since[i] == batches*count {
					since[i] = 0
				}
			}
			b.ReportMetric(float64(bytes)/1e6/b.Elapsed().Seconds(), "MB/s")
			b.ReportMetric(float64(bytes)/float64(n), "B/stretch")
		})
	}
}
