package pi

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// updateHead begins nearly all lines of a busy session.
var updateHead = []byte(`{"type":"message_update",`)

// update is the short way for deltas: it reads the members that it needs and does not even look at the rest of the line.
// Pi 0.73 repeats the whole message there in every update, which would make the cost of an answer quadratic. It says
// whether it has handled the line.
func (t *Translator) update(line []byte, out *adapters.Output) bool {
	if !bytes.HasPrefix(line, updateHead) || line[len(line)-1] != '}' || t.run.held {
		return false
	}
	m := native.ScanBehind(line, len(updateHead))
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		if string(key) == "assistantMessageEvent" {
			return t.shortDelta(m.Object(), out)
		}
		if _, ok = m.Rest(); !ok {
			return false
		}
	}
}

func (t *Translator) shortDelta(m native.Members, out *adapters.Output) bool {
	var kind []byte
	index := -1
	for {
		key, value, ok := m.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			kind = value
		case "contentIndex":
			index = native.Number(value)
		case "delta":
			if index < 0 || len(value) < 2 || value[0] != '"' {
				return false
			}
			switch string(kind) {
			case `"text_delta"`:
				t.textDelta(index, protocol.EntryAssistantMessage, native.Text(value), out)
			case `"thinking_delta"`:
				t.textDelta(index, protocol.EntryThinking, native.Text(value), out)
			case `"toolcall_delta"`:
				t.argumentsDelta(index, native.Text(value), out)
			default:
				return false
			}
			return true
		}
	}
}
