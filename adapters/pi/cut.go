package pi

import (
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// cut shortens a text to what goes into the log (spec §4.5), never inside a character.
func cut(s string) (string, protocol.Cut) {
	if len(s) <= adapters.MaxText {
		return s, protocol.Cut{}
	}
	return head(s, adapters.MaxText), protocol.Cut{Truncated: true, Bytes: int64(len(s))}
}

// head is the longest beginning of s of at most n bytes that ends between characters.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// budget counts down how much more of one text may go into the log as deltas.
type budget struct{ used int }

// take gives the part of s that still fits. Once something did not fit, nothing does.
func (b *budget) take(s string) string {
	if b.used >= adapters.MaxText {
		return ""
	}
	part := head(s, adapters.MaxText-b.used)
	b.used += len(part)
	if len(part) < len(s) {
		b.used = adapters.MaxText
	}
	return part
}
