package pi

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxNative is how much of a native event is kept, in bytes.
const maxNative = 32 << 10

// native keeps an event that has no canonical form: as JSON where the log can hold it, else its beginning as a string.
func (t *Translator) native(kind string, line []byte, out *adapters.Output) {
	raw, err := protocol.Compact(line)
	if err != nil || len(raw) > maxNative {
		if raw, err = json.Marshal(head(string(line), maxNative)); err != nil {
			return // a string cannot fail
		}
	}
	if kind == "" {
		kind = "unknown"
	}
	out.Draft(adapters.Native{Kind: head(kind, 256), Raw: raw})
}
