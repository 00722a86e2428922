package protocol

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what items show, in bytes.
const (
	maxArguments = 240     // one line of what a tool is called with
	keptArgs     = 4 << 10 // of arguments, kept while they are written
)

// argue keeps the beginning of a tool's arguments.
func (o *openItem) argue(text string) {
	if room := keptArgs - len(o.args); room > 0 {
		o.args = append(o.args, text[:min(room, len(text))]...)
	}
}

// oneLine is the beginning of a tool's arguments as a JSON string without line ends: JSON loses its white space, other text keeps its
// words. Nothing gives nothing.
func oneLine(arguments string) RawValue {
	text := squeezed(arguments)
	if text == "" {
		return ""
	}
	if short := Head(text, maxArguments); short != text {
		text = Head(text, maxArguments-len("…")) + "…"
	}
	return RawValue(appendString(nil, text))
}

func squeezed(arguments string) string {
	arguments = strings.TrimSpace(Head(arguments, keptArgs))
	if !strings.HasPrefix(arguments, "{") && !strings.HasPrefix(arguments, "[") {
		return strings.Join(strings.Fields(arguments), " ")
	}
	b := make([]byte, 0, len(arguments))
	quoted, escaped := false, false
	for i := range len(arguments) {
		ch := arguments[i]
		switch {
		case escaped:
			escaped = false
		case quoted && ch == '\\':
			escaped = true
		case ch == '"':
			quoted = !quoted
		case !quoted && (ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'):
			continue
		}
		b = append(b, ch)
	}
	return string(b)
}

// Head is the longest beginning of s of at most n bytes that ends between characters.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n = max(n, 0)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Limits of an item's text in the brief view, in bytes of its JSON (spec §8.5). A longer text is cut, says so and tells its length.
const (
	BriefOutput  = 2000     // of tool_result, thinking, system, prompt and request
	BriefMessage = 10 << 10 // of all others
	briefLabel   = 200      // of what an option is called
	briefList    = 32       // options and questions of a request
)

// Brief cuts an item's texts to what is shown unless more is asked for. limit is that of tool_result, thinking, system and
// prompt; 0 stands for BriefOutput. Others have it where it is above BriefMessage. The log has the whole.
func (it *SessionEvent) Brief(limit int) {
	if limit <= 0 {
		limit = BriefOutput
	}
	switch it.Type {
	case ItemToolResult, ItemThinking, ItemSystem, ItemPrompt:
	case ItemRequest:
		it.briefRequest(limit)
		return
	default:
		limit = max(limit, BriefMessage)
	}
	it.cut(limit)
}

func (it *SessionEvent) cut(limit int) {
	short := HeadJSON(it.Text, limit)
	if len(short) == len(it.Text) {
		return
	}
	if !it.Truncated {
		it.Truncated, it.Bytes = true, int64(len(it.Text))
	}
	it.Text = short
}

// briefRequest keeps what an answer needs: ids of options and the questions.
func (it *SessionEvent) briefRequest(limit int) {
	it.cut(max(limit, BriefOutput))
	it.Subject = it.shorter(it.Subject, limit)
	if len(it.Options) > briefList {
		it.Options, it.Truncated = it.Options[:briefList], true
	}
	it.Options = it.briefOptions(it.Options)
	if len(it.Questions) > briefList {
		it.Questions, it.Truncated = it.Questions[:briefList], true
	}
	it.Questions = slices.Clone(it.Questions)
	for i := range it.Questions {
		q := &it.Questions[i]
		q.Text, q.Header, q.Prefill = it.shorter(q.Text, limit/4), it.shorter(q.Header, briefLabel), it.shorter(q.Prefill, briefLabel)
		q.Options = it.briefOptions(q.Options[:min(len(q.Options), briefList)])
	}
}

func (it *SessionEvent) briefOptions(list []Option) []Option {
	list = slices.Clone(list)
	for i := range list {
		o := &list[i]
		o.Label, o.Description = it.shorter(o.Label, briefLabel), it.shorter(o.Description, briefLabel)
	}
	return list
}

func (it *SessionEvent) shorter(s string, limit int) string {
	short := HeadJSON(s, limit)
	it.Truncated = it.Truncated || len(short) < len(s)
	return short
}

// HeadJSON is the longest beginning of s whose JSON has at most n bytes.
func HeadJSON(s string, n int) string {
	if len(s) <= n/6 {
		return s
	}
	for i, r := range s {
		if n -= sizeJSON(r); n < 0 {
			return s[:i]
		}
	}
	return s
}

// sizeJSON is how many bytes a character has in JSON as the most careful of encoders writes it.
func sizeJSON(r rune) int {
	switch {
	case r == '"', r == '\\', r == '\n', r == '\t', r == '\r':
		return 2
	case r < 0x20, r == '<', r == '>', r == '&', r >= 0x7f && r <= 0x9f, r == 0x2028, r == 0x2029, r == utf8.RuneError:
		return 6
	}
	return utf8.RuneLen(r)
}

// textSize is how many bytes a text has in JSON.
func textSize(s string) (n int) {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			for _, r := range s[i:] {
				n += sizeJSON(r)
			}
			return n
		}
		n += int(sizesJSON[s[i]])
	}
	return n
}

// sizesJSON is sizeJSON of the characters that are one byte.
var sizesJSON = func() (sizes [utf8.RuneSelf]uint8) {
	for r := range sizes {
		sizes[r] = uint8(sizeJSON(rune(r)))
	}
	return sizes
}()

// Size is a bound of the item's JSON, in bytes.
func (it *SessionEvent) Size() int {
	n := 288 + len(it.SessionID) + textSize(it.Text) + textSize(it.ToolName) + len(it.EntryID) + len(it.TurnID) + len(it.PromptID) + textSize(it.CallID)
	if it.RequestID != "" {
		n += 128 + len(it.RequestID) + textSize(it.Subject) + textSize(it.By) + textSize(it.Tool) + len(it.Asker)
	}
	if it.Arguments != "" {
		n += 16 + textSize(string(it.Arguments))
	}
	options := func(list []Option) {
		for i := range list {
			n += 48 + textSize(list[i].ID) + textSize(list[i].Label) + textSize(list[i].Description)
		}
	}
	options(it.Options)
	for i := range it.Questions {
		q := &it.Questions[i]
		n += 96 + textSize(q.Text) + textSize(q.Header) + textSize(q.Prefill)
		options(q.Options)
	}
	return n
}
