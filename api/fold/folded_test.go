package fold

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/api/compress"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLargeStateIsTheSame: what is sent of a state whose texts stay in the log is what is sent of one in memory, at every event of every fixture; also where
// texts grow behind a long beginning, where an entry that has ended is changed, and where several end in another order.
func TestLargeStateIsTheSame(t *testing.T) {
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	logs := map[string][]byte{"reopened": reopened()}
	paths, err := filepath.Glob("../../protocol/testdata/logs/*.ndjson")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures: ", err)
	}
	for _, path := range paths {
		if logs[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, log := range logs {
		r, first, newest := journaled(t, log)
		for at := first; at <= newest; at++ {
			var got [3]bytes.Buffer
			for i, folds := range []struct {
				large int64
				long  int
			}{{largeLog, longLine}, {0, 0}, {0, 200}} {
				x.memory.Large, x.memory.Long = folds.large, folds.long
				state, err := x.fold(t.Context(), r, at)
				if err != nil {
					t.Fatal(err)
				}
				if state.whole() != (i == 0) {
					t.Fatal("large logs and small ones are taken for each other")
				}
				if err := state.send(&got[i]); err != nil {
					t.Fatal(err)
				}
				state.close()
			}
			if !bytes.Equal(got[0].Bytes(), got[1].Bytes()) || !bytes.Equal(got[0].Bytes(), got[2].Bytes()) {
				t.Fatalf("%s at %d:\n%s\nof a large log:\n%s\n%s", name, at, &got[0], &got[1], &got[2])
			}
		}
	}
	if taken := x.memory.bytes.Taken(); taken != 0 {
		t.Errorf("%d bytes are taken", taken)
	}
}

// reopened is a log that no session writes, and that a fold takes all the same.
func reopened() []byte {
	long := strings.Repeat("long ", 100)
	text := func(s string) protocol.EntryData { return &protocol.MessageData{Role: "assistant", Text: s} }
	start := func(id, s string) protocol.Payload {
		return &protocol.EntryStart{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: text(s)}
	}
	grow := func(id, s string) protocol.Payload {
		return &protocol.EntryDelta{EntryID: id, Delta: &protocol.TextAppend{Text: s}}
	}
	end := func(id, s string) protocol.Payload {
		return &protocol.EntryEnd{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: text(s)}
	}
	var log []byte
	for i, p := range []protocol.Payload{
		&protocol.SessionStart{SessionID: "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", AgentBackend: "pi"},
		&protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{Text: long, PromptID: "p1"}},
		start("e1", long), grow("e1", "more"), grow("e1", long), start("e2", ""), start("e3", long), grow("e2", long),
		end("e3", long+"3"), end("e1", long+"1"), grow("e1", " and on"), end("e2", "short"), start("e3", "anew"), grow("e3", long), end("e3", "at last"),
		end("e4", long), &protocol.EntryMeta{EntryID: "e4", PersistentID: "x"}, &protocol.TurnStart{TurnID: "t1"}, end("e1", long),
	} {
		log = protocol.AppendLine(log, &protocol.Event{Seq: uint64(i + 1), Time: int64(i), Payload: p})
	}
	return log
}

// journaled is a log as a session's journal has it, in several segments.
func journaled(t *testing.T, log []byte) (r *session.Reader, first, newest uint64) {
	t.Helper()
	j, events := journalOf(t, log)
	return &session.Reader{Log: j.Log()}, 1, uint64(len(events))
}

// journalOf writes a log, numbered from 1 on.
func journalOf(t *testing.T, log []byte) (*journal.Journal, []protocol.Event) {
	t.Helper()
	events := make([]uint64, 0, 64)
	for e, err := range protocol.Events(bytes.NewReader(log)) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e.Seq)
	}
	slices.Sort(events)
	lines := slices.DeleteFunc(bytes.SplitAfter(log, []byte("\n")), func(l []byte) bool { return !bytes.HasPrefix(l, []byte(`{"seq":`)) })
	j, err := journal.Create(filepath.Join(t.TempDir(), "log"), journal.Options{SegmentBytes: 700})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	var written []protocol.Event
	for i, line := range lines {
		if events[i] != uint64(i+1) { // a fixture whose beginning is missing
			line = fmt.Appendf(nil, `{"seq":%d,%s`, i+1, line[bytes.IndexByte(line, ',')+1:])
		}
		e, err := protocol.Decode(bytes.TrimSpace(line))
		if err == nil {
			err = j.Append(store.Batch{First: uint64(i + 1), Count: 1, Lines: line})
		}
		if err != nil {
			t.Fatal(err)
		}
		written = append(written, e)
	}
	return j, written
}

// TestLargeStateStaysInTheLog: a state of many megabytes that a client does not read, and one that a model asks for, take the memory of its frame.
func TestLargeStateStaysInTheLog(t *testing.T) {
	const each, texts = 100 << 10, 300
	var log []byte
	text := strings.Repeat("x", each)
	for i := range uint64(texts) {
		id := fmt.Sprint("e", i)
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 1, Payload: &protocol.EntryStart{
			EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"},
		}})
		log = protocol.AppendLine(log, &protocol.Event{Seq: 2*i + 2, Payload: &protocol.EntryEnd{
			EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text},
		}})
	}
	r, _, newest := journaled(t, log)
	size := len(log)
	x := New(nil, nil, NewMemory(64<<20), compress.NewPool(8), zap.NewNop())
	inUse := func() int {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	base := inUse()
	state, err := x.fold(t.Context(), r, newest)
	if err != nil {
		t.Fatal(err)
	}
	if grown := inUse() - base; grown > size/20 {
		t.Errorf("a state of %d bytes takes %d before it is sent", size, grown)
	}
	most, sent := 0, 0
	if err := state.send(writer(func(b []byte) (int, error) {
		if sent += len(b); most == 0 || sent > size/2 && sent < size/2+2*each {
			most = max(most, inUse()-base)
		}
		return len(b), nil
	})); err != nil || sent < texts*each {
		t.Fatalf("%d bytes were sent, %v", sent, err)
	}
	state.close()
	if most == 0 || most > size/20 {
		t.Errorf("a state of %d bytes takes %d while it is sent", size, most)
	}
	body, left, err := x.Bounded(t.Context(), r, newest, Bounds{Text: 1000, Items: 10, Shorten: func(text string, most int) string {
		return fmt.Sprintf("%s… (%d bytes)", text[:most], len(text))
	}})
	if err != nil || len(body) > 20_000 || left["entries"] != texts-10 || !bytes.Contains(body, []byte("… (102400 bytes)")) || !bytes.Contains(body, []byte(`"e299"`)) {
		t.Errorf("a model gets %d bytes, %v, %v", len(body), left, err)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
