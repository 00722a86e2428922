package native

import (
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// Ended is what a block of text has in entries that ended before the agent said that the block is over. An entry ends when
// another block of its message begins: what was written until then is whole as far as anybody can tell, and must not wait for
// the rest of the message. Where the agent goes on with the block after all, the rest is an entry of its own.
type Ended struct {
	text  string // of those entries, as it went out; of a very long one, its beginning
	bytes int    // of all that the agent wrote there
	space string // white space that came since then: no reason for another entry
}

// maxSpace bounds the white space that is kept, in bytes.
const maxSpace = 1 << 10

// Add takes the text of an entry that has ended, and the bytes that the agent wrote of it.
func (e *Ended) Add(text string, bytes int) {
	if len(e.text) == e.bytes && len(e.text) < adapters.MaxText {
		e.text += Head(text, adapters.MaxText-len(e.text))
	}
	e.bytes += bytes
}

// Any says that there is such an entry.
func (e *Ended) Any() bool { return e.bytes > 0 }

// More takes a delta that comes behind such an entry, and gives what begins the next one; empty: nothing does.
func (e *Ended) More(delta string) string {
	delta = e.space + delta
	if strings.TrimSpace(delta) == "" {
		e.space = Head(delta, maxSpace)
		return ""
	}
	e.space = ""
	return delta
}

// Whole says that the whole text is taken next: white space that came as deltas is in it.
func (e *Ended) Whole() { e.space = "" }

// Rest gives what the agent's final text of the block has beyond these entries: empty where that is only white space. ok is false
// where it is another text.
func (e *Ended) Rest(final string) (rest string, ok bool) {
	if strings.HasPrefix(final, e.text) && len(final) >= e.bytes && (len(final) == e.bytes || utf8.RuneStart(final[e.bytes])) {
		if rest = final[e.bytes:]; strings.TrimSpace(rest) == "" {
			rest = ""
		}
		return rest, true
	}
	return "", len(e.text) == e.bytes && strings.TrimSpace(final) == strings.TrimSpace(e.text)
}

// Is says that these entries have all of the agent's final text of the block.
func (e *Ended) Is(final string) bool {
	rest, ok := e.Rest(final)
	return e.Any() && ok && rest == ""
}

// Differs drafts a notice of a final text that is not what the entry that has ended says. An entry that has ended is what it is.
func Differs(final string, limit int, out *adapters.Output) {
	const before = "The agent has kept the text before, which had ended, as: "
	text := before + final
	out.Draft(adapters.Notice{Level: "warning", Kind: "text_differs", Text: Head(text, max(limit, len(before)))})
}

// Retracted drafts a notice of texts that had ended and that the agent does not count: it writes their message anew.
func Retracted(out *adapters.Output) {
	out.Draft(adapters.Notice{
		Level: "info", Kind: "retracted",
		Text: "The agent writes its message anew: what it had written of it before does not count.",
	})
}
