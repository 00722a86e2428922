package opencode

import (
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// text takes a text or a thought of the agent, of an event or a snapshot. Its turn has begun with its message, unless that is of the past.
func (e *entries) text(p *partWire, delta string, m *message, snapshot bool, out *adapters.Output) {
	x := e.parts[p.ID]
	if x == nil {
		x = &part{id: p.ID, message: p.MessageID, kind: protocol.EntryAssistantMessage}
		x.budget.Limit = e.limit
		switch {
		case p.Type == "reasoning":
			x.kind = protocol.EntryThinking
		case m.summary:
			x.kind = protocol.EntryCompaction
		}
		x.gap = snapshot
		e.parts[p.ID] = x
	}
	switch {
	case x.closed:
	case p.Time.End > 0:
		e.closeText(x, p.Text, out)
	case delta != "" && !x.gap && len(x.text) > 0:
		e.append(x, delta, out)
	case p.Text != "":
		e.catchUp(x, p.Text, snapshot, out)
	}
}

// append adds a delta to a text.
func (e *entries) append(x *part, delta string, out *adapters.Output) {
	if x.key == 0 && x.ended.Any() {
		if delta = x.ended.More(delta); delta == "" {
			return
		}
	}
	e.write(x, delta, out)
}

func (e *entries) write(x *part, delta string, out *adapters.Output) {
	e.openText(x, out)
	x.text = append(x.text, x.budget.Grow(x.key, delta, native.AsText, out)...)
}

// catchUp brings a text to what it is as a whole.
func (e *entries) catchUp(x *part, whole string, snapshot bool, out *adapters.Output) {
	have := string(x.text)
	if x.ended.Any() {
		rest, ok := x.ended.Rest(whole)
		if !ok || rest == "" {
			return // older than what was heard since, or another text: its end will tell
		}
		x.ended.Whole()
		whole = rest
	}
	switch {
	case strings.HasPrefix(have, whole): // a snapshot that is older than what was heard since
	case strings.HasPrefix(whole, have):
		x.gap = x.gap && snapshot
		if x.budget.Spent() { // what did not fit was offered before
			have = whole[:min(max(len(have), x.budget.All()), len(whole))]
		}
		e.write(x, whole[len(have):], out)
	default:
		x.gap = x.gap && snapshot
		e.openText(x, out)
		x.text = append(x.text[:0], x.budget.Set(x.key, whole, out)...)
	}
}

func (e *entries) openText(x *part, out *adapters.Output) {
	if x.key != 0 {
		return
	}
	e.endTexts(out)
	x.key, e.writing = e.keys.Next(), x
	out.Draft(adapters.EntryOpened{Key: x.key, Type: x.kind, Data: e.textData(x, ""), PersistentID: x.id, Round: e.round})
}

// endTexts ends the text that is being written, because another part begins. OpenCode says that a text is over only when the provider's
// answer is, or as soon as it pleases the provider, and adds what comes later to the part that it has. A text of which something was
// lost waits for its end: what is there of it is not what was written.
func (e *entries) endTexts(out *adapters.Output) {
	x := e.writing
	if x == nil || x.key == 0 || x.closed || x.gap || x.kind == protocol.EntryCompaction {
		return
	}
	// Its end would say the same, without the white space.
	data := e.saidData(x, strings.TrimRightFunc(string(x.text), unicode.IsSpace))
	out.Draft(adapters.EntryClosed{Key: x.key, Data: data, PersistentID: x.id})
	x.ended.Add(string(x.text), x.budget.All())
	x.key, x.text, x.budget = 0, nil, native.Budget{Limit: e.limit}
}

// saidData is the data of a part as far as it was written.
func (e *entries) saidData(x *part, s string) protocol.EntryData {
	return e.cutData(x, s, x.budget.Cut())
}

func (e *entries) textData(x *part, s string) protocol.EntryData {
	s, c := native.Cut(s, e.limit)
	return e.cutData(x, s, c)
}

func (e *entries) cutData(x *part, s string, c protocol.Cut) protocol.EntryData {
	if x.kind == protocol.EntryCompaction {
		return &protocol.CompactionData{Summary: s, Trigger: e.compact.trigger, Cut: c}
	}
	return native.TextData(x.kind, s, c)
}

// closeText ends a text with what the agent has stored, which wins over the sum of the deltas.
func (e *entries) closeText(x *part, final string, out *adapters.Output) {
	x.closed = true
	if x.ended.Any() {
		rest, ok := x.ended.Rest(final)
		if !ok {
			native.Differs(final, e.limit, out)
			rest = string(x.text)
		}
		final = rest
	}
	if x.key == 0 && final == "" {
		return
	}
	e.openText(x, out)
	out.Draft(adapters.EntryClosed{Key: x.key, Data: e.textData(x, final), PersistentID: x.id})
}
