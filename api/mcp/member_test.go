package mcp

import (
	"encoding/json"
	"testing"

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
