package core_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const id = "0199a7a0-0000-7000-8000-000000000001"

func TestSources(t *testing.T) {
	for _, list := range [][]store.Made{
		nil,
		{{Count: 1}},
		{{Count: 3, Source: store.Source{Incarnation: 1, Batch: 7}}, {Count: math.MaxInt32}, {Count: 1, Source: store.Source{Incarnation: math.MaxUint32, Batch: math.MaxUint64}}},
	} {
		if got, err := core.DecodeSources(core.EncodeSources(list)); err != nil || !reflect.DeepEqual(got, list) {
			t.Errorf("%v became %v, %v", list, got, err)
		}
	}
}

// What the encoding means stands in databases: it does not change.
func TestSourcesBytes(t *testing.T) {
	got := core.EncodeSources([]store.Made{{Count: 300, Source: store.Source{Incarnation: 2, Batch: 9}}, {Count: 1}})
	if want := []byte{0xac, 0x02, 2, 9, 1, 0, 0}; !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func FuzzSources(f *testing.F) {
	f.Add([]byte{})
	f.Add(core.EncodeSources([]store.Made{{Count: 300, Source: store.Source{Incarnation: 2, Batch: 9}}, {Count: 1}}))
	f.Add([]byte{1, 2})
	f.Add([]byte{0, 0, 0})
	f.Add(bytes.Repeat([]byte{0xff}, 30))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := core.DecodeSources(b)
		if err != nil {
			return
		}
		for _, m := range list {
			if m.Count <= 0 {
				t.Fatalf("%x has a run of %d lines", b, m.Count)
			}
		}
		again, err := core.DecodeSources(core.EncodeSources(list))
		if err != nil || !reflect.DeepEqual(again, list) {
			t.Fatalf("%x: %v became %v, %v", b, list, again, err)
		}
	})
}

func stretch(first uint64, counts ...int) store.Stretch {
	s := store.Stretch{First: first, Epoch: 3, Time: 5}
	seq := first
	for i, n := range counts {
		s.Sources = append(s.Sources, store.Made{Count: n, Source: store.Source{Incarnation: 1, Batch: uint64(i)}})
		for range n {
			s.Lines = fmt.Appendf(s.Lines, "{\"seq\":%d,}\n", seq)
			seq++
		}
	}
	return s
}

func TestPart(t *testing.T) {
	whole := stretch(10, 2, 1, 3)
	for since := uint64(5); since < 18; since++ {
		for upTo := since; upTo < 18; upTo++ {
			p := core.Part(whole, since, upTo)
			var want []byte
			n := 0
			for seq := max(since+1, 10); seq <= min(upTo, 15); seq++ {
				want = fmt.Appendf(want, "{\"seq\":%d,}\n", seq)
				n++
			}
			if !bytes.Equal(p.Lines, want) || p.Count() != n || p.Epoch != 3 || p.Time != 5 || n > 0 && p.First != max(since+1, 10) {
				t.Fatalf("(%d, %d] is %+v", since, upTo, p)
			}
		}
	}
	middle := core.Part(whole, 10, 13)
	want := []store.Made{{Count: 1, Source: store.Source{Incarnation: 1}}, {Count: 1, Source: store.Source{Incarnation: 1, Batch: 1}}, {Count: 1, Source: store.Source{Incarnation: 1, Batch: 2}}}
	if !reflect.DeepEqual(middle.Sources, want) {
		t.Errorf("the sources are %v", middle.Sources)
	}
}

func TestCheckOfBatches(t *testing.T) {
	for _, c := range []struct {
		problem string
		change  func(b *core.Batch)
	}{
		{"", func(*core.Batch) {}},
		{"", func(b *core.Batch) { b.Lines = []byte("\n\x00\xff\n\n") }}, // what is in the lines is not Core's affair
		{"UUID", func(b *core.Batch) { b.Session = "A199a7a0-0000-7000-8000-000000000001" }},
		{"no lines", func(b *core.Batch) { b.Sources, b.Lines = nil, nil }},
		{"without lines", func(b *core.Batch) { b.Sources[0].Count = -1 }},
		{"not that of its sources", func(b *core.Batch) { b.Lines = nil }},
		{"not that of its sources", func(b *core.Batch) { b.Lines = b.Lines[1:]; b.Lines = append(b.Lines, 'x') }},
		{"not that of its sources", func(b *core.Batch) { b.Sources[0].Count++ }},
		{"numbers", func(b *core.Batch) { b.First = 0 }},
		{"numbers", func(b *core.Batch) { b.First = protocol.MaxSeq - 1 }},
		{"numbers", func(b *core.Batch) { b.First = math.MaxUint64 }},
		{"numbers", func(b *core.Batch) { b.Epoch = 0 }},
		{"numbers", func(b *core.Batch) { b.Epoch = protocol.MaxSeq + 1 }},
	} {
		b := core.Batch{Session: id, Stretch: stretch(4, 2, 1)}
		c.change(&b)
		if got := b.Check(); (got == "") != (c.problem == "") || !strings.Contains(got, c.problem) {
			t.Errorf("%+v: %q, want %q", b, got, c.problem)
		}
	}
}

func TestWhatIsKeptOfARecord(t *testing.T) {
	told := []byte("\x00\xff")
	r := core.Record{
		Session: id, Root: "x", Parent: "y", Agent: "a\x00b", Owner: "\xff", Told: told,
		Created: time.Date(2026, 1, 2, 3, 4, 5, 6789, time.FixedZone("", 3600)), Updated: time.Date(200_000, 1, 1, 0, 0, 0, 0, time.UTC),
		Labels: map[string]string{"a\x00": "1", "a\uFFFD": "2", "b": "\x00"},
	}
	k := r.Kept()
	want := core.Record{
		Session: id, Root: id, Agent: "a\uFFFDb", Owner: "\uFFFD", Told: told, Failover: core.FailoverStay, Epoch: 1, First: 1,
		Created: time.Date(2026, 1, 2, 2, 4, 5, 6000, time.UTC), Updated: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
		Labels: map[string]string{"a\uFFFD": "2", "b": "\uFFFD"},
	}
	if !reflect.DeepEqual(k, want) {
		t.Errorf("kept as %+v", k)
	}
	if k.Told[0] = 'x'; told[0] != 0 {
		t.Error("what is told was not copied")
	}
}

func TestErrors(t *testing.T) {
	reason := errors.New("reason")
	for _, c := range []struct {
		err  error
		want string
	}{
		{&core.SchemaError{Want: 2}, "core: the database has no tables of Ringmaster (run `ringmaster core migrate`)"},
		{&core.SchemaError{Have: 1, Want: 2}, "core: the database has schema version 1, this build works with 2 (run `ringmaster core migrate`)"},
		{&core.SchemaError{Have: 3, Want: 2}, "core: the database has schema version 3, this build works with 2 (a newer build has migrated it: run that version, or one after it)"},
		{&core.AwayError{Op: "take", Err: reason}, "core: take: no answer: reason"},
		{&core.AccessError{Op: "open", Err: reason, Hint: "ask"}, "core: open: refused: reason (ask)"},
	} {
		if c.err.Error() != c.want {
			t.Errorf("got %q, want %q", c.err, c.want)
		}
	}
	if !errors.Is(&core.AwayError{Err: reason}, reason) || !errors.Is(&core.AccessError{Err: reason}, reason) {
		t.Error("the reason is not in the error")
	}
}
