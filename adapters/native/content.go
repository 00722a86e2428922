package native

import (
	"bytes"
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Content reads the blocks of a message or of a tool's result, for which a string may stand: text makes a block of it. What is
// neither gives none.
func Content[T any](raw json.RawMessage, text func(string) T) []T {
	if len(raw) > 0 && raw[0] == '"' {
		return []T{text(Text(raw))}
	}
	if bytes.Count(raw, []byte{'{'}) > adapters.MaxDrafts {
		return firstBlocks[T](raw)
	}
	var list []T
	if Decode(raw, &list) != nil {
		return nil
	}
	return list
}

// firstBlocks reads as many blocks as an Output takes: decoded, the smallest ones take ten times the memory of their text.
func firstBlocks[T any](raw json.RawMessage) (list []T) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil
	}
	for d.More() && len(list) < adapters.MaxDrafts {
		var block json.RawMessage
		var c T
		if d.Decode(&block) != nil || Decode(block, &c) != nil {
			break
		}
		list = append(list, c)
	}
	return list
}
