package journal_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// TestEveryBit flips every bit of a segment and of its index: Open names the damage or gives exactly the log (P9).
func TestEveryBit(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d})
	size, step := 32<<10, step(7)
	if testing.Short() || raceEnabled {
		step = 31
	}
	k := &book{}
	for len(k.bytes) < size {
		b := batch(k.newest()+1, 8, "some text of an agent that is not long", journal.Source{Incarnation: 1, Batch: k.newest()})
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
		k.add(b)
	}
	closed(t, d, j)
	log := make([]byte, 0, 2*size)
	for _, name := range []string{data1, index1} {
		damaged, recovered, bits := 0, 0, 8*len(d.Bytes(name))
		for bit := 0; bit < bits; bit += step {
			d.Flip(name, bit)
			o := opened{log: log[:0]}
			o.j, o.rec, o.err = journal.Open(dir, journal.Options{FS: d, ReadOnly: true}, func(l []byte) error {
				o.log = append(append(o.log, l...), '\n')
				return nil
			})
			d.Flip(name, bit)
			var damage *journal.DamageError
			switch {
			case o.err == nil:
				recovered++
				if !bytes.Equal(o.log, k.bytes) || o.rec.Newest != k.newest() {
					t.Fatalf("%s: bit %d went unnoticed: %+v", name, bit, o.rec)
				}
			case errors.As(o.err, &damage):
				damaged++
				if !bytes.Equal(o.log, k.upTo(damage.Seq-1)) || damage.File != name || damage.Offset > int64(bit/8) {
					t.Fatalf("%s: bit %d: %v, after %d bytes", name, bit, damage, len(o.log))
				}
			default:
				t.Fatalf("%s: bit %d: %v", name, bit, o.err)
			}
		}
		tally.Count("P9", "bits flipped in a segment and its index", damaged+recovered, "")
		tally.Count("P9", "flips undetected", 0, "0")
		t.Logf("%s: %d flips, %d named, %d recovered exactly, 0 unnoticed", name, damaged+recovered, damaged, recovered)
		if name == data1 && recovered > 0 {
			t.Errorf("%d flips of lines recovered: from what?", recovered)
		}
	}
}

// TestDamageInOldSegments: the same with segments before and behind.
func TestDamageInOldSegments(t *testing.T) {
	opt := journal.Options{SegmentBytes: 600}
	d := disktest.New()
	opt.FS = d
	j := create(t, opt)
	var k book
	k.fill(t, j, 3000, seeded(11))
	closed(t, d, j)
	for _, name := range d.Files() {
		good := d.Bytes(name)
		for at := 0; at < len(good); at += 13 {
			b := bytes.Clone(good)
			b[at] ^= 4
			d.Put(name, b)
			o := open(journal.Options{FS: d, SegmentBytes: 600, ReadOnly: true})
			if o.err == nil {
				same(t, &k, o, k.newest())
			} else {
				e := as[*journal.DamageError](t, o.err)
				same(t, &k, o, e.Seq-1)
			}
		}
		d.Put(name, good[:len(good)-1])
		if o := open(journal.Options{FS: d, SegmentBytes: 600, ReadOnly: true}); o.err != nil {
			same(t, &k, o, as[*journal.DamageError](t, o.err).Seq-1)
		}
		d.Delete(name)
		o := open(journal.Options{FS: d, SegmentBytes: 600, ReadOnly: true})
		switch {
		case o.err != nil:
			same(t, &k, o, as[*journal.DamageError](t, o.err).Seq-1)
		case name == data1:
			// As a drop that was interrupted leaves it.
			if !bytes.Equal(o.log, k.between(o.rec.Oldest-1, k.newest())) {
				t.Errorf("without %s: %+v", name, o.rec)
			}
		default:
			same(t, &k, o, k.newest())
		}
		d.Put(name, good)
	}
}

// TestMissingSegment: a segment that is gone as a whole is named.
func TestMissingSegment(t *testing.T) {
	d := disktest.New()
	opt := journal.Options{FS: d, SegmentBytes: 600}
	j := create(t, opt)
	var k book
	k.fill(t, j, 3000, seeded(11))
	closed(t, d, j)
	d.Delete("s1/000003.ndjson")
	d.Delete("s1/000003.index")
	o := open(opt)
	e := as[*journal.DamageError](t, o.err)
	if e.File != "s1/000003.ndjson" {
		t.Errorf("%v", e)
	}
	same(t, &k, o, e.Seq-1)
	if err := o.j.Recover(1); err == nil {
		t.Error("a damaged journal recovered")
	}
}
