package fold

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestStatesOfTrimmedLogs drops the beginning of every fixture at every segment: the state is that of the whole log without what was over there, also by page, at
// the place of the cut, and behind each event of what is left. A state before the cut is answered with a reset.
//
// Proves: I15.2/trimmed
func TestStatesOfTrimmedLogs(t *testing.T) {
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	paths, err := filepath.Glob("../../protocol/testdata/logs/*.ndjson")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures: ", err)
	}
	cuts, pages := 0, 0
	for _, path := range append(paths, "late") {
		name := filepath.Base(path)
		if name == "missing_events.ndjson" || name == "settled.ndjson" { // no session's log
			continue
		}
		log, err := os.ReadFile(path)
		if path == "late" {
			log, err = lateEntry(), nil
		}
		if err != nil {
			t.Fatal(err)
		}
		j, events := journalOf(t, log)
		for cut := j.DropPoint(j.Log().Bytes() - 1); cut > 0; cut = j.DropPoint(j.Log().Bytes() - 1) {
			if err := j.DropBefore(cut); err != nil {
				t.Fatal(err)
			}
			cuts++
			pages += x.compareTrimmed(t, name, j.Log(), events, cut)
		}
	}
	if cuts < 100 || pages < 1000 {
		t.Errorf("%d cuts, %d pages", cuts, pages)
	}
	if taken := x.memory.bytes.Taken(); taken != 0 {
		t.Errorf("%d bytes are taken", taken)
	}
}

// lateEntry is a log with entries of which one ends two turns after its own, and the other begins there.
func lateEntry() (log []byte) {
	of := func(id, turn string) (*protocol.EntryStart, *protocol.EntryEnd) {
		d := &protocol.SystemData{Text: strings.Repeat(id, 200)}
		return &protocol.EntryStart{EntryID: id, TurnID: turn, EntryType: protocol.EntrySystem, Data: d},
			&protocol.EntryEnd{EntryID: id, TurnID: turn, EntryType: protocol.EntrySystem, Data: d}
	}
	late, ends := of("e1", "t1")
	one, oneEnds := of("e2", "t2")
	two, twoEnds := of("e3", "t3")
	later, laterEnds := of("e4", "t1")
	for i, p := range []protocol.Payload{
		&protocol.SessionStart{SessionID: "s", AgentBackend: "scripted"}, &protocol.TurnStart{TurnID: "t1"}, late, &protocol.TurnEnd{TurnID: "t1"},
		&protocol.TurnStart{TurnID: "t2"}, one, oneEnds, &protocol.TurnEnd{TurnID: "t2"}, &protocol.TurnStart{TurnID: "t3"}, two, ends, twoEnds, later, laterEnds,
		&protocol.TurnEnd{TurnID: "t3"},
	} {
		log = protocol.AppendLine(log, &protocol.Event{Seq: uint64(i + 1), Payload: p})
	}
	return log
}

// compareTrimmed holds the states of a log whose beginning has gone against those of the whole.
func (s *States) compareTrimmed(t *testing.T, name string, log store.Log, events []protocol.Event, oldest uint64) (pages int) {
	t.Helper()
	var frame, base protocol.Frame
	var whole protocol.SessionState
	r := &session.Reader{Log: log, Beginning: func() (*protocol.Frame, error) { return base.Clone(), nil }}
	var begins beginning
	for i := range events {
		whole.Apply(&events[i])
		frame.Apply(&events[i])
		seq := events[i].Seq
		if seq < oldest-1 {
			continue
		}
		now := frame.Clone() // as a session gives it: with the texts of what is open
		for _, e := range now.State.Entries {
			e.Data = protocol.CopyData(e.EntryType, whole.Entry(e.EntryID).Data)
		}
		if seq == oldest-1 {
			base, begins = *now.Clone(), beginning{oldest, now}
			var gone *store.GoneError
			if _, err := s.fold(t.Context(), r, seq-1); !errors.As(err, &gone) || gone.Oldest != oldest {
				t.Fatalf("%s from %d on: the state before the cut: %v", name, oldest, err)
			}
		}
		s.memory.Large, s.memory.Long = largeLog, longLine
		if seq%2 > 0 {
			s.memory.Large, s.memory.Long = 0, 0
		}
		if n := seq - oldest + 1; n%5 > 1 && i+1 < len(events) {
			continue
		}
		s.compareWhole(t, name, r, seq, events, &begins)
		for k, n := range []int{1, 3, 100} {
			r.Frame = nil
			if (k+int(seq))%2 > 0 {
				r.Frame = now.Clone()
			}
			pages += s.comparePages(t, name, r, &whole, begins, n)
		}
	}
	return pages
}

// compareWhole wants the state that is no page to be that of a client that had the state at the cut.
func (s *States) compareWhole(t *testing.T, name string, r *session.Reader, at uint64, events []protocol.Event, begins *beginning) {
	t.Helper()
	f, err := s.fold(t.Context(), r, at)
	if err != nil {
		t.Fatal(name, begins.oldest, at, err)
	}
	defer f.close()
	var b bytes.Buffer
	if err := f.send(&b); err != nil {
		t.Fatal(err)
	}
	want := begins.frame().State // a client that has it goes on from there
	for i := begins.oldest - 1; i < at; i++ {
		want.Apply(&events[i])
	}
	var got protocol.SessionState
	if err := got.UnmarshalJSON(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	a, err := json.Marshal(&want)
	c, err2 := json.Marshal(&got)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, c) {
		t.Fatalf("%s from %d on, at %d:\n%s\nwant\n%s", name, begins.oldest, at, c, a)
	}
}

// entry, request and turn give where an element begins in a log: one that was open when the beginning was dropped begins with what is left. 0: it is gone.
func (b *beginning) entry(x *protocol.EntryState) uint64 {
	return b.start(x.StartSeq, func(f *protocol.SessionState) bool { return f.Entry(x.EntryID) != nil })
}

func (b *beginning) request(r *protocol.RequestState) uint64 {
	return b.start(r.OpenedSeq, func(f *protocol.SessionState) bool { return f.Request(r.RequestID) != nil })
}

func (b *beginning) turn(t *protocol.TurnState) uint64 {
	return b.start(t.StartSeq, func(f *protocol.SessionState) bool { return f.Turn(t.TurnID) != nil })
}

func (b *beginning) start(seq uint64, knows func(*protocol.SessionState) bool) uint64 {
	switch {
	case seq >= b.oldest:
		return seq
	case b.dropped != nil && knows(&b.dropped.State):
		return b.oldest
	}
	return 0
}

// left counts what is not gone of a state.
func (b *beginning) left(of *protocol.SessionState) (n protocol.Told) {
	for _, x := range of.Entries {
		n.Entries += min(1, int(b.entry(x)))
	}
	for _, r := range of.Requests {
		n.Requests += min(1, int(b.request(r)))
	}
	for _, t := range of.Turns {
		n.Turns += min(1, int(b.turn(t)))
	}
	return n
}
