package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"pgregory.net/rapid"
)

// logGen draws logs of well-formed events in no sensible order: few ids, so that they meet.
func logGen() *rapid.Generator[[]protocol.Event] {
	return rapid.Custom(func(t *rapid.T) []protocol.Event {
		n := rapid.IntRange(0, 60).Draw(t, "events")
		log := make([]protocol.Event, n)
		seq := uint64(0)
		for i := range log {
			seq += rapid.SampledFrom([]uint64{1, 1, 1, 1, 3}).Draw(t, "step")
			log[i] = protocol.Event{Seq: seq, Time: int64(seq) * 400, Payload: payload(t)}
		}
		return log
	})
}

func payload(t *rapid.T) protocol.Payload {
	id := func(letter string) string { return letter + rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, letter) }
	text := rapid.SampledFrom([]string{"", "a", "é\n", "some words "}).Draw(t, "text")
	switch rapid.IntRange(0, 18).Draw(t, "type") {
	case 0:
		return &protocol.SessionStart{SessionID: "s", AgentBackend: "pi", Metadata: protocol.Metadata{Title: text, Labels: map[string]string{"a": text}}}
	case 1:
		return &protocol.SessionEnd{Reason: protocol.EndError, Error: text}
	case 2:
		return &protocol.SessionMeta{
			Title: &text, Labels: map[string]string{}, Capabilities: []string{"x"}, PendingModel: &text,
			Policy: &protocol.Policy{Mode: protocol.PolicyAllowReads, Rules: []protocol.PolicyRule{{Pattern: text, Action: protocol.PolicyDeny}}},
		}
	case 3:
		return &protocol.ChildSession{ChildSessionID: id("c"), EntryID: id("e"), Title: text}
	case 4:
		return &protocol.Epoch{Epoch: rapid.Uint64Range(0, 4).Draw(t, "epoch")}
	case 5:
		return &protocol.TurnStart{TurnID: id("t"), Prompt: &protocol.Prompt{Text: text}}
	case 6:
		return &protocol.TurnEnd{TurnID: id("t"), Status: rapid.SampledFrom([]protocol.TurnStatus{protocol.TurnCompleted, protocol.TurnError}).Draw(t, "status"), Error: text}
	case 7, 8:
		typ := entryType(t)
		return &protocol.EntryStart{TurnID: id("t"), EntryID: id("e"), EntryType: typ, Data: data(typ, text, id("k")), Round: 1}
	case 9, 10, 11, 12:
		return &protocol.EntryDelta{EntryID: id("e"), Delta: delta(t, text)}
	case 13:
		typ := entryType(t)
		return &protocol.EntryEnd{TurnID: id("t"), EntryID: id("e"), EntryType: typ, Data: data(typ, text, id("k")), Incomplete: text == "a"}
	case 14:
		return &protocol.RequestOpened{RequestID: id("r"), Kind: protocol.RequestApproval, ToolName: "x", Title: text}
	case 15:
		return &protocol.RequestResolved{RequestID: id("r"), Outcome: protocol.OutcomeAllowed, By: "client:" + text}
	case 16:
		if text == "" {
			return &protocol.PromptRemoved{PromptID: id("p"), Reason: protocol.RemovedCancelled}
		}
		return &protocol.PromptQueued{PromptID: id("p"), Text: text}
	case 17:
		return &protocol.PromptMoved{PromptID: id("p"), Before: id("p")}
	}
	if text == "a" {
		return &protocol.TokenUsage{TurnID: id("t"), Usage: protocol.Usage{InputTokens: 3, TotalTokens: protocol.MaxSeq}, SessionTotal: &protocol.Usage{TotalTokens: 9}, Cost: &protocol.Cost{Total: 0.5}}
	}
	state := rapid.SampledFrom([]protocol.State{protocol.StateIdle, protocol.StateQueued, protocol.StateResponding, protocol.StateFailed, "new"}).Draw(t, "state")
	return &protocol.Status{State: state, AgentStatus: state.AgentStatus()}
}

func entryType(t *rapid.T) protocol.EntryType {
	return rapid.SampledFrom([]protocol.EntryType{
		protocol.EntryUserMessage, protocol.EntryAssistantMessage, protocol.EntryThinking, protocol.EntryToolCall,
		protocol.EntryToolResult, protocol.EntryPlan, protocol.EntryCompaction, protocol.EntrySystem, "hologram",
	}).Draw(t, "entry type")
}

func data(typ protocol.EntryType, text, callID string) protocol.EntryData {
	d := protocol.NewEntryData(typ)
	switch d := d.(type) {
	case *protocol.MessageData:
		d.Text = text
	case *protocol.ThinkingData:
		d.Summary = []string{text}
	case *protocol.ToolCallData:
		d.CallID, d.Output = callID, text
	case *protocol.ToolResultData:
		d.CallID, d.Output = callID, text
	}
	return d
}

func delta(t *rapid.T, text string) protocol.Delta {
	switch rapid.IntRange(0, 5).Draw(t, "op") {
	case 0:
		return &protocol.TextSet{Text: text}
	case 1:
		return &protocol.ArgumentsAppend{Text: text}
	case 2:
		return &protocol.StatusChange{Status: protocol.ToolRunning, Output: text}
	case 3:
		return &protocol.SummaryAppend{SummaryIndex: rapid.SampledFrom([]int{0, 1, 3, -1, math.MaxInt}).Draw(t, "part"), Text: text}
	case 4:
		return &protocol.UnknownDelta{Name: "warp"}
	}
	return &protocol.TextAppend{Text: text}
}

func encode(log []protocol.Event) string {
	var b []byte
	for i := range log {
		b = protocol.AppendLine(b, &log[i])
	}
	return string(b)
}

// fold(log) is fold(prefix) and then the rest, whether the state in between was kept or went through its JSON; events
// received twice count once; and no event is changed by being folded.
// Proves: P7
func TestFoldIsIncremental(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logGen().Draw(t, "log")
		before := encode(log)
		want := string(fold(log).AppendJSON(nil))
		if after := encode(log); after != before {
			t.Fatalf("the events changed:\n%s\n%s", before, after)
		}

		cut := rapid.IntRange(0, len(log)).Draw(t, "cut")
		again := rapid.IntRange(0, cut).Draw(t, "again")
		kept := fold(log[:cut])
		checkpoint := kept.AppendJSON(nil)
		var read protocol.SessionState
		if err := json.Unmarshal(checkpoint, &read); err != nil {
			t.Fatalf("%s: %v", checkpoint, err)
		}
		for i := again; i < len(log); i++ {
			kept.Apply(&log[i])
			read.Apply(&log[i])
		}
		if got := string(kept.AppendJSON(nil)); got != want {
			t.Fatalf("kept: got\n%s\nwant\n%s", got, want)
		}
		if got := string(read.AppendJSON(nil)); got != want {
			t.Fatalf("read: got\n%s\nwant\n%s", got, want)
		}
	})
}

// An event that comes again, right behind itself as after a reconnect, counts once.
func TestFoldTwice(t *testing.T) {
	for name, log := range logs(t) {
		twice := new(protocol.SessionState)
		for i := range log {
			twice.Apply(&log[i])
			twice.Apply(&log[i])
		}
		if got, want := twice.AppendJSON(nil), fold(log).AppendJSON(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Deltas of entries that end may be missing: the state is the same.
// Proves: 002.8/6, C12
func TestFoldWithoutDeltas(t *testing.T) {
	check := func(t testing.TB, log []protocol.Event) {
		ended := make(map[string]int)
		for i := range log {
			if end, ok := log[i].Payload.(*protocol.EntryEnd); ok {
				ended[end.EntryID] = i
			}
		}
		settled := new(protocol.SessionState)
		for i := range log {
			if d, ok := log[i].Payload.(*protocol.EntryDelta); ok && i < ended[d.EntryID] {
				continue
			}
			settled.Apply(&log[i])
		}
		whole := fold(log)
		if len(log) > 0 { // the last event may be one of those left out
			settled.Seq, settled.Ts, settled.Epoch = whole.Seq, whole.Ts, whole.Epoch
		}
		if got, want := settled.AppendJSON(nil), whole.AppendJSON(nil); !bytes.Equal(got, want) {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
	for name, log := range logs(t) {
		t.Run(name, func(t *testing.T) { check(t, log) })
	}
}

// Every view is total, gives at most one item per event, with rising numbers, and the same for the same events.
func TestViewsAreTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := logGen().Draw(t, "log")
		log = append(log, protocol.Event{Seq: math.MaxInt64, Payload: &protocol.Unknown{Name: "x"}})
		if a, b := views(log), views(log); !reflect.DeepEqual(a, b) {
			t.Fatalf("%v\n%v", a, b)
		}
	})
}

func views(log []protocol.Event) []string {
	var items protocol.Items
	var chunks protocol.Chunks
	push := protocol.NewPush("s")
	var got []string
	for i := range log {
		if it, ok := items.Item(&log[i]); ok {
			got = append(got, fmt.Sprintf("%+v", it))
		}
		if it, ok := push.Item(&log[i]); ok {
			got = append(got, fmt.Sprintf("%+v", it))
		}
		if c, ok := chunks.Chunk(&log[i]); ok {
			got = append(got, fmt.Sprintf("%+v", c))
		}
	}
	return got
}

// What is pushed is what is polled, but for the index and the session; and everything of the pushed types is pushed, but for a message
// that says again what its entry's last one said.
// Proves: 000.nongoals, C21
func TestPushAgreesWithItems(t *testing.T) {
	for name, log := range logs(t) {
		var items protocol.Items
		push := protocol.NewPush("s")
		said := map[string]string{}
		for i := range log {
			polled, _ := items.Item(&log[i])
			pushed, ok := push.Item(&log[i])
			again := polled.Type == protocol.ItemMessage && said[polled.EntryID] == polled.Text
			if polled.Type == protocol.ItemMessage {
				said[polled.EntryID] = polled.Text
			}
			if want := polled.Type.Pushed() && !again; ok != want {
				t.Errorf("%s: %+v: pushed: %t, want %t", name, polled, ok, want)
			}
			if polled.Index, polled.SessionID = 0, "s"; ok && !reflect.DeepEqual(pushed, polled) {
				t.Errorf("%s: pushed %+v, polled %+v", name, pushed, polled)
			}
		}
	}
}

// The order that clients rely on: "running" before the first sign of work, one end per turn, and "idle" only after it.
// Proves: T10
func TestItemOrder(t *testing.T) {
	for name, log := range logs(t) {
		if name == "missing_events" {
			continue // its status events are among those that are missing
		}
		var items protocol.Items
		word, state, turns, ends := "idle", protocol.State(""), 0, 0
		for i := range log {
			if _, ok := log[i].Payload.(*protocol.TurnEnd); ok {
				turns++
			}
			it, _ := items.Item(&log[i])
			switch it.Type {
			case protocol.ItemStatus:
				waits := func(s protocol.State) string { // for what
					if s != protocol.StateAwaitingApproval && s != protocol.StateAwaitingInput {
						return ""
					}
					return string(s)
				}
				if it.Text == word && waits(state) == waits(it.State) {
					t.Errorf("%s: seq %d says %q again", name, it.Seq, word)
				}
				state = it.State
				if it.Text == "idle" && word == "running" && ends != turns {
					t.Errorf("%s: seq %d: idle before the end of the turn", name, it.Seq)
				}
				word = it.Text
			case protocol.ItemDelta, protocol.ItemMessage, protocol.ItemToolCall, protocol.ItemToolResult, protocol.ItemThinking:
				if word != "running" {
					t.Errorf("%s: seq %d: %s while %s", name, it.Seq, it.Type, word)
				}
			case protocol.ItemCompletion:
				ends++
			case protocol.ItemError:
				if _, ok := log[i].Payload.(*protocol.TurnEnd); ok {
					ends++
				}
			}
		}
		if ends != turns {
			t.Errorf("%s: %d ends of %d turns", name, ends, turns)
		}
	}
}

// A long stream of deltas costs time and memory in proportion to its text, in every view, also when the state is read
// between any two of them.
func TestLongStreamsAreLinear(t *testing.T) {
	const n, part = 100_000, "twenty bytes of text"
	log := make([]protocol.Event, 0, n+1)
	log = append(log, protocol.Event{Seq: 1, Payload: &protocol.EntryStart{EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{}}})
	for i := range n {
		log = append(log, protocol.Event{Seq: uint64(i) + 2, Time: int64(i), Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: part}}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s, push := new(protocol.SessionState), protocol.NewPush("s")
	for i := range log {
		s.Apply(&log[i])
		push.Item(&log[i])
		if got := len(s.Entry("e1").Data.(*protocol.MessageData).Text); got != i*len(part) {
			t.Fatalf("after delta %d: %d bytes of text", i, got)
		}
	}
	runtime.ReadMemStats(&after)
	if perText := float64(after.TotalAlloc-before.TotalAlloc) / (n * float64(len(part))); perText > 20 {
		t.Errorf("%.1f bytes allocated per byte of text", perText)
	}
}

// Sums stop at what every client can hold, both ways: a state reads back whatever an agent counts.
func TestSumsAreBounded(t *testing.T) {
	s := new(protocol.SessionState)
	for seq := range uint64(3) {
		s.Apply(&protocol.Event{Seq: seq + 1, Payload: &protocol.TokenUsage{Usage: protocol.Usage{InputTokens: protocol.MaxSeq, TotalTokens: -protocol.MaxSeq}}})
	}
	if sum := s.Usage.Sum; sum.InputTokens != protocol.MaxSeq || sum.TotalTokens != -protocol.MaxSeq {
		t.Errorf("got %+v", sum)
	}
	if err := json.Unmarshal(s.AppendJSON(nil), new(protocol.SessionState)); err != nil {
		t.Error(err)
	}
}

func TestStateQueries(t *testing.T) {
	s := fold(logs(t)["mid_turn"])
	if open := s.OpenRequests(); len(open) != 1 || open[0].RequestID != "r1" || s.Request("r1") != open[0] {
		t.Errorf("open requests: %v", open)
	}
	if e := s.Entry("e4"); e == nil || !e.Open || e.Data.(*protocol.MessageData).Text != "So far so good" {
		t.Errorf("entry e4: %+v", e)
	}
	if turn := s.Turn("t1"); turn == nil || turn.Status != "" || len(turn.Entries) != 4 {
		t.Errorf("turn t1: %+v", turn)
	}
	if s.Turn("t9") != nil || s.Entry("e9") != nil || s.Request("r9") != nil {
		t.Error("found what is not there")
	}
	if got := fold(logs(t)["epoch"]).Cursor().String(); got != "2.30" {
		t.Errorf("cursor: got %s", got)
	}
	if got := new(protocol.SessionState).Cursor().String(); got != "0" {
		t.Errorf("cursor of nothing: got %s", got)
	}
	for _, in := range []string{`{}`, `[]`, `{"sessionId":"s","sessionId":"s"}`, `{"sessionId":1}`} {
		if err := json.Unmarshal([]byte(in), new(protocol.SessionState)); err == nil {
			t.Errorf("%s: accepted as a state", in)
		}
	}
}

// TestStream: a state of many megabytes is handed on in pieces of some length, which together are what AppendJSON gives; what is encoded is let go, and what
// is not there is loaded when it is wanted.
func TestStream(t *testing.T) {
	text := strings.Repeat("\"x", 30_000)
	entry := func(n int) *protocol.EntryState {
		return &protocol.EntryState{EntryID: fmt.Sprint(n), EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Text: text}}
	}
	state := func(entry func(n int) *protocol.EntryState) *protocol.SessionState {
		s := &protocol.SessionState{SessionID: "s"}
		for n := range 200 {
			s.Entries = append(s.Entries, entry(n))
		}
		return s
	}
	whole := state(entry).AppendJSON(nil)
	s := state(func(n int) *protocol.EntryState {
		x := entry(n)
		x.Data = &protocol.MessageData{}
		return x
	})
	var got []byte
	pieces := 0
	list := s.Entries
	last, err := s.Stream(func(part any) error {
		part.(*protocol.EntryState).Data.(*protocol.MessageData).Text = text
		return nil
	}, func(b []byte) error {
		got = append(got, b...)
		if pieces++; len(b) < 64<<10 || len(b) > 64<<10+2*len(text) {
			t.Errorf("piece %d has %d bytes", pieces, len(b))
		}
		if done := bytes.Count(got, []byte(`"entryId"`)); list[done-1] != nil {
			t.Errorf("entry %d is encoded and still there", done)
		}
		return nil
	})
	if got = append(got, last...); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%v: the pieces have %d bytes, the whole has %d", err, len(got), len(whole))
	}
	if pieces < 100 || len(s.Entries) > 0 {
		t.Errorf("%d pieces, %d entries left", pieces, len(s.Entries))
	}
	no := errors.New("no")
	for name, fails := range map[string]struct {
		load  func(any) error
		write func([]byte) error
	}{
		"load":  {func(any) error { return no }, func([]byte) error { t.Error("written"); return nil }},
		"write": {nil, func([]byte) error { return no }},
	} {
		if _, err := state(entry).Stream(fails.load, fails.write); !errors.Is(err, no) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
