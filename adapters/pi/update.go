package pi

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
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
	m := members{b: line, i: len(updateHead), open: true}
	for {
		key, ok := m.key()
		if !ok {
			return false
		}
		if string(key) == "assistantMessageEvent" {
			return t.shortDelta(members{b: line, i: m.i}, out)
		}
		if _, ok = m.rest(); !ok {
			return false
		}
	}
}

func (t *Translator) shortDelta(m members, out *adapters.Output) bool {
	m.open = m.eat('{')
	var kind []byte
	index := -1
	for {
		key, value, ok := m.next()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			kind = value
		case "contentIndex":
			index = number(value)
		case "delta":
			if index < 0 || len(value) < 2 || value[0] != '"' {
				return false
			}
			switch string(kind) {
			case `"text_delta"`:
				t.textDelta(index, protocol.EntryAssistantMessage, text(value), out)
			case `"thinking_delta"`:
				t.textDelta(index, protocol.EntryThinking, text(value), out)
			case `"toolcall_delta"`:
				t.argumentsDelta(index, text(value), out)
			default:
				return false
			}
			return true
		}
	}
}
