package supervisor

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestKnownIDs: an agent that has outlived the daemon tells once more of what the daemon's end cut off, and of nothing else.
func TestKnownIDs(t *testing.T) {
	j, err := journal.Create(t.TempDir()+"/s", journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	said := &protocol.MessageData{Role: "assistant", Text: "x"}
	start := func(entry, id string) protocol.Payload {
		return &protocol.EntryStart{EntryID: entry, EntryType: protocol.EntryAssistantMessage, Data: said, PersistentID: id}
	}
	end := func(entry, id, reason string) protocol.Payload {
		return &protocol.EntryEnd{
			EntryID: entry, EntryType: protocol.EntryAssistantMessage, Data: said, PersistentID: id, Incomplete: reason != "", Reason: reason,
		}
	}
	events := []protocol.Payload{
		start("e1", ""), end("e1", "whole", ""),
		start("e2", "aborted"), end("e2", "", "interrupted"),
		start("e3", "cut"), end("e3", "", daemonRestarted),
		start("e4", ""), &protocol.EntryMeta{EntryID: "e4", PersistentID: "bound"}, end("e4", "", sessionRestarted),
		start("e5", "cut"), end("e5", "cut", ""), // told once more, before another restart
	}
	for _, upTo := range []int{len(events) - 2, len(events)} {
		var lines []byte
		first := uint64(1)
		if upTo == len(events) {
			first = uint64(upTo - 1)
		}
		for i := first; i <= uint64(upTo); i++ {
			lines = protocol.AppendLine(lines, &protocol.Event{Seq: i, Time: 1, Payload: events[i-1]})
		}
		if err := j.Append(journal.Batch{First: first, Count: upTo - int(first) + 1, Lines: lines, Time: 1}); err != nil {
			t.Fatal(err)
		}
		for lived, want := range map[bool][]string{false: {"whole", "aborted", "cut", "bound"}, true: {"whole", "aborted"}} {
			if upTo == len(events) {
				want = map[bool][]string{false: {"whole", "aborted", "bound", "cut"}, true: {"whole", "aborted", "cut"}}[lived]
			}
			if got := newestIDs(j.Log(), uint64(upTo), lived); !slices.Equal(got, want) {
				t.Errorf("up to %d, lived %v: %q, want %q", upTo, lived, got, want)
			}
		}
	}
}
