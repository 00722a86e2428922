package claude

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// eventHead begins nearly all lines of a busy session.
var eventHead = []byte(`{"type":"stream_event","event":`)

// delta is the short way for content_block_delta: it decodes only the text. It says whether it has handled the line.
func (t *Translator) delta(line []byte, out *adapters.Output) bool {
	if !bytes.HasPrefix(line, eventHead) || line[len(line)-1] != '}' {
		return false
	}
	m := native.ScanBehind(line, len(`{"type":"stream_event",`))
	if _, ok := m.Key(); !ok {
		return false
	}
	d, ok := readDelta(m.Object())
	if !ok {
		return false
	}
	if _, ok = m.Rest(); !ok {
		return false
	}
	for {
		key, value, ok := m.Next()
		if !ok {
			break
		}
		if string(key) == "parent_tool_use_id" && string(value) != "null" &&
			(!t.spec.Child || len(value) < 2 || string(value[1:len(value)-1]) != t.child.native) {
			return false
		}
	}
	if m.Bad {
		return false
	}
	t.blockDelta(&d, out)
	return true
}

// blockDelta is a content_block_delta.
type blockDelta struct {
	index int
	kind  deltaKind
	text  []byte // JSON string
}

// readDelta reads the event of a line, whose members come in any order.
func readDelta(m native.Members) (blockDelta, bool) {
	d := blockDelta{index: -1}
	is := false
	for {
		key, ok := m.Key()
		if !ok {
			break
		}
		if string(key) == "delta" {
			d.readText(m.Object())
		}
		value, ok := m.Rest()
		if !ok {
			return d, false
		}
		switch string(key) {
		case "type":
			if is = string(value) == `"content_block_delta"`; !is {
				return d, false
			}
		case "index":
			d.index = native.Number(value)
		}
	}
	return d, is && d.index >= 0 && d.kind != 0
}

func (d *blockDelta) readText(m native.Members) {
	for {
		key, value, ok := m.Next()
		if !ok {
			return
		}
		switch string(key) {
		case "type":
			d.kind = kindOfDelta(value)
		case "text", "thinking", "partial_json":
			d.text = value
		}
	}
}

// deltaKind is the type of a delta; 0: one that is not known.
type deltaKind int

const (
	textDelta deltaKind = iota + 1
	thinkingDelta
	inputDelta
	signatureDelta
)

func kindOfDelta(value []byte) deltaKind {
	switch string(value) {
	case `"text_delta"`:
		return textDelta
	case `"thinking_delta"`:
		return thinkingDelta
	case `"input_json_delta"`:
		return inputDelta
	case `"signature_delta"`:
		return signatureDelta
	}
	return 0
}

func (t *Translator) blockDelta(d *blockDelta, out *adapters.Output) {
	switch d.kind {
	case textDelta:
		t.textDelta(d.index, protocol.EntryAssistantMessage, native.Text(d.text), out)
	case thinkingDelta:
		t.textDelta(d.index, protocol.EntryThinking, native.Text(d.text), out)
	case inputDelta:
		t.argumentsDelta(d.index, native.Text(d.text), out)
	case signatureDelta:
	}
}

// streamEvent is the long way, for all events but plain deltas.
func (t *Translator) streamEvent(line []byte, out *adapters.Output) {
	var e struct {
		Event struct {
			Type    string  `json:"type"`
			Message message `json:"message"`
			Index   int     `json:"index"`
			Block   content `json:"content_block"`
			Delta   struct {
				Type        string `json:"type"`
				Text        string `json:"text"`
				Thinking    string `json:"thinking"`
				PartialJSON string `json:"partial_json"`
			} `json:"delta"`
		} `json:"event"`
		Abandoned *struct {
			ID   string `json:"api_message_id"`
			From int    `json:"from_block_index"`
		} `json:"abandoned_blocks"`
	}
	_ = native.Decode(line, &e)
	v := &e.Event
	switch v.Type {
	case "message_start":
		t.messageStart(&v.Message, out)
	case "content_block_start":
		t.blockStart(v.Index, &v.Block, out)
	case "content_block_delta":
		switch v.Delta.Type {
		case "text_delta":
			t.textDelta(v.Index, protocol.EntryAssistantMessage, v.Delta.Text, out)
		case "thinking_delta":
			t.textDelta(v.Index, protocol.EntryThinking, v.Delta.Thinking, out)
		case "input_json_delta":
			t.argumentsDelta(v.Index, v.Delta.PartialJSON, out)
		case "signature_delta", "citations_delta":
		default:
			native.Keep("stream_event.delta."+v.Delta.Type, line, out)
		}
	case "message_stop":
		if a := e.Abandoned; a != nil && (a.ID == t.stream.id || t.stream.id == "") {
			t.abandon(a.From, out)
		}
	case "content_block_stop":
		t.blockStop(v.Index)
	case "message_delta", "ping", "error":
		// `result` tells what was used, and an error is followed by abandoned_blocks.
	default:
		native.Keep("stream_event."+v.Type, line, out)
	}
}
