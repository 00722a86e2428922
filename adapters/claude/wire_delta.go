package claude

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// delta is what a content_block_delta adds to a block.
type delta struct {
	index int                // of the block
	kind  protocol.EntryType // of a tool call, the text is of its arguments; empty: a signature, which no entry has
	text  string
}

// eventHead begins nearly all lines of a busy session.
var eventHead = []byte(`{"type":"stream_event","event":`)

// readDelta is the short way for content_block_delta: it decodes only the text. self is the native id of the sub-agent that
// the line has to be of; empty: it has to be the main agent's. ok is false for any other line.
func readDelta(line []byte, self string) (d delta, ok bool) {
	if !bytes.HasPrefix(line, eventHead) || line[len(line)-1] != '}' {
		return d, false
	}
	m := native.ScanBehind(line, len(`{"type":"stream_event",`))
	if _, ok = m.Key(); !ok {
		return d, false
	}
	d, text, ok := deltaOf(m.Object())
	if !ok {
		return d, false
	}
	if _, ok = m.Rest(); !ok {
		return d, false
	}
	for {
		key, value, more := m.Next()
		if !more {
			break
		}
		if string(key) == "parent_tool_use_id" && string(value) != "null" && (self == "" || string(unquote(value)) != self) {
			return d, false
		}
	}
	d.text = native.Text(text)
	return d, !m.Bad
}

// deltaOf reads the event of a line, whose members come in any order. text is a JSON string.
func deltaOf(m native.Members) (d delta, text []byte, ok bool) {
	d.index = -1
	is, known := false, false
	for {
		key, ok := m.Key()
		if !ok {
			break
		}
		if string(key) == "delta" {
			d.kind, text, known = readText(m.Object())
		}
		value, ok := m.Rest()
		if !ok {
			return d, nil, false
		}
		switch string(key) {
		case "type":
			if is = string(value) == `"content_block_delta"`; !is {
				return d, nil, false
			}
		case "index":
			d.index = native.Number(value)
		}
	}
	return d, text, is && known && d.index >= 0
}

// readText reads the delta itself, and says whether its kind is known.
func readText(m native.Members) (kind protocol.EntryType, text []byte, known bool) {
	for {
		key, value, ok := m.Next()
		if !ok {
			return kind, text, known
		}
		switch string(key) {
		case "type":
			kind, known = kindOfDelta(unquote(value))
		case "text", "thinking", "partial_json":
			text = value
		}
	}
}

func kindOfDelta(name []byte) (kind protocol.EntryType, known bool) {
	switch string(name) {
	case "text_delta":
		return protocol.EntryAssistantMessage, true
	case "thinking_delta":
		return protocol.EntryThinking, true
	case "input_json_delta":
		return protocol.EntryToolCall, true
	case "signature_delta":
		return "", true
	}
	return "", false
}

// unquote is a string without escapes, as names are; nil for what is no string.
func unquote(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}
