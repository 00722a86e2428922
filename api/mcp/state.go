package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxState is how long the state of a session is that a resource gives, in bytes: hosts show it to their models.
const maxState = 24 << 10

// How long texts and lists are at most when a state is shortened for the first time.
const firstText, firstItems = 4096, 256

// boundedState shortens a state: texts keep their beginning, lists their end, until it is short enough. Its lists may have lost elements already, as left says.
func boundedState(body []byte, left map[string]int) (short []byte, cut bool) {
	if len(body) <= maxState && left == nil {
		return body, false
	}
	for text, items := firstText, firstItems; items > 0; text, items = max(text/2, output.MinText), items/2 {
		var v map[string]any
		if json.Unmarshal(body, &v) != nil {
			return []byte("{}"), true // it was encoded a moment ago
		}
		for name, n := range left {
			if list, ok := v[name].([]any); ok && n > 0 {
				kept := list[max(0, len(list)-items):]
				v[name] = append([]any{leftOut(n + len(list) - len(kept))}, kept...)
			}
		}
		if short, err := json.Marshal(shortened(v, text, items)); err == nil && len(short) <= maxState {
			return short, true
		}
	}
	return []byte("{}"), true
}

// cutBefore is what CutText has put behind a text.
var cutBefore = regexp.MustCompile(`… \(\d+ bytes\)$`)

// leftOut is how many elements a list has lost; it stands before the others.
type leftOut int

// MarshalText implements encoding.TextMarshaler.
func (n leftOut) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "… (%d left out)", int(n)), nil
}

// shortened is a value of JSON with shorter texts and lists. Instead of what a list has lost it says how much that was.
func shortened(v any, text, items int) any {
	switch v := v.(type) {
	case string:
		if len(v) <= text {
			return v
		}
		if m := cutBefore.FindStringSubmatch(v); m != nil { // what it says of its length holds
			return protocol.Head(v, text) + m[0]
		}
		return CutText(v, text)
	case []any:
		left := max(0, len(v)-items)
		if len(v) > 0 {
			if _, said := v[0].(leftOut); said {
				left = 0
			}
		}
		v = v[left:]
		for i := range v {
			v[i] = shortened(v[i], text, items)
		}
		if left > 0 {
			return append([]any{leftOut(left)}, v...)
		}
		return v
	case map[string]any:
		if labels, ok := v["labels"].(map[string]any); ok && len(labels) > items {
			keys := slices.Sorted(maps.Keys(labels))
			for _, k := range keys[items:] {
				delete(labels, k)
			}
			labels["…"] = fmt.Sprintf("(%d left out)", len(keys)-items)
		}
		for k, x := range v {
			v[k] = shortened(x, text, items)
		}
	}
	return v
}
