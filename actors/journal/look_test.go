package journal_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// TestLook: where records tell how far lines go, a look believes them; where they do not, it reads what an opening reads; it changes nothing in either case.
func TestLook(t *testing.T) {
	const dataN, indexN = "s1/000004.ndjson", "s1/000004.index"
	for name, c := range map[string]struct {
		spoil func(d *disktest.Disk, k *book)
		lost  int // batches at the end
		fails bool
	}{
		"nothing":                    {spoil: func(*disktest.Disk, *book) {}},
		"the last index":             {spoil: func(d *disktest.Disk, _ *book) { d.Delete(indexN) }},
		"the first index":            {spoil: func(d *disktest.Disk, _ *book) { d.Delete(index1) }},
		"the last header":            {spoil: func(d *disktest.Disk, _ *book) { d.Flip(indexN, 16*8) }},
		"the first header":           {spoil: func(d *disktest.Disk, _ *book) { d.Flip(index1, 16*8) }},
		"the mark":                   {spoil: func(d *disktest.Disk, _ *book) { cutOff(d, indexN, journal.RecordSize) }},
		"the mark and a record":      {spoil: func(d *disktest.Disk, _ *book) { cutOff(d, indexN, 2*journal.RecordSize) }},
		"the mark and the last line": {lost: 1, spoil: func(d *disktest.Disk, _ *book) { cutOff(d, indexN, journal.RecordSize); cutOff(d, dataN, 3) }},
		"the mark and a batch": {lost: 1, spoil: func(d *disktest.Disk, k *book) {
			cutOff(d, indexN, journal.RecordSize)
			cutOff(d, dataN, len(k.between(k.ends[len(k.ends)-2], k.newest())))
		}},
		"a batch that was synced": {fails: true, spoil: func(d *disktest.Disk, k *book) {
			cutOff(d, dataN, len(k.between(k.ends[len(k.ends)-2], k.newest())))
		}},
		"the last lines":     {fails: true, spoil: func(d *disktest.Disk, _ *book) { d.Put(dataN, nil) }},
		"the last line file": {fails: true, spoil: func(d *disktest.Disk, _ *book) { d.Delete(dataN) }},
		"a segment":          {fails: true, spoil: func(d *disktest.Disk, _ *book) { d.Delete("s1/000002.ndjson"); d.Delete("s1/000002.index") }},
		"lines of a segment": {fails: true, spoil: func(d *disktest.Disk, _ *book) { cutOff(d, data1, 10) }},
	} {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			d := disktest.New()
			j := create(t, journal.Options{FS: d, SegmentBytes: 2000})
			var k book
			k.fill(t, j, 6000, seeded(30))
			closed(t, d, j)
			if d.Bytes(dataN) == nil || len(d.Files()) != 8 || len(d.Bytes(indexN)) < journal.HeaderSize+4*journal.RecordSize {
				t.Fatalf("%v", d.Files())
			}
			newest := k.ends[len(k.ends)-1-c.lost]
			c.spoil(d, &k)
			ops := d.Count()
			log, err := in(d, 0).Look(dir)
			if len(d.Ops(ops)) > 0 || d.OpenFiles() > 0 {
				t.Errorf("a look has changed something, or left %d files open", d.OpenFiles())
			}
			if c.fails {
				if as[*journal.DamageError](t, err); log != nil {
					t.Errorf("it gives %v", log)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, n := log.Bounds(); n != newest || log.Epoch() != 1 || !bytes.Equal(read(t, log, 0, newest), k.upTo(newest)) {
				t.Errorf("it ends with event %d, want %d", n, newest)
			}
			if st, err := log.Stretch(0, newest, most); err != nil || !bytes.Equal(st.Lines, k.upTo(newest)) {
				t.Errorf("a stretch of it has %d bytes, %v", len(st.Lines), err)
			}
		})
	}
	newer := disktest.New()
	closed(t, newer, create(t, journal.Options{FS: newer}))
	newer.Put(index1, journal.WithVersion(newer.Bytes(index1), 2))
	_, err := in(newer, 0).Look(dir)
	as[*journal.VersionError](t, err)
	d, _ := written(t, 3000)
	_, err = journal.In(filepath.Clean, journal.Options{FS: &unreadable{Disk: d}}).Look(dir)
	as[*journal.ReadError](t, err)
}

func cutOff(d *disktest.Disk, name string, n int) {
	b := d.Bytes(name)
	d.Put(name, b[:len(b)-n])
}

// TestAdoptedHeaderIsLost: a log that begins in a later epoch does not become one of epoch 1 where the header of its first segment cannot be read.
func TestAdoptedHeaderIsLost(t *testing.T) {
	for _, epoch := range []uint64{1, 7} {
		d := disktest.New()
		b := batch(40, 3, "", journal.Source{})
		st := store.Stretch{First: 40, Epoch: epoch, Time: b.Time, Lines: b.Lines, Sources: []store.Made{{Count: 3}}}
		if err := in(d, 0).Adopt(dir, func(yield func(store.Stretch, error) bool) { yield(st, nil) }, nil); err != nil {
			t.Fatal(err)
		}
		for _, name := range d.Files() {
			if strings.HasSuffix(name, ".index") {
				d.Flip(name, 16*8)
			}
		}
		o := open(journal.Options{FS: d})
		if epoch > 1 {
			as[*journal.DamageError](t, o.err)
		} else if o.err != nil || o.rec.Epoch != 1 || o.rec.Oldest != 40 || o.rec.Newest != 42 {
			t.Errorf("it opens as %+v, %v", o.rec, o.err)
		}
	}
}

// TestLookReadsNoLines where records tell how far they go, an epoch without events among them.
func TestLookReadsNoLines(t *testing.T) {
	files := &opens{disktest.New(), map[string]int{}}
	j := create(t, journal.Options{FS: files, SegmentBytes: 1000})
	var k book
	for epoch := range uint64(3) {
		k.fill(t, j, int(epoch)*2000, seeded(epoch))
		if err := j.NewEpoch(epoch + 2); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		clear(files.files)
		log, err := journal.In(filepath.Clean, journal.Options{FS: files}).Look(dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, newest := log.Bounds(); newest != k.newest() || files.files[".ndjson"] > 0 || log.Epoch() != 4 {
			t.Errorf("to event %d, with %v opened", newest, files.files)
		}
		closed(t, files.Disk, j)
	}
}
