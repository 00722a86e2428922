package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestStatesAreShort: what a state has lost, it says.
// Proves: I10.2/bounded
func TestStatesAreShort(t *testing.T) {
	var s protocol.SessionState
	labels := map[string]string{}
	for i := range 64 {
		labels[fmt.Sprint(strings.Repeat("k", 120), i)] = strings.Repeat("v", 1000)
	}
	s.Apply(&protocol.Event{Seq: 1, Payload: &protocol.SessionStart{SessionID: "0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a", Metadata: protocol.Metadata{Labels: labels}}})
	for i := range 2000 {
		s.Apply(&protocol.Event{Seq: uint64(i + 2), Payload: &protocol.EntryEnd{
			EntryID: fmt.Sprint("e", i), EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: strings.Repeat("text ", 2000)},
		}})
	}
	body, cut := boundedState(s.AppendJSON(nil), nil)
	if len(body) > maxState || !cut || !json.Valid(body) {
		t.Errorf("%d bytes, cut: %v", len(body), cut)
	}
	for _, want := range []string{`"sessionId":"0198c5a2-7d1e-7c3f-9a51-6f2b8d4e1c0a"`, `"e1999"`, "left out", "(10000 bytes)"} {
		if !strings.Contains(string(body), want) {
			t.Errorf("%s is not in %s", want, body[:2000])
		}
	}
	small := []byte(`{"sessionId":"x"}`)
	if body, cut := boundedState(small, nil); cut || string(body) != string(small) {
		t.Errorf("%s", body)
	}
}
