package resume

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/actors/store/memory"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
)

// TestUnboundEntries: what an agent said and has no id of its own is told to its next start, and nothing else.
// Proves: I10.4/lost_ids
func TestUnboundEntries(t *testing.T) {
	j, err := new(memory.Store).Create("s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	said := func(text string) protocol.EntryData { return &protocol.MessageData{Role: "assistant", Text: text} }
	end := func(entry, id string, kind protocol.EntryType, data protocol.EntryData) protocol.Payload {
		return &protocol.EntryEnd{EntryID: entry, EntryType: kind, Data: data, PersistentID: id}
	}
	call := &protocol.ToolCallData{ToolName: "bash", CallID: "c1", Output: "much"}
	var lines []byte
	for i, p := range []protocol.Payload{
		end("e1", "", protocol.EntryUserMessage, said("bound later")),
		&protocol.EntryStart{EntryID: "e2", EntryType: protocol.EntryAssistantMessage, Data: said(""), PersistentID: "b"},
		&protocol.EntryMeta{EntryID: "e1", PersistentID: "a"},
		end("e2", "", protocol.EntryAssistantMessage, said("bound before")),
		end("e3", "c", protocol.EntryAssistantMessage, said("bound")),
		end("e4", "", protocol.EntryUserMessage, said("lost")),
		&protocol.EntryDelta{EntryID: "e5", Delta: &protocol.TextAppend{Text: "not read"}},
		end("e5", "", protocol.EntryToolCall, call),
		end("d9", "", protocol.EntrySystem, &protocol.SystemData{Text: "the daemon's"}),
		end("e2.1", "", protocol.EntryThinking, &protocol.ThinkingData{Text: strings.Repeat("é", adapters.MaxUnboundText)}),
		end("e2.2", "", protocol.EntryAssistantMessage, said("")),
	} {
		lines = protocol.AppendLine(lines, &protocol.Event{Seq: uint64(i + 1), Time: 1, Payload: p})
	}
	if err := j.Append(store.Batch{First: 1, Count: 11, Lines: lines, Time: 1}); err != nil {
		t.Fatal(err)
	}
	want := []adapters.Unbound{
		{ID: "e4", Type: protocol.EntryUserMessage, Text: "lost"},
		{ID: "e5", Type: protocol.EntryToolCall, CallID: "c1"},
		{ID: "e2.1", Type: protocol.EntryThinking, Text: strings.Repeat("é", adapters.MaxUnboundText/2)},
	}
	if got, err := newestUnbound(j.Log(), 11); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, err := newestUnbound(j.Log(), 1); err != nil || len(got) != 1 || got[0].ID != "e1" {
		t.Errorf("of the first event: %+v", got)
	}
}

// TestKnownIDs: an agent that has outlived the daemon tells once more of what the daemon's end cut off, and of nothing else.
func TestKnownIDs(t *testing.T) {
	j, err := new(memory.Store).Create("s")
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
		start("e3", "cut"), end("e3", "", core.DaemonRestarted),
		start("e4", ""), &protocol.EntryMeta{EntryID: "e4", PersistentID: "bound"}, end("e4", "", core.SessionRestarted),
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
		if err := j.Append(store.Batch{First: first, Count: upTo - int(first) + 1, Lines: lines, Time: 1}); err != nil {
			t.Fatal(err)
		}
		for lived, want := range map[bool][]string{false: {"whole", "aborted", "cut", "bound"}, true: {"whole", "aborted"}} {
			if upTo == len(events) {
				want = map[bool][]string{false: {"whole", "aborted", "bound", "cut"}, true: {"whole", "aborted", "cut"}}[lived]
			}
			if got, err := newestIDs(j.Log(), uint64(upTo), lived); err != nil || !slices.Equal(got, want) {
				t.Errorf("up to %d, lived %v: %q, want %q", upTo, lived, got, want)
			}
		}
	}
}
