package opencode

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// part is a text, a thought or a tool call of the agent: one entry.
type part struct {
	id, message string
	kind        protocol.EntryType
	key         adapters.EntryKey // 0 until there is something to show: empty parts make no entry
	ended       native.Ended      // what it has in entries before key
	past        bool              // of a message that was there already: it begins no run
	closed      bool
	text        []byte // what went out as deltas
	budget      native.Budget
	gap         bool // deltas of it were lost: its text comes whole, at its end
	tool        *tool
}

// partUpdated takes the state of a part. In 1.1 it also says what is new in it (seed 001: a delta appends, else the text
// replaces).
func (t *Translator) partUpdated(properties, line []byte, out *adapters.Output) {
	var e struct {
		Part  partWire `json:"part"`
		Delta string   `json:"delta"`
	}
	_ = native.Decode(properties, &e)
	p := &e.Part
	if p.ID == "" || t.seen.has(p.MessageID) || t.seen.has(p.ID) {
		return
	}
	m := t.messages[p.MessageID]
	if m == nil || !m.known {
		t.early(p.MessageID, line)
		return
	}
	if !t.part(p, e.Delta, m, out) {
		native.Keep("message.part.updated."+p.Type, line, out)
	}
}

// part takes a part, from an event or a snapshot, and says whether its type is known.
func (t *Translator) part(p *partWire, delta string, m *message, out *adapters.Output) bool {
	m.shown = true
	switch {
	case m.user && p.Type == "text":
		t.userPart(p, out)
	case m.user && p.Type == "compaction":
		t.compaction(p, out)
	case m.user && p.Type == "file":
		t.userFile(p, out)
	case m.user:
		return knownPart(p.Type)
	case p.Type == "text", p.Type == "reasoning":
		t.textPart(p, delta, m, out)
	case p.Type == "tool":
		t.toolPart(p, m, out)
	case p.Type == "step-finish":
		t.seen.add(p.ID)
		t.used(p.Tokens, p.Cost, m.model, out)
	default:
		return knownPart(p.Type)
	}
	return true
}

// knownPart says that a part says nothing that a log should have.
func knownPart(kind string) bool {
	switch kind {
	case "step-start", "snapshot", "patch", "retry", "agent", "subtask", "file", "compaction", "text", "reasoning", "tool":
		return true
	}
	return false
}

// textPart takes a text or a thought of the agent.
func (t *Translator) textPart(p *partWire, delta string, m *message, out *adapters.Output) {
	x := t.parts[p.ID]
	if x == nil {
		x = &part{id: p.ID, message: p.MessageID, kind: protocol.EntryAssistantMessage, past: m.past}
		x.budget.Limit = t.spec.TextLimit()
		switch {
		case p.Type == "reasoning":
			x.kind = protocol.EntryThinking
		case m.summary:
			x.kind = protocol.EntryCompaction
		}
		x.gap = t.sync.folds
		t.parts[p.ID] = x
	}
	switch {
	case x.closed:
	case p.Time.End > 0:
		t.closeText(x, p.Text, out)
	case delta != "" && !x.gap && len(x.text) > 0:
		t.append(x, delta, out)
	case p.Text != "":
		t.catchUp(x, p.Text, out)
	}
}

// append adds a delta to a text.
func (t *Translator) append(x *part, delta string, out *adapters.Output) {
	if x.key == 0 && x.ended.Any() {
		if delta = x.ended.More(delta); delta == "" {
			return
		}
	}
	t.write(x, delta, out)
}

func (t *Translator) write(x *part, delta string, out *adapters.Output) {
	t.openText(x, out)
	if delta = x.budget.Take(delta); delta != "" {
		x.text = append(x.text, delta...)
		out.Draft(adapters.EntryChanged{Key: x.key, Delta: &protocol.TextAppend{Text: delta}})
	}
}

// catchUp brings a text to what it is as a whole.
func (t *Translator) catchUp(x *part, whole string, out *adapters.Output) {
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
		x.gap = x.gap && t.sync.folds
		t.write(x, whole[len(have):], out)
	default:
		x.gap = x.gap && t.sync.folds
		t.openText(x, out)
		whole = x.budget.Restart(whole)
		x.text = append(x.text[:0], whole...)
		out.Draft(adapters.EntryChanged{Key: x.key, Delta: &protocol.TextSet{Text: whole}})
	}
}

func (t *Translator) openText(x *part, out *adapters.Output) {
	if x.key != 0 {
		return
	}
	if !x.past {
		t.begin(out)
	}
	t.endTexts(out)
	x.key, t.writing = t.entries.Next(), x
	out.Draft(adapters.EntryOpened{Key: x.key, Type: x.kind, Data: t.textData(x, ""), PersistentID: x.id, Round: t.run.round})
}

// endTexts ends the text that is being written, because another part begins. OpenCode says that a text is over only when the provider's
// answer is, or as soon as it pleases the provider, and adds what comes later to the part that it has. A text of which something was
// lost waits for its end: what is there of it is not what was written.
func (t *Translator) endTexts(out *adapters.Output) {
	x := t.writing
	if x == nil || x.key == 0 || x.closed || x.gap || x.kind == protocol.EntryCompaction {
		return
	}
	// Its end would say the same, without the white space.
	data := t.saidData(x, strings.TrimRightFunc(string(x.text), unicode.IsSpace))
	out.Draft(adapters.EntryClosed{Key: x.key, Data: data, PersistentID: x.id})
	x.ended.Add(string(x.text), x.budget.All())
	x.key, x.text, x.budget = 0, nil, native.Budget{Limit: t.spec.TextLimit()}
}

// saidData is the data of a part as far as it was written.
func (t *Translator) saidData(x *part, s string) protocol.EntryData {
	return t.cutData(x, s, x.budget.Cut())
}

func (t *Translator) textData(x *part, s string) protocol.EntryData {
	s, c := native.Cut(s, t.spec.TextLimit())
	return t.cutData(x, s, c)
}

func (t *Translator) cutData(x *part, s string, c protocol.Cut) protocol.EntryData {
	if x.kind == protocol.EntryCompaction {
		return &protocol.CompactionData{Summary: s, Trigger: t.compact.trigger, Cut: c}
	}
	return native.TextData(x.kind, s, c)
}

// closeText ends a text with what the agent has stored, which wins over the sum of the deltas.
func (t *Translator) closeText(x *part, final string, out *adapters.Output) {
	x.closed = true
	if x.ended.Any() {
		rest, ok := x.ended.Rest(final)
		if !ok {
			native.Differs(final, t.spec.TextLimit(), out)
			rest = string(x.text)
		}
		final = rest
	}
	if x.key == 0 && final == "" {
		return
	}
	t.openText(x, out)
	out.Draft(adapters.EntryClosed{Key: x.key, Data: t.textData(x, final), PersistentID: x.id})
}

// leave closes a part that the agent never ended, with what it was seen to have.
func (t *Translator) leave(x *part, reason string, out *adapters.Output) {
	if x.closed {
		return
	}
	if x.tool != nil {
		t.leaveTool(x, reason, out)
		return
	}
	x.closed = true
	if x.key != 0 {
		out.Draft(adapters.EntryClosed{
			Key: x.key, Data: t.saidData(x, string(x.text)), PersistentID: x.id, Incomplete: true, Reason: reason,
		})
	}
}

// closeParts closes what is open of a message.
func (t *Translator) closeParts(message, reason string, out *adapters.Output) {
	for _, x := range t.openParts(message) {
		t.leave(x, reason, out)
	}
}

// closeTexts closes its texts only: a tool may end after its message.
func (t *Translator) closeTexts(message, reason string, out *adapters.Output) {
	for _, x := range t.openParts(message) {
		if x.tool == nil {
			t.leave(x, reason, out)
		}
	}
}

// openParts are the open parts of a message in the order of their entries.
func (t *Translator) openParts(message string) []*part {
	var list []*part
	for _, x := range t.parts {
		if x.message == message && !x.closed {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b *part) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) })
	return list
}
