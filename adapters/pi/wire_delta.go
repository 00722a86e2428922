package pi

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// delta is what a message_update adds to a block.
type delta struct {
	index int                // of the block
	kind  protocol.EntryType // of a tool call, the text is of its arguments
	text  string
}

// updateHead begins nearly all lines of a busy session.
var updateHead = []byte(`{"type":"message_update",`)

// readDelta is the short way for deltas: it reads the members that it needs and does not even look at the rest of the line.
// Pi 0.73 repeats the whole message there in every update, which would make the cost of an answer quadratic. ok is false for any
// other line.
func readDelta(line []byte) (d delta, ok bool) {
	if !bytes.HasPrefix(line, updateHead) || line[len(line)-1] != '}' {
		return d, false
	}
	m := native.ScanBehind(line, len(updateHead))
	for {
		key, ok := m.Key()
		if !ok {
			return d, false
		}
		if string(key) == "assistantMessageEvent" {
			return deltaOf(m.Object())
		}
		if _, ok = m.Rest(); !ok {
			return d, false
		}
	}
}

func deltaOf(m native.Members) (d delta, ok bool) {
	var kind []byte
	d.index = -1
	for {
		key, value, ok := m.Next()
		if !ok {
			return d, false
		}
		switch string(key) {
		case "type":
			kind = value
		case "contentIndex":
			d.index = native.Number(value)
		case "delta":
			if d.index < 0 || len(value) < 2 || value[0] != '"' {
				return d, false
			}
			switch string(kind) {
			case `"text_delta"`:
				d.kind = protocol.EntryAssistantMessage
			case `"thinking_delta"`:
				d.kind = protocol.EntryThinking
			case `"toolcall_delta"`:
				d.kind = protocol.EntryToolCall
			default:
				return d, false
			}
			d.text = native.Text(value)
			return d, true
		}
	}
}
