package droid

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// delta is what a line adds to a text or a thought.
type delta struct {
	session []byte // id of the session, as it stands in the line; nil: it does not stand before the delta
	message []byte // id of the message
	index   int    // of the block
	kind    protocol.EntryType
	text    string
}

// deltaMark stands near the beginning of the lines that a busy session is made of.
var deltaMark = []byte(`_text_delta"`)

// markWithin is how far into a line the mark may stand: behind the envelope and a session id.
const markWithin = 512

// scan is the short way for deltas of text and thinking: it walks through the line and decodes only the text. It says
// whether the line is one.
func (d *delta) scan(line []byte) bool {
	if !bytes.Contains(line[:min(len(line), markWithin)], deltaMark) || line[len(line)-1] != '}' {
		return false
	}
	m := native.Scan(line)
	known := 0
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		if string(key) == "params" && known == 2 {
			return d.scanParams(m.Object())
		}
		value, ok := m.Rest()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			if string(value) != `"notification"` {
				return false
			}
			known++
		case "method":
			if string(value) != `"droid.session_notification"` {
				return false
			}
			known++
		}
	}
}

func (d *delta) scanParams(m native.Members) bool {
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		if string(key) == "notification" {
			return d.scanFields(m.Object())
		}
		value, ok := m.Rest()
		if !ok {
			return false
		}
		if string(key) == "sessionId" {
			d.session = value
		}
	}
}

func (d *delta) scanFields(m native.Members) bool {
	var kind, id, text []byte
	index := -1
	for {
		key, value, ok := m.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			kind = value
		case "messageId":
			id = value
		case "blockIndex":
			index = native.Number(value)
		case "textDelta":
			text = value
		default:
			continue
		}
		if kind == nil || id == nil || index < 0 || text == nil {
			continue
		}
		if len(id) < 3 || id[0] != '"' || bytes.IndexByte(id, '\\') >= 0 || text[0] != '"' {
			return false
		}
		switch string(kind) {
		case `"assistant_text_delta"`:
			d.kind = protocol.EntryAssistantMessage
		case `"thinking_text_delta"`:
			d.kind = protocol.EntryThinking
		default:
			return false
		}
		d.message, d.index, d.text = id[1:len(id)-1], index, native.Text(text)
		return true
	}
}

// readDelta is for deltas in another form than the short way knows.
func readDelta(kind protocol.EntryType, raw json.RawMessage) *delta {
	var n struct {
		MessageID  string `json:"messageId"`
		BlockIndex int    `json:"blockIndex"`
		TextDelta  string `json:"textDelta"`
	}
	_ = native.Decode(raw, &n)
	return &delta{message: []byte(n.MessageID), index: n.BlockIndex, kind: kind, text: n.TextDelta}
}
