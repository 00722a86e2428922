package reading

import (
	"bytes"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/schema"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLineHead: what is read off the places and what decoding gives are one.
func TestLineHead(t *testing.T) {
	for i := range schema.ExampleEvents {
		line := protocol.Append(nil, &schema.ExampleEvents[i])
		kind, id := LineHead(line)
		wantKind, wantID := decodedHead(line)
		if kind != wantKind || kind == protocol.TypeEntryDelta && !bytes.Equal(id, wantID) {
			t.Errorf("%s: %s %q, want %s %q", line, kind, id, wantKind, wantID)
		}
		if got := LineType(line); got != wantKind {
			t.Errorf("%s: the type is %s", line, got)
		}
	}
	for _, odd := range []string{
		`{"ts":1,"seq":8,"entryId":"e1","type":"entry_delta","delta":{"op":"text_append","text":"x"}}`,
		`{"seq":8,"ts":1,"type":"entry_delta","delta":{"op":"text_append","text":",\"entryId\":\"e9\""},"entryId":"e1"}`,
		`{"seq":8,"ts":1,"type":"entry_delta","entryId":"e\u0031","delta":{"op":"text_append","text":"x"}}`,
	} {
		if kind, id := LineHead([]byte(odd)); kind != protocol.TypeEntryDelta || string(id) != "e1" {
			t.Errorf("%s: %s %q", odd, kind, id)
		}
		if kind := LineType([]byte(odd)); kind != protocol.TypeEntryDelta {
			t.Errorf("%s: the type is %s", odd, kind)
		}
	}
}
