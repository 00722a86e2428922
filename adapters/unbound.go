package adapters

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Unbound is an entry that is in the log without an id of the agent's own: its agent was lost before it had told one.
type Unbound struct {
	ID     string // in the log
	Type   protocol.EntryType
	Text   string // its main text; of a very long one the beginning
	CallID string // of a tool call, which has no text here
}

// Bounds of Spec.Unbound.
const (
	MaxUnbound     = 64      // entries
	MaxUnboundText = 1 << 10 // bytes of a text
)

// NewUnbound gives what an agent may know an entry by; ok is false where it knows none of the kind.
func NewUnbound(id string, kind protocol.EntryType, data protocol.EntryData) (u Unbound, ok bool) {
	u = Unbound{ID: id, Type: kind}
	switch d := data.(type) {
	case *protocol.ToolCallData:
		u.CallID = d.CallID
		return u, u.CallID != ""
	case *protocol.MessageData, *protocol.ThinkingData, *protocol.CompactionData:
		text, _ := protocol.EntryText(d)
		u.Text = strings.Clone(protocol.Head(text, MaxUnboundText)) // the whole one is not kept for it
		return u, u.Text != ""
	case *protocol.ToolResultData, *protocol.PlanData, *protocol.SystemData, *protocol.UnknownData:
	}
	return u, false
}
