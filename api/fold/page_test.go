package fold

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/api/reading"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// pageOf is the answer to a client that wants a page.
type pageOf struct {
	protocol.SessionState
	part protocol.StatePart
}

func (s *States) pageOf(t *testing.T, r *session.Reader, at uint64, p Page) *pageOf {
	t.Helper()
	f, err := s.page(t.Context(), r, at, p)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	var b bytes.Buffer
	if err := f.send(&b); err != nil {
		t.Fatal(err)
	}
	var got pageOf
	var more struct{ Part protocol.StatePart }
	if err := got.UnmarshalJSON(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b.Bytes(), &more); err != nil {
		t.Fatal(err)
	}
	got.part = more.Part
	return &got
}

// TestPagesAreTheState: what all pages of a state have together is the state, at every event of every fixture, with and without the frame that the session keeps,
// of small logs and of those whose texts stay in the log.
func TestPagesAreTheState(t *testing.T) {
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	paths, err := filepath.Glob("../../protocol/testdata/logs/*.ndjson")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures: ", err)
	}
	pages := 0
	for _, path := range paths {
		name := filepath.Base(path)
		if name == "missing_events.ndjson" || name == "settled.ndjson" { // no session's log
			continue
		}
		log, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, first, newest := journaled(t, log)
		var frame protocol.Frame
		var whole protocol.SessionState
		seq := first - 1
		if err := reading.EachLine(r.Log, first-1, newest, func(line []byte) error {
			seq++
			e, err := protocol.Decode(line)
			if err != nil {
				return err
			}
			whole.Apply(&e)
			frame.Apply(&e)
			for i, n := range []int{1, 2, 5, 100} {
				r.Frame = nil
				if (i+int(seq))%3 > 0 {
					r.Frame = frame.Clone() // as the session gives it: with the texts of what is open
					for _, x := range r.Frame.State.Entries {
						x.Data = protocol.CopyData(x.EntryType, whole.Entry(x.EntryID).Data)
					}
				}
				x.memory.Large, x.memory.Long = largeLog, longLine
				if i%2 > 0 {
					x.memory.Large, x.memory.Long = 0, 0
				}
				pages += x.comparePages(t, name, r, &whole, beginning{oldest: 1}, n)
			}
			return nil
		}); err != nil {
			t.Fatal(name, err)
		}
	}
	if pages < 1000 {
		t.Errorf("%d pages", pages)
	}
	if taken := x.memory.bytes.Taken(); taken != 0 {
		t.Errorf("%d bytes are taken", taken)
	}
}

// TestLongStatesAreReadByPage: a state of more elements than are kept in memory is refused as a whole, before it takes the memory, and read by page.
func TestLongStatesAreReadByPage(t *testing.T) {
	var log []byte
	for i := range uint64(40) {
		id := fmt.Sprint("e", i)
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 1, Payload: &protocol.EntryStart{EntryID: id, EntryType: protocol.EntrySystem, Data: &protocol.SystemData{}}})
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 2, Payload: &protocol.EntryEnd{EntryID: id, EntryType: protocol.EntrySystem, Data: &protocol.SystemData{}}})
	}
	r, _, newest := journaled(t, log)
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	for most, refused := range map[int]bool{20: true, 39: true, 40: false} {
		x.memory.Elements = most
		f, err := x.fold(t.Context(), r, newest)
		if err == nil {
			f.close()
		}
		var p *protocol.Problem
		if errors.As(err, &p) != refused || refused && p.Code != protocol.CodeTooLarge {
			t.Errorf("of %d: %v", most, err)
		}
	}
	x.memory.Elements = 20
	if got := x.pageOf(t, r, newest, Page{Entries: 30}); len(got.Entries) != 30 || got.part.Told.Entries != 40 {
		t.Errorf("a page: %+v", got.part)
	}
	if taken := x.memory.bytes.Taken(); taken != 0 {
		t.Errorf("%d bytes are taken", taken)
	}
}

// TestPagesOfLongLines: a page of events that are long has fewer entries than are wanted, and all pages have all of them. One event that is longer than what is read for
// a page is one.
func TestPagesOfLongLines(t *testing.T) {
	const texts = 30
	var log []byte
	for i := range uint64(texts) {
		id, text := fmt.Sprint("e", i), strings.Repeat("x", 1<<20)
		if i == 7 {
			text = strings.Repeat("x", pageBytes+1)
		}
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 1, Payload: &protocol.EntryStart{EntryID: id, EntryType: protocol.EntrySystem, Data: &protocol.SystemData{}}})
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 2, Payload: &protocol.EntryEnd{EntryID: id, EntryType: protocol.EntrySystem, Data: &protocol.SystemData{Text: text}}})
	}
	r, _, newest := journaled(t, log)
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	pages, entries := 0, 0
	for before := uint64(0); before != 1; pages++ {
		got := x.pageOf(t, r, newest, Page{1000, before})
		if n := len(got.Entries); n > 8 || pages > texts {
			t.Fatalf("%d entries of a mebibyte, before %d", n, before)
		}
		entries += len(got.Entries)
		before = got.part.From
	}
	if entries != texts || pages > 10 {
		t.Errorf("%d entries on %d pages", entries, pages)
	}
}

// comparePages reads all pages of so many entries, from the newest on.
func (s *States) comparePages(
	t *testing.T, name string, r *session.Reader, whole *protocol.SessionState, begins beginning, n int,
) (pages int) {
	t.Helper()
	told := protocol.Told{Turns: len(whole.Turns), Entries: len(whole.Entries), Requests: len(whole.Requests)}
	inJSON := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Replace(string(b), "null", "[]", 1) // of an empty list
	}
	var entries, requests, turns int
	for before := uint64(0); ; pages++ {
		frame := r.Frame
		if frame != nil {
			r.Frame = frame.Clone() // a page takes it
		}
		got := s.pageOf(t, r, whole.Seq, Page{n, before})
		r.Frame = frame
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%s at %d, pages of %d before %d, %+v: "+format, append([]any{name, whole.Seq, n, before, got.part}, args...)...)
		}
		if got.part.Told != told || got.part.Oldest != begins.oldest {
			fail("want %+v", told)
		}
		in := func(start uint64, open bool) bool {
			return start >= got.part.From && (before == 0 || start < before) || open && before == 0
		}
		var want pageOf
		if err := want.UnmarshalJSON(whole.AppendJSON(nil)); err != nil {
			t.Fatal(err)
		}
		want.Entries = slices.DeleteFunc(want.Entries, func(e *protocol.EntryState) bool { return !in(begins.entry(e), e.Open) })
		want.Requests = slices.DeleteFunc(want.Requests, func(q *protocol.RequestState) bool { return !in(begins.request(q), q.Resolved == nil) })
		for i, e := range want.Entries {
			if i < len(got.Entries) && before > 0 && got.Entries[i].PersistentID == "" {
				e.PersistentID = "" // it was told later
			}
		}
		if a, b := inJSON(want.Entries), inJSON(got.Entries); a != b {
			fail("entries\n%s\nwant\n%s", b, a)
		}
		if a, b := inJSON(want.Requests), inJSON(got.Requests); a != b {
			fail("requests\n%s\nwant\n%s", b, a)
		}
		had := entries
		for _, e := range got.Entries {
			if begins.entry(e) >= got.part.From {
				entries++
			}
		}
		for _, q := range got.Requests {
			if begins.request(q) >= got.part.From {
				requests++
			}
		}
		turns += compareTurns(fail, whole, got, begins, before, inJSON)
		for _, w := range []*protocol.SessionState{&want.SessionState, &got.SessionState} {
			w.Turns, w.Entries, w.Requests = nil, nil, nil
		}
		if a, b := inJSON(&want.SessionState), inJSON(&got.SessionState); a != b {
			fail("\n%s\nwant\n%s", b, a)
		}
		if got.part.From == got.part.Oldest {
			if left := begins.left(whole); entries != left.Entries || requests != left.Requests || turns != left.Turns {
				fail("all pages have %d entries, %d requests, %d turns", entries, requests, turns)
			}
			return pages + 1
		}
		if entries-had != n {
			fail("%d entries", entries-had)
		}
		before = got.part.From
	}
}

// compareTurns says how many turns have begun in the part of a page. A turn that began before it is told as far as the part tells it.
func compareTurns(fail func(string, ...any), whole *protocol.SessionState, got *pageOf, begins beginning, before uint64, inJSON func(any) string) (begun int) {
	for _, g := range got.Turns {
		w := *whole.Turn(g.TurnID)
		ids := slices.DeleteFunc(slices.Clone(w.Entries), func(id string) bool { return got.Entry(id) == nil })
		if !slices.Equal(ids, g.Entries) {
			fail("%s has %q, want %q", g.TurnID, g.Entries, ids)
		}
		switch w.Entries = g.Entries; {
		case begins.turn(&w) >= got.part.From || before == 0 && (w.EndSeq == 0 || g.TurnID == whole.Turns[len(whole.Turns)-1].TurnID):
			if begins.turn(&w) >= got.part.From {
				begun++
			}
			if before > 0 && w.EndSeq >= before { // the page behind has its end
				w.Status, w.Cause, w.Error, w.Hint, w.EndSeq, w.EndTs, w.Usage, g.Usage = "", "", "", "", 0, 0, nil, nil
			}
			if before > 0 && w.EndSeq == 0 {
				w.Usage, g.Usage = nil, nil
			}
			if a, b := inJSON(&w), inJSON(g); a != b {
				fail("turn\n%s\nwant\n%s", b, a)
			}
		case g.StartSeq > 0 || g.Prompt != nil || g.EndSeq == 0 || g.EndSeq != w.EndSeq || g.Status != w.Status:
			fail("turn\n%s\nof\n%s", inJSON(g), inJSON(&w))
		}
	}
	for _, w := range whole.Turns {
		if start := begins.turn(w); start >= got.part.From && (before == 0 || start < before) && got.Turn(w.TurnID) == nil {
			fail("%s is missing", w.TurnID)
		}
	}
	return begun
}
