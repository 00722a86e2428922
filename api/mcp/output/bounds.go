// Package output has what several tools show, in JSON and in words, and keeps it short: hosts cut what is long.
package output

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Bounds of what a tool answers. Hosts cut what is longer than they like, Pi at 20,000 characters, and what is cut away may be the
// cursor: so results are short, and begin with it.
const (
	MaxResult  = 14 << 10 // bytes of JSON of what lists and looks answer
	MostResult = 17 << 10 // bytes of it where very many sessions are named
	maxLabels  = 1 << 10  // bytes of labels that a session is shown with
	MaxReason  = 1 << 10  // bytes of why something failed
	MaxLine    = 200      // bytes of a text that is one of many
)

// SizeOf is the length of an output's JSON.
func SizeOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0 // of this package, and encodes
	}
	return len(b)
}

// FirstThatFits gives the fullest of the views of something that is short enough; the last one where none is.
func FirstThatFits[T any](views ...func() T) (v T) {
	for _, view := range views {
		if v = view(); SizeOf(v) <= MaxResult {
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

// Brief is a text in one line, at most so long.
func Brief(s string, n int) string {
	line := strings.Join(strings.Fields(protocol.Head(s, 4*n)), " ")
	if short := protocol.Head(line, n); short != line || len(s) > 4*n {
		return short + "…"
	}
	return line
}

// MinText is how much of a text is always left, in bytes: ids are shorter.
const MinText = 64

// LeastShare is the least to which something of one session is cut, in bytes.
const LeastShare = 16

// MaxFamily is how many sessions one call reads, or waits for.
const MaxFamily = 64
