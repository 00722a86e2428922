package recordings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/recording"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// said are the lines that the agent wrote, as they came over its standard output, and the same as records without times.
func said(t *testing.T, raw []byte) (lines, records []byte, processes int) {
	t.Helper()
	for r, err := range recording.Read(bytes.NewReader(raw)) {
		if err != nil {
			t.Fatal(err)
		}
		switch s := r.Step.(type) {
		case recording.Start:
			processes++
		case recording.Out:
			lines = append(append(lines, s.Line...), '\n')
			data := s.Line
			if !json.Valid(data) {
				var err error
				if data, err = json.Marshal(string(data)); err != nil {
					t.Fatal(err)
				}
			}
			records = fmt.Appendf(records, `{"t_ms":0,"dir":"out","data":%s}`+"\n", data)
		case recording.In, recording.Stderr, recording.Exit, recording.Note:
		}
	}
	return lines, records, processes
}

// TestBareLines: the agent's lines alone give the same log as records of them, event by event; and the same turns, entries
// and usage as the whole recording, which also has the lines to the agent: they alone tell the prompt, the answers to its
// requests, and what commands the user ran.
func TestBareLines(t *testing.T) {
	for name, raw := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			lines, records, processes := said(t, raw)
			bare, recorded := convert(t, bytes.NewReader(lines)), convert(t, bytes.NewReader(records))
			if len(bare) != len(recorded) {
				t.Fatalf("%d logs, want %d", len(bare), len(recorded))
			}
			for i, l := range bare {
				if len(l.events) != len(recorded[i].events) {
					t.Fatalf("log %d: %d events, want %d", i+1, len(l.events), len(recorded[i].events))
				}
				for j := 1; j < len(l.events); j++ { // the first one has the session id, which is that of the input
					got, want := protocol.Append(nil, &l.events[j]), protocol.Append(nil, &recorded[i].events[j])
					if !bytes.Equal(got, want) {
						t.Fatalf("log %d:\n%s, want\n%s", i+1, got, want)
					}
				}
			}
			if processes > 1 {
				return // the agent's lines do not tell where one process ends and the next begins
			}
			whole := convert(t, bytes.NewReader(raw))
			if got, want := contents(bare), contents(whole); got != want {
				t.Errorf("contents\n%s, want\n%s", got, want)
			}
		})
	}
}

// contents is what the agent's own lines tell.
func contents(logs []*log) string {
	var b bytes.Buffer
	for _, l := range logs {
		fmt.Fprintf(&b, "session %q model %q mode %q\n", l.state.NativeSessionID, l.state.Model, l.state.Mode)
		for _, turn := range l.state.Turns {
			fmt.Fprintf(&b, "turn %s: %s %q\n", turn.TurnID, turn.Status, turn.Error)
		}
		for _, x := range l.state.Entries {
			if x.TurnID == "" && x.EntryType == protocol.EntryToolCall {
				continue // a command of the user
			}
			id := x.EntryID
			if x.EntryType == protocol.EntrySystem {
				id = "" // it names a seq
			}
			data := protocol.Append(nil, &protocol.Event{Payload: &protocol.EntryEnd{
				TurnID: x.TurnID, EntryID: id, EntryType: x.EntryType, Data: x.Data, PersistentID: x.PersistentID,
				Incomplete: x.Incomplete, Reason: x.Reason,
			}})
			fmt.Fprintf(&b, "entry of round %d: %s\n", x.Round, data)
		}
		fmt.Fprintf(&b, "usage %+v\n", l.state.Usage.Sum)
	}
	return b.String()
}
