package opencode

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// Nearly all lines of a busy session are one of these.
var (
	deltaKind   = []byte(`"message.part.delta"`)
	updatedKind = []byte(`"message.part.updated"`)
)

// delta is the short way for the deltas of parts that are open. It reads the members that it needs and decodes the delta
// only: 1.1 repeats the whole text beside it, which would make the cost of an answer quadratic. It says whether it has
// handled the line.
func (e *entries) delta(line []byte, out *adapters.Output) bool {
	if len(line) == 0 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	var kind []byte
	m := native.Scan(line)
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		switch string(key) {
		case "type":
			if kind, ok = m.Rest(); !ok || !bytes.Equal(kind, deltaKind) && !bytes.Equal(kind, updatedKind) {
				return false
			}
			continue
		case "properties", "data":
			switch {
			case bytes.Equal(kind, deltaKind):
				return e.shortDelta(m.Object(), out)
			case bytes.Equal(kind, updatedKind):
				return e.shortUpdate(m.Object(), out)
			}
			return false
		}
		if _, ok = m.Rest(); !ok {
			return false
		}
	}
}

// shortDelta reads {"partID":…,"field":"text","delta":…}.
func (e *entries) shortDelta(m native.Members, out *adapters.Output) bool {
	var x *part
	text := false
	for {
		key, value, ok := m.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "partID":
			if x = e.open(value); x == nil {
				return false
			}
		case "field":
			text = string(value) == `"text"`
		case "delta":
			if x == nil || !text || len(value) < 2 || value[0] != '"' {
				return false
			}
			if delta := native.Text(value); !x.gap && delta != "" {
				e.append(x, delta, out)
			}
			return true
		}
	}
}

// shortUpdate reads {"part":{"id":…,"type":"text","time":{"start":…}},"delta":…} of 1.1.
func (e *entries) shortUpdate(m native.Members, out *adapters.Output) bool {
	var x *part
	for {
		key, ok := m.Key()
		if !ok {
			return false
		}
		switch string(key) {
		case "part":
			value, ok := m.Rest()
			if !ok {
				return false
			}
			if x = e.streaming(native.Scan(value)); x == nil {
				return false
			}
		case "delta":
			value, ok := m.Rest()
			if !ok || x == nil || x.gap || len(x.text) == 0 {
				return false
			}
			delta := native.Text(value)
			if delta == "" {
				return false
			}
			e.append(x, delta, out)
			return true
		default:
			if _, ok = m.Rest(); !ok {
				return false
			}
		}
	}
}

// streaming finds the part, if it is an open text that does not end here.
func (e *entries) streaming(m native.Members) (x *part) {
	for {
		key, value, ok := m.Next()
		switch {
		case !ok && m.Bad:
			return nil
		case !ok:
			return x
		}
		switch string(key) {
		case "id":
			if x = e.open(value); x == nil {
				return nil
			}
		case "time":
			if bytes.Contains(value, []byte(`"end"`)) {
				return nil
			}
		}
	}
}

// open finds an open text by its id, which stands in quotes.
func (e *entries) open(quoted []byte) *part {
	if len(quoted) < 2 {
		return nil
	}
	x := e.parts[string(quoted[1:len(quoted)-1])]
	if x == nil || x.closed || x.tool != nil {
		return nil
	}
	return x
}

// longDelta takes a delta that the short way did not: of a part that is not open, or whose message is not known yet.
func (e *entries) longDelta(properties, line []byte, out *adapters.Output) {
	var d struct {
		MessageID string `json:"messageID"`
		PartID    string `json:"partID"`
		Field     string `json:"field"`
		Delta     string `json:"delta"`
	}
	_ = native.Decode(properties, &d)
	if d.Field != "text" {
		native.Keep("message.part.delta."+d.Field, line, out)
		return
	}
	if e.seen.has(d.MessageID) || e.seen.has(d.PartID) {
		return
	}
	if m := e.messages[d.MessageID]; m == nil || !m.known {
		e.messages.early(d.MessageID, line)
		return
	}
	if x := e.parts[d.PartID]; x != nil && !x.closed && x.tool == nil && !x.gap && d.Delta != "" {
		e.append(x, d.Delta, out)
	}
}
