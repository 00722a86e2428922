package journal_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// FuzzOpen gives Open any bytes as segment and index; seal makes the checksums of the index right, so that what it says is
// believed. Whatever comes out is readable as it was visited, takes a batch when it is writable, and opens again as the
// same (promise 14.5).
func FuzzOpen(f *testing.F) {
	d, _ := written(f, 1500)
	data, index := d.Bytes(data1), d.Bytes(index1)
	zeros := make([]byte, 300)
	f.Add(data, index, false, false)
	f.Add(data[:len(data)-7], index, false, false)
	f.Add(data, index[:200], false, true)
	f.Add(data, []byte{}, false, false)
	f.Add(slices.Concat(data, zeros), slices.Concat(index, zeros), true, true)
	f.Add(slices.Concat(data[:700], zeros, data[1000:]), index, false, true)
	f.Add([]byte{}, index, true, false)
	f.Add([]byte("{\"seq\":1,\"ts\":1,\"type\":\"x\"}\n{\"seq\":2,\"ts\":1,\"type\":\"x\"}\n"), index[:journal.HeaderSize], false, false)
	f.Fuzz(func(t *testing.T, data, index []byte, seal, powerLoss bool) {
		if seal {
			index = journal.Seal(index)
		}
		d := disktest.New()
		d.Put(data1, data)
		d.Put(index1, index)
		opt := journal.Options{FS: d, PowerLoss: powerLoss}
		first := open(opt)
		if d.OpenFiles() != 0 {
			t.Fatal("files left open")
		}
		if first.j == nil {
			if first.err == nil {
				t.Fatal("neither journal nor error")
			}
			return
		}
		sound(t, first)
		second := open(opt)
		if second.j == nil || !bytes.Equal(second.log, first.log) || second.rec.Newest != first.rec.Newest {
			t.Fatalf("first %+v %v, then %+v %v", first.rec, first.err, second.rec, second.err)
		}
		sound(t, second)
		if first.err != nil {
			as[*journal.DamageError](t, first.err)
			if !bytes.Equal(d.Bytes(data1), data) || !bytes.Equal(d.Bytes(index1), index) {
				t.Fatal("a damaged journal was changed")
			}
			return
		}
		if second.rec.TornBytes != 0 || second.rec.RebuiltIndex || second.rec.Lost != 0 {
			t.Fatalf("repaired twice: %+v, then %+v", first.rec, second.rec)
		}
		b := batch(second.rec.Newest+1, 2, "", journal.Source{Batch: 1})
		if err := second.j.Append(b); err != nil {
			t.Fatal(err)
		}
		closed(t, d, second.j)
		third := mustOpen(t, journal.Options{FS: d})
		sound(t, third)
		if !bytes.Equal(third.log, slices.Concat(first.log, b.Lines)) || !third.rec.Clean {
			t.Fatalf("after an append: %+v", third.rec)
		}
	})
}

// sound checks that readers get what was visited, as a whole and line by line.
func sound(t *testing.T, o opened) {
	t.Helper()
	oldest, newest := o.j.Log().Bounds()
	if oldest != o.rec.Oldest || newest != o.rec.Newest || newest+1 < oldest {
		t.Fatalf("bounds %d..%d, recovery %+v", oldest, newest, o.rec)
	}
	if n := uint64(bytes.Count(o.log, []byte{'\n'})); n != newest+1-oldest {
		t.Fatalf("%d lines visited, bounds %d..%d", n, oldest, newest)
	}
	if got := read(t, o.j.Log(), oldest-1, newest); !bytes.Equal(got, o.log) {
		t.Fatal("readers get something else than was visited")
	}
	rest := o.log
	for seq := oldest; seq <= newest; seq++ {
		n := bytes.IndexByte(rest, '\n') + 1
		r, err := store.LinesOf(o.j.Log(), seq-1, seq)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Next() || !bytes.Equal(r.Line(), rest[:n-1]) {
			t.Fatalf("event %d: %q, want %q", seq, r.Line(), rest[:n-1])
		}
		if err := errors.Join(r.Err(), r.Close()); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
}
