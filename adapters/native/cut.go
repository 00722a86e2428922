package native

import (
	"cmp"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Cut shortens a text to limit bytes, which is what goes into the log (spec §4.5), never inside a character. The limit is
// adapters.Spec.TextLimit.
func Cut(s string, limit int) (string, protocol.Cut) {
	if len(s) <= limit {
		return s, protocol.Cut{}
	}
	return Head(s, limit), protocol.Cut{Truncated: true, Bytes: int64(len(s))}
}

// Head is the longest beginning of s of at most n bytes that ends between characters.
func Head(s string, n int) string { return protocol.Head(s, n) }

// TextData is the data of a text of the agent's, or of a thought.
func TextData(kind protocol.EntryType, text string, c protocol.Cut) protocol.EntryData {
	if kind == protocol.EntryThinking {
		return &protocol.ThinkingData{Text: text, Cut: c}
	}
	return &protocol.MessageData{Role: "assistant", Text: text, Cut: c}
}

// CutMember shortens a text other than an entry's main one, and marks it beside it: nameTruncated and nameBytes.
func CutMember(s, name string, limit int, beside *[]protocol.Member) string {
	s, c := Cut(s, limit)
	if c.Truncated {
		*beside = append(*beside,
			protocol.Member{Key: name + "Truncated", Value: []byte("true")},
			protocol.Member{Key: name + "Bytes", Value: strconv.AppendInt(nil, c.Bytes, 10)})
	}
	return s
}

// Budget counts down how much more of one text may go into the log as deltas. The zero value has adapters.MaxText.
type Budget struct {
	Limit int // bytes, as adapters.Spec.TextLimit has it; 0: adapters.MaxText
	used  int
	kept  int // bytes that were given
	all   int // bytes that were offered
	other int // of these, of a text beside it that shares the room
	mute  bool
}

func (b *Budget) limit() int { return cmp.Or(b.Limit, adapters.MaxText) }

// Take gives the part of s that still fits. Once something did not fit, nothing does.
func (b *Budget) Take(s string) string {
	b.all += len(s)
	if b.used >= b.limit() {
		return ""
	}
	part := Head(s, b.limit()-b.used)
	b.used += len(part)
	b.kept += len(part)
	if len(part) < len(s) {
		b.used = b.limit()
	}
	return part
}

// Grow adds s to a text of an entry, and gives the part that fits, which is a change. The rest overflows.
func (b *Budget) Grow(key adapters.EntryKey, s string, as func(text string) protocol.Delta, out *adapters.Output) string {
	part := b.Take(s)
	if part != "" {
		out.Draft(adapters.EntryChanged{Key: key, Delta: as(part)})
	}
	b.over(key, s[len(part):], as, out)
	return part
}

// Set is Grow for s in place of what was taken before.
func (b *Budget) Set(key adapters.EntryKey, s string, out *adapters.Output) string {
	b.used, b.kept, b.all, b.other = 0, 0, 0, 0
	part := b.Take(s)
	out.Draft(adapters.EntryChanged{Key: key, Delta: &protocol.TextSet{Text: part}})
	b.over(key, s[len(part):], AsText, out)
	return part
}

// over says the end of what was offered, which does not fit.
func (b *Budget) over(key adapters.EntryKey, rest string, as func(text string) protocol.Delta, out *adapters.Output) {
	if rest != "" && !b.mute {
		out.Draft(adapters.EntryOverflow{Key: key, Offset: int64(b.all - b.other - len(rest)), Delta: as(rest)})
	}
}

// Beside is Take for a text beside the one that grows.
func (b *Budget) Beside(s string) string {
	b.other += len(s)
	return b.Take(s)
}

// Mute has nothing overflow: some of the text was let go of before it came here, so that neither its place nor a token that began there would be known.
func (b *Budget) Mute() { b.mute = true }

// AsText is a delta that appends to the text of an entry.
func AsText(s string) protocol.Delta { return &protocol.TextAppend{Text: s} }

// AsArguments is a delta that appends to the arguments of a tool call.
func AsArguments(s string) protocol.Delta { return &protocol.ArgumentsAppend{Text: s} }

// Cut says what did not fit of the text so far.
func (b *Budget) Cut() protocol.Cut {
	if b.all == b.kept {
		return protocol.Cut{}
	}
	return protocol.Cut{Truncated: true, Bytes: int64(b.all)}
}

// All is how many bytes the text has so far, those that did not fit among them.
func (b *Budget) All() int { return b.all }

// Spent says that nothing more fits.
func (b *Budget) Spent() bool { return b.used >= b.limit() }
