package native

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestCut: a text over the limit is cut between characters, wherever the limit falls, and says how long it was; one within it is left alone.
// Proves: 002.14.4, C35
func TestCut(t *testing.T) {
	text := "aé€😀" + strings.Repeat("€", 5)
	for limit := range len(text) + 2 {
		got, cut := Cut(text, limit)
		switch {
		case limit >= len(text):
			if got != text || cut != (protocol.Cut{}) {
				t.Errorf("%d: %q %+v", limit, got, cut)
			}
		case !strings.HasPrefix(text, got) || !utf8.ValidString(got) || len(got) > limit || len(got) < limit-3 || cut != (protocol.Cut{Truncated: true, Bytes: int64(len(text))}):
			t.Errorf("%d: %q %+v", limit, got, cut)
		}
		var beside []protocol.Member
		if short := CutMember(text, "command", limit, &beside); short != got || (len(beside) == 2) != cut.Truncated {
			t.Errorf("%d: %q, %d members beside", limit, short, len(beside))
		}
		b := Budget{Limit: max(limit, 1)}
		var taken strings.Builder
		for _, r := range text {
			taken.WriteString(b.Take(string(r)))
		}
		if whole := taken.String(); !strings.HasPrefix(text, whole) || !utf8.ValidString(whole) || len(whole) > max(limit, 1) {
			t.Errorf("%d: the pieces that fit are %q", limit, whole)
		}
	}
}
