package protocol_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What a client holds of a message, at any moment, is a text that the message has had: no delta is appended to anything else.
// Proves: I10.1/mixture
func TestDeltasNeverMakeATextOfTheirOwn(t *testing.T) {
	for n := range uint64(200) {
		log := randomLog(rand.New(rand.NewPCG(n, 4)))
		var items protocol.Items
		var state protocol.SessionState
		var list protocol.ItemList
		had := map[string]map[string]bool{} // texts by entry
		for i := range log {
			state.Apply(&log[i])
			for _, x := range state.Entries {
				if d, ok := x.Data.(*protocol.MessageData); ok {
					if had[x.EntryID] == nil {
						had[x.EntryID] = map[string]bool{}
					}
					had[x.EntryID][d.Text] = true
				}
			}
			it, ok := items.Item(&log[i])
			if !ok {
				continue
			}
			list.Add(it)
			for _, it := range list.Items() {
				if it.Type == protocol.ItemMessage && !had[it.EntryID][it.Text] {
					t.Fatalf("log %d, event %d: %s never was %q\n%s", n, log[i].Seq, it.EntryID, it.Text, encode(log[:i+1]))
				}
			}
		}
	}
}

// A delta is not appended to a text that is only the beginning of what the log has.
func TestDeltaBehindACutMessage(t *testing.T) {
	whole := strings.Repeat("a", protocol.BriefMessage+1)
	var items protocol.Items
	var list protocol.ItemList
	for i, e := range []protocol.Event{
		{Payload: &protocol.EntryStart{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}}},
		{Time: 2000, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: whole}}},
		{Time: 2001, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "b"}}},
	} {
		e.Seq = uint64(i) + 1
		if it, ok := items.Item(&e); ok {
			it.Brief(0)
			list.Add(it)
		}
	}
	if got := list.Items(); len(got) != 1 || !got[0].Truncated || got[0].Text != whole[:protocol.BriefMessage] || got[0].Bytes != int64(len(whole)) {
		t.Errorf("%d items, the first has %d bytes", len(got), len(got[0].Text))
	}
}

// Who is only pushed to hears that the end of a message was cut, also where it adds no text to what was pushed before.
func TestPushTellsOfACut(t *testing.T) {
	push := protocol.NewPush("s")
	var got protocol.SessionEvent
	for i, e := range []protocol.Event{
		{Payload: &protocol.EntryStart{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}}},
		{Time: 2000, Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "the beginning"}}},
		{Time: 2001, Payload: &protocol.EntryEnd{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{
			Role: "assistant", Text: "the beginning", Cut: protocol.Cut{Truncated: true, Bytes: 99},
		}}},
	} {
		e.Seq = uint64(i) + 1
		if it, ok := push.Item(&e); ok {
			got = it
		}
	}
	if got.Seq != 3 || !got.Truncated || got.Bytes != 99 {
		t.Errorf("the last message pushed is %+v", got)
	}
}
