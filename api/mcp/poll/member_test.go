package poll

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A message that grows takes no more room in a page than its last item, with its event where that is asked for.
func TestGrowingMessageTakesTheRoomOfOne(t *testing.T) {
	grown := sessionEvent{SessionEvent: protocol.SessionEvent{Type: protocol.ItemMessage, EntryID: "e1", Text: "abc"}, Event: json.RawMessage(`{"seq":7}`)}
	var once, often member
	once.add(grown)
	for range 3 {
		often.add(grown)
	}
	if often.size != once.size || often.live != once.live {
		t.Errorf("%d bytes of %d events, want %d of %d", often.size, often.live, once.size, once.live)
	}
}

// pollOf is a poll of one log.
func pollOf(in Input) (*poll, *member) {
	m := &member{items: new(protocol.Items)}
	p := &poll{in: &in, members: []*member{m}, types: map[protocol.ItemType]bool{}, of: &Polls{}, call: &call.Call{Who: access.Root}}
	for _, t := range output.ItemTypes {
		p.types[t] = len(in.Types) == 0 || slices.Contains(in.Types, string(t))
	}
	return p, m
}

func say(seq uint64, text string) *protocol.Event {
	return &protocol.Event{Seq: seq, Payload: &protocol.EntryEnd{
		EntryID: fmt.Sprint("e", seq), EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text},
	}}
}

// A page ends with the first event for which there is no room, also when the log is read on: what would fit behind it comes with the next page.
func TestPagesHaveNoGaps(t *testing.T) {
	p, m := pollOf(Input{MaxEvents: 10, MaxBytes: 5000})
	for i, text := range []string{"short", strings.Repeat("long ", 1500), "short as well"} {
		m.take(p, say(uint64(i+1), text))
	}
	if len(m.got) != 1 || !m.more || m.got[0].Seq != 1 {
		t.Errorf("%d events", len(m.got))
	}
	p, m = pollOf(Input{MaxEvents: 10, MaxBytes: 5000, Detail: true})
	m.take(p, say(1, "short"))
	m.take(p, &protocol.Event{Seq: 2, Payload: &protocol.EntryEnd{
		EntryID: "e2", EntryType: protocol.EntryToolCall, Data: &protocol.ToolCallData{Status: protocol.ToolCompleted, Output: strings.Repeat("long ", 1500)},
	}})
	if len(m.got) != 1 || !m.more {
		t.Errorf("an event with its detail is put where there is no room for it: %d events of %d bytes", len(m.got), m.size)
	}
}

// What was asked ends the waiting as long as it is open, also when it is asked by the turn that the prompt waits for.
func TestWaitingHeedsWhatIsOpen(t *testing.T) {
	asks := &protocol.Event{Seq: 1, Payload: &protocol.RequestOpened{RequestID: "r1", TurnID: "t1", Kind: protocol.RequestApproval, Title: "May I?"}}
	answered := &protocol.Event{Seq: 2, Payload: &protocol.RequestResolved{RequestID: "r1", Outcome: protocol.OutcomeAllowed}}
	for name, in := range map[string]Input{
		"all": {}, "of a prompt": {PromptID: "p2"}, "completions": {Types: []string{"completion"}},
	} {
		in.MaxEvents, in.MaxBytes = 10, 5000
		p, m := pollOf(in)
		m.take(p, asks)
		if !p.asks() {
			t.Errorf("%s: what is asked is not heeded", name)
		}
		m.take(p, answered)
		if p.asks() {
			t.Errorf("%s: what was answered is heeded still", name)
		}
	}
}

// A page that is full by its size knows the fold at its end, however much that nobody wants comes behind it: the next call reads no event a
// second time.
func TestPageFullBySizeKnowsItsFold(t *testing.T) {
	for _, unwanted := range []int{0, 1, maxBehind, 3 * maxBehind} {
		p, m := pollOf(Input{MaxEvents: 1000, MaxBytes: 5000, Types: []string{"message"}})
		reference, at := new(protocol.Items), map[uint64]*protocol.Items{}
		for seq := uint64(1); !m.more; seq++ {
			e := say(seq, strings.Repeat("text ", 40))
			if seq%uint64(unwanted+1) != 0 { // a prompt that waits changes the fold, and is no message
				e = &protocol.Event{Seq: seq, Payload: &protocol.PromptQueued{PromptID: fmt.Sprint("p", seq), Text: "do"}}
			}
			m.take(p, e)
			reference.Item(e)
			at[seq] = reference.Clone()
		}
		last := m.got[len(m.got)-1].Seq
		if m.cut == nil || len(m.got) < 5 || !reflect.DeepEqual(m.cut.Clone(), at[last].Clone()) {
			t.Errorf("%d unwanted events between messages: the fold at seq %d is not known", unwanted, last)
		}
	}
}
