package journal_test

import (
	"slices"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
)

// spans are those of the book's batches that have a source and begin after seq.
func (k *book) spans(since uint64) (list []journal.Span) {
	first := uint64(1)
	for i, end := range k.ends {
		if k.sources[i] != (journal.Source{}) && first > since {
			list = append(list, journal.Span{Source: k.sources[i], First: first, Last: end})
		}
		first = end + 1
	}
	return list
}

func spans(t *testing.T, d *disktest.Disk) (list []journal.Span) {
	t.Helper()
	for s, err := range journal.Spans(dir, journal.Options{FS: d}) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

func TestSpans(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 3000})
	var k book
	check := func(when string) {
		t.Helper()
		oldest, _ := j.Log().Bounds()
		if got, want := spans(t, d), k.spans(oldest-1); !slices.Equal(got, want) {
			t.Fatalf("%s: %d spans, want %d\n%v\n%v", when, len(got), len(want), got, want)
		}
	}
	if got := spans(t, d); got != nil {
		t.Fatalf("of an empty journal: %v", got)
	}
	r := seeded(1)
	k.fill(t, j, 20_000, r)
	check("several segments, open")
	b := k.next(r)
	b.Source = journal.Source{} // the daemon's own
	if err := j.Append(b); err != nil {
		t.Fatal(err)
	}
	k.add(b)
	check("a batch without a source")

	d.FailAt(d.Count()+1, syscall.ENOSPC, 10) // the record is written, of its lines a part
	if err := j.Append(k.next(r)); err == nil {
		t.Fatal("the write did not fail")
	}
	check("a record whose lines are not there")
	if err := j.Recover(k.newest()); err != nil {
		t.Fatal(err)
	}
	k.fill(t, j, 26_000, r)
	check("behind a write that failed")
	if err := j.DropBefore(k.newest() / 2); err != nil {
		t.Fatal(err)
	}
	check("without the oldest segments")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	check("closed")

	n := 0
	for range journal.Spans(dir, journal.Options{FS: d}) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 || d.OpenFiles() != 0 {
		t.Errorf("%d spans taken, %d files left open", n, d.OpenFiles())
	}
	for range journal.Spans("nowhere", journal.Options{FS: d}) {
		t.Error("a span of no journal")
	}
}

// A journal that is killed anywhere has the spans of the batches that are there.
func TestSpansOfAKilledJournal(t *testing.T) {
	d := disktest.New()
	j := create(t, journal.Options{FS: d, SegmentBytes: 2000})
	var k book
	k.fill(t, j, 6000, seeded(2))
	closed(t, d, j)
	for n := range d.Count() + 1 {
		after := d.Kill(n)
		var got []journal.Span
		for s, err := range journal.Spans(dir, journal.Options{FS: after}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s)
		}
		want := k.spans(0)
		if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("killed at %d: %v", n, got)
		}
		if o := open(journal.Options{FS: after}); o.err == nil {
			if uint64(len(got)) > 0 && got[len(got)-1].Last != o.rec.Newest {
				t.Fatalf("killed at %d: spans up to %d, events up to %d", n, got[len(got)-1].Last, o.rec.Newest)
			}
			if err := o.j.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
