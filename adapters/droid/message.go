package droid

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stream is a message of the model that is being written.
type stream struct{ blocks map[blockKey]*block }

type blockKey struct {
	index int
	kind  protocol.EntryType
}

// block is a text or thinking block of it.
type block struct {
	blockKey
	message string
	key     adapters.EntryKey
	sent    []byte // what went out as deltas
	budget  native.Budget
	ended   native.Ended // its text, where that ended before its message did
	over    bool         // its entry is closed
}

// textDelta adds to a text or thinking block.
func (t *Translator) textDelta(message []byte, index int, kind protocol.EntryType, delta string, out *adapters.Output) {
	if delta == "" {
		return
	}
	b := t.last
	if b == nil || b.index != index || b.kind != kind || b.message != string(message) {
		if t.done[string(message)] {
			return // a message that is complete
		}
		b = t.block(string(message), blockKey{index, kind}, out)
		t.last = b
	}
	t.phase("", out)
	if b.over {
		return
	}
	if delta = b.budget.Take(delta); delta != "" {
		b.sent = append(b.sent, delta...)
		out.Draft(adapters.EntryChanged{Key: b.key, Delta: &protocol.TextAppend{Text: delta}})
	}
}

// block finds a block or opens its entry.
func (t *Translator) block(message string, k blockKey, out *adapters.Output) *block {
	s := t.messages[message]
	if s == nil {
		s = &stream{map[blockKey]*block{}}
		t.messages[message] = s
	}
	b := s.blocks[k]
	if b == nil {
		t.beginRound(out)
		t.endTexts(out)
		b = &block{blockKey: k, message: message, key: t.entry(), budget: native.Budget{Limit: t.spec.TextLimit()}}
		t.writing = b
		s.blocks[k] = b
		out.Draft(adapters.EntryOpened{
			Key: b.key, Type: k.kind, Data: t.textData(k.kind, ""), PersistentID: message, Round: t.run.round,
		})
	}
	return b
}

// textComplete ends a block: Droid says that it is complete before its message is.
func (t *Translator) textComplete(kind protocol.EntryType, raw json.RawMessage, out *adapters.Output) {
	var n struct {
		MessageID  string `json:"messageId"`
		BlockIndex int    `json:"blockIndex"`
	}
	_ = native.Decode(raw, &n)
	if s := t.messages[n.MessageID]; s != nil {
		if b := s.blocks[blockKey{n.BlockIndex, kind}]; b != nil {
			b.end(out)
		}
	}
}

// endTexts ends what is being written, because another block begins.
func (t *Translator) endTexts(out *adapters.Output) {
	if t.writing != nil {
		t.writing.end(out)
	}
}

// end ends a block with what was written of it.
func (b *block) end(out *adapters.Output) {
	if !b.over {
		b.over = true
		out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said()})
		b.ended.Add(string(b.sent), b.budget.All())
	}
}

// said is the data of a block as far as it was written.
func (b *block) said() protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

func (t *Translator) textData(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, t.spec.TextLimit())
	return native.TextData(kind, s, c)
}

// messageCreated takes a message as it goes into the conversation.
func (t *Translator) messageCreated(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Message   message `json:"message"`
		RequestID string  `json:"requestId"`
	}
	_ = native.Decode(raw, &n)
	m := &n.Message
	if m.Visibility == "llm_only" || t.done[m.ID] {
		return
	}
	list := blocks(m.Content)
	switch m.Role {
	case "user":
		t.userMessage(m, n.RequestID, list, out)
	case "assistant":
		t.assistantMessage(m, list, out)
	case "system":
		t.systemMessage(plain(list), out)
	case "tool":
		t.results(list, out)
	default:
		native.Keep("create_message."+m.Role, raw, out)
	}
}

// userMessage begins a turn or joins the running one. Messages that only carry results are no user's.
func (t *Translator) userMessage(m *message, request string, list []content, out *adapters.Output) {
	t.results(list, out)
	p := t.prompts.shown(m.ID, request)
	if p == nil && !slices.ContainsFunc(list, func(c content) bool { return c.Type == "text" || c.Type == "image" }) {
		return
	}
	text := plain(list)
	if t.run.on {
		if p != nil {
			p.joined(out)
		}
	} else {
		t.beginPrompt(p, text, out)
	}
	data := &protocol.MessageData{Role: "user"}
	if p != nil {
		data.Images = p.images // Droid writes the pictures anew: their bytes are no longer ours
	}
	data.Text, data.Cut = native.Cut(text, t.spec.TextLimit())
	t.whole(protocol.EntryUserMessage, data, m.ID, out)
	t.complete(m.ID)
}

// joined says that a prompt went into the running turn.
func (x *prompt) joined(out *adapters.Output) {
	if x.id != "" {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: adapters.PromptHandled})
	}
}

// assistantMessage ends the blocks of a message with what its end says, which wins over all before.
func (t *Translator) assistantMessage(m *message, list []content, out *adapters.Output) {
	t.beginRound(out)
	s := t.messages[m.ID]
	closed := map[*block]bool{}
	for i := range list {
		switch c := &list[i]; c.Type {
		case "text":
			t.endBlock(m.ID, s, blockKey{i, protocol.EntryAssistantMessage}, c.Text, closed, out)
		case "thinking":
			t.endBlock(m.ID, s, blockKey{i, protocol.EntryThinking}, c.Thinking, closed, out)
		case "tool_use":
			if c.ID == "" {
				continue
			}
			x := t.toolUse(c.ID, c.Name, c.Input, true, out)
			x.bound = true
			if m.ID != "" {
				out.Draft(adapters.EntryBound{Key: x.key, PersistentID: m.ID})
			}
		}
	}
	for _, b := range s.open() {
		b.leave("superseded", out)
	}
	t.run.inRound = false
	t.complete(m.ID)
}

// endBlock closes a block of a finished message, where it has not ended before. A block is found at its place, or else is the first
// one of its kind that is not found yet.
func (t *Translator) endBlock(message string, s *stream, k blockKey, final string, closed map[*block]bool, out *adapters.Output) {
	var b *block
	if s != nil {
		if b = s.blocks[k]; b == nil || closed[b] {
			b = nil
			for _, other := range s.list() {
				if other.kind == k.kind && !closed[other] {
					b = other
					break
				}
			}
		}
	}
	data := t.textData(k.kind, final)
	switch {
	case b != nil && b.over:
		if closed[b] = true; !b.ended.Is(final) {
			native.Differs(final, t.spec.TextLimit(), out)
		}
	case b != nil:
		closed[b], b.over = true, true
		out.Draft(adapters.EntryClosed{Key: b.key, Data: data})
	case final != "":
		t.endTexts(out)
		t.whole(k.kind, data, message, out)
	}
}

// leave closes a block that the agent will not end.
func (b *block) leave(reason string, out *adapters.Output) {
	b.over = true
	out.Draft(adapters.EntryClosed{Key: b.key, Data: b.said(), Incomplete: true, Reason: reason})
}

// complete forgets what streamed of a message: nothing more comes of it.
func (t *Translator) complete(message string) {
	delete(t.messages, message)
	t.last = nil
	if t.run.on && message != "" {
		t.done[message] = true
	}
}

// list gives the blocks in the order of their opening.
func (s *stream) list() []*block {
	if s == nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(s.blocks), func(a, b *block) int { return cmp.Compare(a.key, b.key) })
}

// open lists those that have not ended.
func (s *stream) open() []*block {
	return slices.DeleteFunc(s.list(), func(b *block) bool { return b.over })
}

// retracted takes a message back. The same id comes again, as another message.
func (t *Translator) retracted(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		MessageID string `json:"messageId"`
	}
	_ = native.Decode(raw, &n)
	const reason = "retracted"
	if s := t.messages[n.MessageID]; s != nil {
		open := s.open()
		for _, b := range open {
			b.leave(reason, out)
		}
		if len(open) < len(s.blocks) {
			native.Retracted(out)
		}
	}
	delete(t.messages, n.MessageID)
	delete(t.done, n.MessageID)
	t.last = nil
	if t.run.inRound {
		t.run.inRound = false
		t.leaveAnnounced(reason, out)
	}
}

// systemMessage is for the user only: after an error it says the same better, else it is a notice.
func (t *Translator) systemMessage(text string, out *adapters.Output) {
	text = native.Head(text, maxNoticed)
	switch {
	case text == "":
	case t.run.on && t.run.problem != "":
		t.run.shown = text
	default:
		out.Draft(adapters.Notice{Level: "info", Kind: "message_system", Text: text})
	}
}
