package native

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	maxKept    = 32 << 10 // bytes of a native event that is kept
	maxNoticed = 2 << 10  // bytes of a line that could not be read
	maxKind    = 256      // bytes of a native event's type
)

// Keep drafts a native event that has no canonical form: as JSON where the log can hold it, else its beginning as a string.
func Keep(kind string, line []byte, out *adapters.Output) {
	raw, err := protocol.Compact(line)
	if err != nil || len(raw) > maxKept {
		if raw, err = json.Marshal(Head(string(line), maxKept)); err != nil {
			return // a string cannot fail
		}
	}
	if kind == "" {
		kind = "unknown"
	}
	out.Draft(adapters.Native{Kind: Head(kind, maxKind), Raw: raw})
}

// Unparsable drafts a notice of a line that is no JSON, with its beginning.
func Unparsable(line []byte, out *adapters.Output) {
	out.Draft(adapters.Notice{Level: "warning", Kind: "unparsable_line", Text: Head(string(line), maxNoticed)})
}
