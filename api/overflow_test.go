package api

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestOverflow: who reads live has all of a text of which the log keeps the beginning, in its place, and the log has nothing of it.
// Proves: I15.7/overflow
func TestOverflow(t *testing.T) {
	h := newHarness(t)
	id := h.create("echo")
	h.turn(id, "hi")
	st := h.stream(id, "")
	defer st.close()
	all, settled := h.merged(`{"sessions":{"`+id+`":""}}`), h.merged(`{"sessions":{"`+id+`":""},"view":"settled"}`)
	defer all.close()
	defer settled.close()
	for _, f := range []*follows{all, settled} { // it is joined
		for m, ok := f.next(); m.event == nil; m, ok = f.next() {
			if !ok {
				t.Fatal("the stream ended")
			}
		}
	}
	a := h.agent(id)
	k := a.key()
	long := strings.Repeat("é", 40_000)
	a.say(
		adapters.EntryOpened{Key: k, Type: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}, Round: 1},
		adapters.EntryChanged{Key: k, Delta: &protocol.TextAppend{Text: "kept"}},
		adapters.EntryOverflow{Key: k, Offset: 4, Delta: &protocol.TextAppend{Text: " and more"}},
		adapters.EntryOverflow{Key: k, Offset: 13, Delta: &protocol.TextAppend{Text: long}},
		adapters.EntryClosed{Key: k, Data: &protocol.MessageData{Role: "assistant", Text: "kept", Cut: protocol.Cut{Truncated: true, Bytes: 80_013}}},
		adapters.EntryOverflow{Key: k, Offset: 80_013, Delta: &protocol.TextAppend{Text: "of what has ended"}},
	)
	h.want(200, "POST", "/sessions/"+id+"/end", "")

	text, place := "", ""
	take := func(m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Event:
			switch p := m.Payload.(type) {
			case *protocol.EntryStart:
				text, place = "", "(" // of the last one
			case *protocol.EntryDelta:
				text += p.Delta.(*protocol.TextAppend).Text
				place += "-"
			case *protocol.EntryEnd:
				place += ")"
			}
		case *protocol.Overflow:
			if m.EntryID == "" || m.Ts == 0 || m.Offset != int64(len(text)) {
				t.Errorf("%q at %d behind %d", m.EntryID, m.Offset, len(text))
			}
			text += m.Delta.(*protocol.TextAppend).Text
			place += "+"
		}
	}
	for m := st.next(); m != nil; m = st.next() {
		take(m)
	}
	if want := "kept and more" + long; text != want || !strings.HasPrefix(strings.ReplaceAll(place, "++", "+"), "(-+") || !strings.HasSuffix(place, "+)") {
		t.Errorf("the stream has %d bytes, want %d, as %s", len(text), len(want), place)
	}
	if log := h.log(id, ""); !bytes.Equal(st.lines, log) || bytes.Contains(log, []byte("and more")) {
		t.Errorf("the log is\n%s", log)
	}

	was := place
	text, place = "", ""
	for m, ok := all.next(); ok; m, ok = all.next() {
		if m.event != nil {
			take(m.event)
		} else if m.kind == "overflow" {
			if m.session != id {
				t.Errorf("of session %q", m.session)
			}
			o, err := protocol.DecodeMessage(m.data)
			if err != nil {
				t.Fatal(err)
			}
			take(o)
		}
	}
	if want := "kept and more" + long; text != want || place != was {
		t.Errorf("the merged stream has %d bytes, want %d, as %s", len(text), len(want), place)
	}
	for _, ok := settled.next(); ok; _, ok = settled.next() {
	}
	if n := len(settled.signal["overflow"]); n > 0 {
		t.Errorf("%d overflows of the settled view", n)
	}
	late := h.merged(`{"sessions":{"` + id + `":""}}`)
	defer late.close()
	for _, ok := late.next(); ok; _, ok = late.next() {
	}
	if n := len(late.signal["overflow"]); n > 0 {
		t.Errorf("%d overflows for a reader that came behind them", n)
	}
}

// TestOverflowLines: as lines of JSON.
func TestOverflowLines(t *testing.T) {
	o := protocol.AppendOverflow(nil, &protocol.Overflow{EntryID: "e1", Ts: 1, Offset: 2, Delta: &protocol.ArgumentsAppend{Text: "\"\n"}})
	var got map[string]any
	if err := json.Unmarshal(protocol.AppendMergedOverflow(nil, "s", o), &got); err != nil || got["sessionId"] != "s" || got["type"] != "overflow" || got["offset"] != 2.0 {
		t.Errorf("%v: %v", got, err)
	}
	if back, err := protocol.DecodeMessage(o); err != nil || back.(*protocol.Overflow).Delta.(*protocol.ArgumentsAppend).Text != "\"\n" {
		t.Errorf("%v: %v", back, err)
	}
}
