package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const dir = "s1"

// line is a valid event with its newline; text makes it as long as wanted.
func line(seq uint64, text string) []byte {
	e := protocol.Event{Seq: seq, Time: 1700000000000 + int64(seq), Payload: &protocol.EntryDelta{EntryID: "entry-1", Delta: &protocol.TextAppend{Text: text}}}
	return append(protocol.Append(nil, &e), '\n')
}

// batch makes count lines of events from first on.
func batch(first uint64, count int, text string, source journal.Source) journal.Batch {
	b := journal.Batch{First: first, Count: count, Time: 1700000000000 + int64(first), Source: source}
	for i := range uint64(count) {
		b.Lines = append(b.Lines, line(first+i, text)...)
	}
	return b
}

// book is what a journal should hold: all lines, and where each batch ends.
type book struct {
	bytes   []byte
	starts  []int    // offset of every event
	ends    []uint64 // seq of the last event of every batch
	sources []journal.Source
}

func (k *book) newest() uint64 { return uint64(len(k.starts)) }

func (k *book) add(b journal.Batch) {
	for l := range bytes.Lines(b.Lines) {
		k.starts = append(k.starts, len(k.bytes))
		k.bytes = append(k.bytes, l...)
	}
	k.ends = append(k.ends, k.newest())
	k.sources = append(k.sources, b.Source)
}

// upTo is the log up to an event.
func (k *book) upTo(seq uint64) []byte {
	if seq >= k.newest() {
		return k.bytes
	}
	return k.bytes[:k.starts[seq]]
}

// between is the events since < seq <= upTo.
func (k *book) between(since, upTo uint64) []byte {
	return k.upTo(upTo)[len(k.upTo(since)):]
}

// next makes the batch that follows, of random shape.
func (k *book) next(r *rand.Rand) journal.Batch {
	n := k.newest()
	return batch(n+1, 1+r.IntN(5), strings.Repeat("x", r.IntN(60)), journal.Source{Incarnation: 1, Batch: uint64(len(k.ends) + 1)})
}

// fill appends batches until the journal holds at least so many bytes.
func (k *book) fill(t testing.TB, j *journal.Journal, size int, r *rand.Rand) {
	t.Helper()
	for len(k.bytes) < size {
		b := k.next(r)
		if err := j.Append(b); err != nil {
			t.Fatal(err)
		}
		k.add(b)
	}
}

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 0x5eed)) }

func create(t testing.TB, opt journal.Options) *journal.Journal {
	t.Helper()
	j, err := journal.Create(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// opened is what Open said.
type opened struct {
	j   *journal.Journal
	rec journal.Recovery
	log []byte // all lines that were visited
	err error
}

func open(opt journal.Options) (o opened) {
	o.j, o.rec, o.err = journal.Open(dir, opt, func(l []byte) error {
		o.log = append(append(o.log, l...), '\n')
		return nil
	})
	return o
}

func mustOpen(t testing.TB, opt journal.Options) opened {
	t.Helper()
	o := open(opt)
	if o.err != nil {
		t.Fatal(o.err)
	}
	return o
}

// read is the log as readers get it.
func read(t testing.TB, l store.Log, since, upTo uint64) []byte {
	t.Helper()
	r, err := l.Range(since, upTo)
	if err != nil {
		t.Fatalf("range %d..%d: %v", since, upTo, err)
	}
	defer r.Close()
	size := r.Size()
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatalf("range %d..%d: %v", since, upTo, err)
	}
	if int64(b.Len()) != size {
		t.Fatalf("range %d..%d: %d bytes, announced %d", since, upTo, b.Len(), size)
	}
	return b.Bytes()
}

// same fails unless what was opened is the log up to newest, for visit and readers alike, and takes the next batch.
func same(t testing.TB, k *book, o opened, newest uint64) {
	t.Helper()
	if o.rec.Newest != newest {
		t.Fatalf("newest %d, want %d", o.rec.Newest, newest)
	}
	want := k.upTo(newest)
	if !bytes.Equal(o.log, want) {
		t.Fatalf("visited %d bytes that are not the log up to %d (%d bytes)", len(o.log), newest, len(want))
	}
	if got := read(t, o.j.Log(), 0, newest); !bytes.Equal(got, want) {
		t.Fatalf("read %d bytes that are not the log up to %d (%d bytes)", len(got), newest, len(want))
	}
}

// before is the newest batch end that is not beyond seq.
func (k *book) before(seq uint64) (end uint64) {
	for _, e := range k.ends {
		if e <= seq {
			end = e
		}
	}
	return end
}

// cut takes out what is after a batch's end.
func (k *book) cut(end uint64) {
	k.bytes, k.starts = k.upTo(end), k.starts[:end]
	for k.ends[len(k.ends)-1] > end {
		k.ends, k.sources = k.ends[:len(k.ends)-1], k.sources[:len(k.sources)-1]
	}
}

func closed(t testing.TB, d *disktest.Disk, j *journal.Journal) {
	t.Helper()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if n := d.OpenFiles(); n != 0 {
		t.Fatalf("%d files left open", n)
	}
}

func as[E error](t testing.TB, err error) (e E) {
	t.Helper()
	if !errors.As(err, &e) {
		t.Fatalf("error %v (%T), want a %T", err, err, e)
	}
	return e
}

func drain(r *store.Lines) (lines []string, err error) {
	for r.Next() {
		lines = append(lines, fmt.Sprintf("%d %s", r.Seq(), r.Line()))
	}
	return lines, errors.Join(r.Err(), r.Close())
}

var _ io.WriterTo = store.Range(nil)
