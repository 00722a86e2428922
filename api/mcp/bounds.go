package mcp

import (
	"encoding/json"
	"maps"
	"slices"
)

// Bounds of what a tool answers. Hosts cut what is longer than they like, Pi at 20,000 characters, and what is cut away may be the
// cursor: so results are short, and begin with it.
const (
	maxResult  = 14 << 10 // bytes of JSON of what lists and looks answer
	mostResult = 17 << 10 // bytes of it where very many sessions are named
	maxLabels  = 1 << 10  // bytes of labels that a session is shown with
	maxReason  = 1 << 10  // bytes of why something failed
	maxLine    = 200      // bytes of a text that is one of many
)

// sizeOf is the length of an output's JSON.
func sizeOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0 // of this package, and encodes
	}
	return len(b)
}

// firstThatFits gives the fullest of the views of something that is short enough; the last one where none is.
func firstThatFits[T any](views ...func() T) (v T) {
	for _, view := range views {
		if v = view(); sizeOf(v) <= maxResult {
			return v
		}
	}
	return v
}

// fewLabels are the labels that are shown, in order of their keys, and how many are not.
func fewLabels(all map[string]string) (shown map[string]string, left int) {
	size := 0
	for _, k := range slices.Sorted(maps.Keys(all)) {
		if size += len(k) + len(all[k]); size > maxLabels {
			return shown, len(all) - len(shown)
		}
		if shown == nil {
			shown = map[string]string{}
		}
		shown[k] = all[k]
	}
	return shown, 0
}
