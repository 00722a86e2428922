package droid

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// maxNoticed is how much of a text that is shown as a notice or an error is kept, in bytes.
const maxNoticed = 2 << 10

// notice tells people something.
func notice(level, kind, text string, out *adapters.Output) {
	out.Draft(adapters.Notice{Level: level, Kind: kind, Text: native.Head(text, maxNoticed)})
}
