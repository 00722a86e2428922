package journal_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

const (
	data1  = "s1/000001.ndjson"
	index1 = "s1/000001.index"
)

// written is a disk with one segment, never synced, and what is in it.
func written(t testing.TB, size int) (*disktest.Disk, *book) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	k := &book{}
	k.fill(t, j, size, seeded(7))
	if err := j.Release(); err != nil {
		t.Fatal(err)
	}
	return d, k
}

// again opens five times: after the first there is nothing left to repair (P8).
func again(t testing.TB, d *disktest.Disk, k *book, newest uint64) {
	t.Helper()
	for range 4 {
		ops := d.Count()
		o := mustOpen(t, journal.Options{FS: d})
		same(t, k, o, newest)
		if o.rec.TornBytes != 0 || o.rec.RebuiltIndex || o.rec.Lost != 0 {
			t.Fatalf("repaired again: %+v", o.rec)
		}
		if ops := d.Ops(ops); len(ops) != 0 {
			t.Fatalf("changed again: %v", ops)
		}
	}
}

// TestTruncatedAnywhere: lines cut at any byte lose the batch that was cut, and nothing before it (P8).
func TestTruncatedAnywhere(t *testing.T) {
	size, step := 64<<10, step(7)
	if testing.Short() || raceEnabled {
		step = 17
	}
	d, k := written(t, size)
	data, index := d.Bytes(data1), d.Bytes(index1)
	for cut := len(k.upTo(k.ends[0])); cut <= len(data); cut += step { // the first batch is synced
		d := disktest.New()
		d.Put(data1, data[:cut])
		d.Put(index1, index)
		o := mustOpen(t, journal.Options{FS: d})
		newest := k.before(uint64(bytes.Count(data[:cut], []byte{'\n'})))
		// The full comparison of all bytes is for some, the end for all.
		if o.rec.Newest != newest || !bytes.Equal(o.log, k.upTo(newest)) {
			t.Fatalf("cut at %d: %+v, want the log up to %d", cut, o.rec, newest)
		}
		if want := int64(cut - len(k.upTo(newest))); o.rec.TornBytes != want {
			t.Fatalf("cut at %d: %d bytes torn, want %d", cut, o.rec.TornBytes, want)
		}
		if lost := len(k.ends) - 1 - slices.Index(k.ends, newest); lost > 1 && o.rec.Lost == 0 {
			t.Fatalf("cut at %d: %d batches lost in silence", cut, lost)
		}
		if cut%97 == 0 {
			again(t, d, k, newest)
			grows(t, d, k, newest)
		}
		tally.Count("P8", "truncations", 1, "")
	}
	tally.Count("P8", "truncations undetected", 0, "0")
}

// TestSyncedIsMissed: a segment that has not what its index knows to be synced is damage, whether or not the power was lost. It is read-only
// up to there, and nothing of it is changed. What was not synced may be gone.
func TestSyncedIsMissed(t *testing.T) {
	for _, orderly := range []bool{false, true} {
		d := disktest.New()
		j := create(t, journal.Options{FS: d})
		k := &book{}
		r := seeded(12)
		k.fill(t, j, 3000, r)
		if err := j.Sync(); err != nil {
			t.Fatal(err)
		}
		synced := len(k.bytes)
		k.fill(t, j, 5000, r)
		if orderly {
			synced = len(k.bytes)
			closed(t, d, j)
		} else if err := j.Release(); err != nil {
			t.Fatal(err)
		}
		data, index := d.Bytes(data1), d.Bytes(index1)
		for cut := 0; cut <= len(data); cut += 5 {
			for _, flipped := range []bool{false, true} { // a record of the lines that are missing cannot be read either
				d := disktest.New()
				d.Put(data1, data[:cut])
				d.Put(index1, index)
				newest := k.before(uint64(bytes.Count(data[:cut], []byte{'\n'})))
				if at := slices.Index(k.ends, newest) + 1; flipped && at < len(k.ends) {
					d.Flip(index1, 8*(journal.HeaderSize+at*journal.RecordSize)+3)
				}
				for _, powerLoss := range []bool{false, true} {
					ops := d.Count()
					o := open(journal.Options{FS: d, PowerLoss: powerLoss, ReadOnly: cut >= synced})
					if cut >= synced {
						if o.err != nil {
							t.Fatalf("cut at %d of %d synced bytes: %v", cut, synced, o.err)
						}
						continue
					}
					e := as[*journal.DamageError](t, o.err)
					if e.File != data1 || e.Offset > int64(cut) || e.Offset < int64(len(k.upTo(newest))) || e.Seq <= newest || e.Hint == "" {
						t.Fatalf("cut at %d: %+v", cut, e)
					}
					same(t, k, o, e.Seq-1)
					as[*journal.WriteError](t, o.j.Append(batch(e.Seq, 1, "x", journal.Source{})))
					if closed(t, d, o.j); len(d.Ops(ops)) != 0 {
						t.Fatalf("cut at %d: changed: %v", cut, d.Ops(ops))
					}
					tally.Count("P9", "truncations of what was synced", 1, "")
				}
			}
		}
	}
}

// grows appends after a repair and opens once more.
func grows(t testing.TB, d *disktest.Disk, k *book, newest uint64) {
	t.Helper()
	o := mustOpen(t, journal.Options{FS: d})
	b := batch(newest+1, 2, "after", journal.Source{Incarnation: 9, Batch: 9})
	if err := o.j.Append(b); err != nil {
		t.Fatal(err)
	}
	closed(t, d, o.j)
	o = mustOpen(t, journal.Options{FS: d})
	if want := append(slices.Clone(k.upTo(newest)), b.Lines...); !bytes.Equal(o.log, want) || o.rec.Last != b.Source || !o.rec.Clean {
		t.Fatalf("after a repair and an append: %+v", o.rec)
	}
}

// TestIndexTruncatedAnywhere: what the index lost is made anew from the lines.
func TestIndexTruncatedAnywhere(t *testing.T) {
	d, k := written(t, 6000)
	data, index := d.Bytes(data1), d.Bytes(index1)
	for cut := -1; cut <= len(index); cut++ {
		d := disktest.New()
		d.Put(data1, data)
		if cut >= 0 {
			d.Put(index1, index[:cut])
		}
		o := mustOpen(t, journal.Options{FS: d})
		same(t, k, o, k.newest())
		if o.rec.RebuiltIndex != (cut < len(index)) || o.rec.TornBytes != 0 {
			t.Fatalf("cut at %d: %+v", cut, o.rec)
		}
		again(t, d, k, k.newest())
		grows(t, d, k, k.newest())
	}
}

// TestTails: what can stand behind the last good batch is cut and counted; the lines that are whole are kept.
func TestTails(t *testing.T) {
	d, k := written(t, 3000)
	data, index := d.Bytes(data1), d.Bytes(index1)
	lastBatch := len(k.upTo(k.ends[len(k.ends)-2]))
	zeros := make([]byte, 5000)
	garbage := make([]byte, 5000)
	for i, r := 0, seeded(8); i < len(garbage); i++ {
		garbage[i] = byte(r.Uint32())
	}
	more := batch(k.newest()+1, 2, "tail", journal.Source{}).Lines
	for _, c := range []struct {
		name        string
		data, index []byte
		newest      uint64
		torn        int64
	}{
		{"zeros behind", slices.Concat(data, zeros), index, k.newest(), 5000},
		{"garbage behind", slices.Concat(data, garbage), index, k.newest(), 5000},
		{"zeros behind the index", data, slices.Concat(index, zeros), k.newest(), 0},
		{"garbage behind the index", data, slices.Concat(index, garbage), k.newest(), 0},
		{"zeros behind both", slices.Concat(data, zeros), slices.Concat(index, zeros), k.newest(), 5000},
		{"garbage behind both", slices.Concat(data, garbage), slices.Concat(index, garbage), k.newest(), 5000},
		{"last batch is zeros", slices.Concat(data[:lastBatch], zeros[:len(data)-lastBatch]), index, k.ends[len(k.ends)-2], int64(len(data) - lastBatch)},
		{"index behind", data, index[:len(index)-2*journal.RecordSize], k.newest(), 0},
		{"index behind, last line torn", slices.Concat(data, more[:len(more)-1]), index, k.newest() + 1, int64(len(more)/2 - 1)},
		{"no header yet", nil, index[:journal.HeaderSize], 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := disktest.New()
			d.Put(data1, c.data)
			d.Put(index1, c.index)
			k := *k
			for l := range bytes.Lines(more) {
				k.starts = append(k.starts, len(k.bytes))
				k.bytes = append(slices.Clip(k.bytes), l...)
			}
			o := mustOpen(t, journal.Options{FS: d})
			same(t, &k, o, c.newest)
			if o.rec.TornBytes != c.torn {
				t.Errorf("%d bytes torn, want %d", o.rec.TornBytes, c.torn)
			}
			again(t, d, &k, c.newest)
			grows(t, d, &k, c.newest)
		})
	}
}

// TestHole: a batch that is missing in the middle is damage, unless the machine went down and it was never synced.
func TestHole(t *testing.T) {
	for _, synced := range []bool{false, true} {
		d := disktest.New()
		j := create(t, journal.Options{FS: d})
		k := &book{}
		r := seeded(9)
		k.fill(t, j, 2000, r)
		hole := len(k.ends) - 1
		if synced {
			if err := j.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		k.fill(t, j, 4000, r)
		if err := j.Release(); err != nil {
			t.Fatal(err)
		}
		b := d.Bytes(data1)
		from, to := len(k.upTo(k.ends[hole-1])), len(k.upTo(k.ends[hole]))
		clear(b[from:to])
		d.Put(data1, b)

		o := open(journal.Options{FS: d})
		if e := as[*journal.DamageError](t, o.err); e.Offset != int64(from) || e.Seq != k.ends[hole-1]+1 || e.Hint == "" {
			t.Fatalf("%+v", e)
		}
		same(t, k, o, k.ends[hole-1])
		as[*journal.WriteError](t, o.j.Append(k.next(r)))

		o = open(journal.Options{FS: d, PowerLoss: true})
		if synced {
			as[*journal.DamageError](t, o.err)
			continue
		}
		if o.err != nil {
			t.Fatal(o.err)
		}
		same(t, k, o, k.ends[hole-1])
		if o.rec.TornBytes != int64(len(b)-from) || o.rec.Lost == 0 {
			t.Fatalf("%+v", o.rec)
		}
		if !bytes.Equal(d.Bytes(data1), b) {
			t.Error("the bytes behind the hole were not kept")
		}
		closed(t, d, o.j)
		again(t, d, k, k.ends[hole-1])
		grows(t, d, k, k.ends[hole-1])
	}
}

// TestReadOnly: nothing is repaired, everything good can be read.
func TestReadOnly(t *testing.T) {
	d, k := written(t, 3000)
	data, index := d.Bytes(data1), d.Bytes(index1)
	d.Put(data1, data[:len(data)-5])
	d.Put(index1, index[:300]) // the lines behind it have no record
	ops := d.Count()
	o := mustOpen(t, journal.Options{FS: d, ReadOnly: true})
	same(t, k, o, k.newest()-1)
	as[*journal.WriteError](t, o.j.Append(k.next(seeded(1))))
	closed(t, d, o.j)
	if len(d.Ops(ops)) != 0 {
		t.Errorf("changed: %v", d.Ops(ops))
	}
}
