package archive

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// stored is a part with lines of batches, each INCARNATION.BATCH; "!WHY" ends it.
func stored(node string, first, epoch uint64, batches ...string) Part {
	p := Part{Node: node, First: first, Last: first + uint64(len(batches)) - 1, Epoch: epoch, Longest: 10}
	p.Lines = func(upTo uint64) iter.Seq2[raw.Line, raw.Gone] {
		return func(yield func(raw.Line, raw.Gone) bool) {
			for i, text := range batches {
				var l raw.Line
				if why, is := strings.CutPrefix(text, "!"); is {
					yield(l, raw.Gone(why))
					return
				}
				if _, err := fmt.Sscanf(text, "%d.%d", &l.Incarnation, &l.Batch); err != nil {
					panic(err)
				}
				l.Number, l.Dir = first+uint64(i), "out"
				if l.Number > upTo || !yield(l, "") {
					return
				}
			}
		}
	}
	return p
}

func spans(list ...store.Span) iter.Seq2[store.Span, error] {
	return func(yield func(store.Span, error) bool) {
		for _, s := range list {
			if !yield(s, nil) {
				return
			}
		}
	}
}

func span(incarnation uint32, batch, first, last uint64) store.Span {
	return store.Span{Source: store.Source{Incarnation: incarnation, Batch: batch}, First: first, Last: last}
}

// TestPartsAreJoined: lines that are elsewhere, with the events of the log that they became, and notes where some are not there.
func TestPartsAreJoined(t *testing.T) {
	for name, c := range map[string]struct {
		spans  iter.Seq2[store.Span, error]
		parts  []Part
		begins map[uint64]uint64 // epochs, and the first event behind each
		newest uint64
		want   string
	}{
		"one node behind another": {
			spans(span(1, 1, 1, 2), span(1, 2, 3, 3), span(2, 1, 4, 5)),
			[]Part{stored("a", 1, 1, "1.1", "1.1"), stored("a", 3, 1, "1.2"), stored("b", 1000, 1, "2.1")},
			nil, 5,
			"1:1-2 2:1-2 3:3-3 1000:4-5",
		},
		"a hole between two nodes": {
			spans(span(1, 1, 1, 2), span(1, 2, 3, 3), span(1, 3, 4, 6), span(2, 1, 7, 7)),
			[]Part{stored("a", 1, 1, "1.1"), stored("b", 1000, 1, "2.0", "2.1")},
			nil, 7,
			"1:1-2 2:3-6:missing 1000:0-0 1001:7-7",
		},
		"numbers that nothing was made of": {
			spans(span(1, 1, 1, 2), span(2, 1, 3, 3)),
			[]Part{stored("a", 1, 1, "1.1"), stored("b", 1000, 1, "2.1")},
			nil, 3,
			"1:1-2 1000:3-3",
		},
		"nothing was put of the first node": {
			spans(span(1, 1, 1, 4), span(2, 1, 5, 6)),
			[]Part{stored("b", raw.Leap+2, 1, "2.0", "2.1")},
			nil, 6,
			fmt.Sprintf("%d:1-4:missing %d:0-0 %d:5-6", raw.Leap+1, raw.Leap+2, raw.Leap+3),
		},
		"the end is not there yet": {
			spans(span(1, 1, 1, 2), span(1, 2, 3, 4), span(1, 3, 5, 6)),
			[]Part{stored("a", 1, 1, "1.1")},
			nil, 4,
			"1:1-2 2:3-4:missing",
		},
		"an end that was lost, and its numbers given again": { // 1.2 of the first node is not the 1.2 of the log
			spans(span(1, 1, 1, 2), span(1, 2, 3, 3)),
			[]Part{stored("a", 1, 1, "1.1", "1.2"), stored("b", 1000, 2, "1.2")},
			map[uint64]uint64{1: 3},
			3,
			"1:1-2 2:0-0 1000:3-3",
		},
		"a part that is away": {
			spans(span(1, 1, 1, 2), span(1, 2, 3, 3), span(2, 1, 4, 5)),
			[]Part{stored("a", 1, 1, "1.1"), stored("a", 2, 1, "!unreachable"), stored("b", 1000, 1, "2.1")},
			nil, 5,
			"1:1-2 2:3-3:unreachable 1000:4-5",
		},
		"all of it": {
			spans(span(1, 1, 1, 2)), []Part{stored("a", 1, 1, "!damaged")}, nil, 2, "1:1-2:damaged",
		},
		"two that have the same numbers": { // Core went back behind what it had given
			spans(span(1, 1, 1, 1), span(2, 1, 2, 2)),
			[]Part{stored("a", 5, 1, "1.1", "1.1"), stored("b", 5, 1, "2.1"), stored("b", 5, 1, "2.1", "2.1")},
			nil, 2,
			"5:1-1 6:1-1 5:2-2 6:2-2",
		},
		"no lines and no events": {spans(), nil, nil, 0, ""},
	} {
		r := Away(c.spans)
		r.Before(c.parts, func(epoch uint64) uint64 { return c.begins[epoch] })
		r.Expect(c.newest)
		var got []string
		for l, err := range r.Lines() {
			if err != nil {
				t.Fatal(name, err)
			}
			text := fmt.Sprintf("%d:%d-%d", l.Number, l.From, l.To)
			if l.Dir == "note" {
				text += ":" + strings.TrimSuffix(strings.TrimPrefix(string(l.Data), `{"event":"`), `"}`)
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, " "), c.want)
		}
	}
}
