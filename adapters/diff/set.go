package diff

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Set gives a tool call its diff. Of one that is longer than limit, in bytes, it has the first lines, and is marked as cut.
func Set(d *protocol.ToolCallData, text string, limit int) {
	d.Diff = native.CutMember(text, "diff", limit, &d.Extra)
	if len(d.Diff) < len(text) {
		d.Diff = d.Diff[:strings.LastIndexByte(d.Diff, '\n')+1]
	}
}

// Rewrite puts a unified diff of another hand into the form of this package. Empty: it is none.
func Rewrite(text, cwd string) string {
	files, ok := Read(text)
	if !ok {
		return ""
	}
	return Format(files, cwd)
}
