package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// assistant is the assistant message that streams now; Pi streams one at a time.
type assistant struct {
	blocks  map[int]*block // by contentIndex
	keys    []adapters.EntryKey
	writing *block // the text whose entry was opened last: no other one is open
}

// block is one content block of it.
type block struct {
	kind   protocol.EntryType
	key    adapters.EntryKey // 0 until there is text: empty blocks make no entry
	sent   []byte            // what went out as deltas
	budget native.Budget
	ended  native.Ended // what it has in entries before key
	closed bool
	call   *tool  // of a tool call, once its id is known
	early  string // arguments that came before it
}

// abandoned is a block of a message that failed. It stays open until it is known whether the agent tries again.
type abandoned struct {
	key  adapters.EntryKey
	data protocol.EntryData
}

func (t *Translator) block(index int, kind protocol.EntryType) *block {
	b := t.msg.blocks[index]
	if b == nil || b.kind != kind {
		if t.msg.blocks == nil {
			t.msg.blocks = map[int]*block{}
		}
		if b != nil { // of a message whose end was lost: it is still to be ended
			t.msg.blocks[^len(t.msg.blocks)] = b
		}
		b = &block{kind: kind, budget: native.Budget{Limit: t.spec.TextLimit()}}
		t.msg.blocks[index] = b
	}
	return b
}

// textDelta adds to a text or thinking block.
func (t *Translator) textDelta(index int, kind protocol.EntryType, delta string, out *adapters.Output) {
	b := t.block(index, kind)
	if delta == "" || b.closed {
		return
	}
	if b.key == 0 && b.ended.Any() {
		if delta = b.ended.More(delta); delta == "" {
			return
		}
	}
	t.openText(b, out)
	if delta = b.budget.Take(delta); delta != "" {
		b.sent = append(b.sent, delta...)
		out.Draft(adapters.EntryChanged{Key: b.key, Delta: &protocol.TextAppend{Text: delta}})
	}
}

func (t *Translator) openText(b *block, out *adapters.Output) {
	if b.key != 0 {
		return
	}
	t.begin(out)
	t.endTexts(out)
	b.key, t.msg.writing = t.entry(), b
	t.msg.keys = append(t.msg.keys, b.key)
	out.Draft(adapters.EntryOpened{Key: b.key, Type: b.kind, Data: t.textData(b.kind, ""), Round: t.run.round})
}

// endTexts ends the text that is being written, because another block begins. With most providers Pi says that a block is over
// only when its message is, and adds what comes later to the block that it has.
func (t *Translator) endTexts(out *adapters.Output) {
	t.closeFailed("retry", out)
	b := t.msg.writing
	if b == nil || b.key == 0 || b.closed {
		return
	}
	out.Draft(adapters.EntryClosed{Key: b.key, Data: t.saidData(b)})
	b.ended.Add(string(b.sent), b.budget.All())
	b.key, b.sent, b.budget = 0, nil, native.Budget{Limit: t.spec.TextLimit()}
}

// saidData is the data of a text as far as it was written.
func (t *Translator) saidData(b *block) protocol.EntryData {
	return native.TextData(b.kind, string(b.sent), b.budget.Cut())
}

// restOf is what the final text of a block has for the entry that is open, or is to be opened for it.
func (t *Translator) restOf(b *block, final string, out *adapters.Output) string {
	if !b.ended.Any() {
		return final
	}
	rest, ok := b.ended.Rest(final)
	if !ok {
		native.Differs(final, t.spec.TextLimit(), out)
		rest = string(b.sent)
	}
	return rest
}

func (t *Translator) textData(kind protocol.EntryType, s string) protocol.EntryData {
	s, c := native.Cut(s, t.spec.TextLimit())
	return native.TextData(kind, s, c)
}

// closeText ends a block with its final text, which wins over the sum of the deltas.
func (t *Translator) closeText(b *block, final string, out *adapters.Output) {
	if b.closed {
		return
	}
	if final = t.restOf(b, final, out); b.key == 0 && final == "" {
		b.closed = b.ended.Any()
		return
	}
	t.openText(b, out)
	b.closed = true
	out.Draft(adapters.EntryClosed{Key: b.key, Data: t.textData(b.kind, final)})
}

// messageUpdate is the long way, for all updates but plain deltas.
func (t *Translator) messageUpdate(line []byte, out *adapters.Output) {
	var e struct {
		Event struct {
			Type         string  `json:"type"`
			ContentIndex int     `json:"contentIndex"`
			Delta        string  `json:"delta"`
			Content      string  `json:"content"`
			ID           string  `json:"id"`
			ToolName     string  `json:"toolName"`
			ToolCall     content `json:"toolCall"`
			Partial      *struct {
				Content []content `json:"content"`
			} `json:"partial"`
		} `json:"assistantMessageEvent"`
	}
	_ = native.Decode(line, &e)
	u := &e.Event
	switch u.Type {
	case "text_delta":
		t.textDelta(u.ContentIndex, protocol.EntryAssistantMessage, u.Delta, out)
	case "thinking_delta":
		t.textDelta(u.ContentIndex, protocol.EntryThinking, u.Delta, out)
	case "toolcall_delta":
		t.argumentsDelta(u.ContentIndex, u.Delta, out)
	case "text_end":
		t.closeText(t.block(u.ContentIndex, protocol.EntryAssistantMessage), u.Content, out)
	case "thinking_end":
		t.closeText(t.block(u.ContentIndex, protocol.EntryThinking), u.Content, out)
	case "toolcall_start":
		if p := u.Partial; u.ID == "" && p != nil && u.ContentIndex >= 0 && u.ContentIndex < len(p.Content) {
			u.ID, u.ToolName = p.Content[u.ContentIndex].ID, p.Content[u.ContentIndex].Name // Pi 0.73
		}
		t.callStart(u.ContentIndex, u.ID, u.ToolName, out)
	case "toolcall_end":
		t.callEnd(u.ContentIndex, &u.ToolCall, out)
	case "text_start", "thinking_start", "start", "done", "error":
		// Blocks open with their first text; message_start and message_end say the rest.
	default:
		native.Keep("message_update."+u.Type, line, out)
	}
}

func (t *Translator) messageStart(line []byte, out *adapters.Output) {
	var e struct {
		Message struct {
			Role string `json:"role"`
		} `json:"message"`
	}
	_ = native.Decode(line, &e)
	if e.Message.Role != "assistant" {
		return // their message_end has everything
	}
	t.begin(out)
	t.phase(protocol.StateResponding, out)
	t.closeFailed("retry", out)
	t.dropMessage(out)
}

// dropMessage closes what a message left open whose end was never seen.
func (t *Translator) dropMessage(out *adapters.Output) {
	for _, i := range sorted(t.msg.blocks) {
		if b := t.msg.blocks[i]; b.key != 0 && !b.closed {
			out.Draft(adapters.EntryClosed{Key: b.key, Data: t.saidData(b), Incomplete: true, Reason: "superseded"})
		}
	}
	t.msg = assistant{}
}

func (t *Translator) messageEnd(line []byte, out *adapters.Output) {
	var e struct {
		Message message `json:"message"`
	}
	_ = native.Decode(line, &e)
	m := &e.Message
	switch m.Role {
	case "user":
		t.userMessage(m, out)
	case "assistant":
		t.assistantEnd(m, out)
	case "toolResult":
		t.toolResult(m, out)
	case "system", "bashExecution":
		// The prompt and the declarations of tools; a shell command is told by its response.
	case "custom", "branchSummary", "compactionSummary":
		if s := plain(blocks(m.Content)); s != "" && (m.Role != "custom" || m.Display) {
			s, _ = native.Cut(s, t.spec.TextLimit())
			out.Draft(adapters.Notice{Level: "info", Kind: "message_" + m.Role, Text: s})
		}
	default:
		native.Keep("message_end."+m.Role, line, out)
	}
}

func (t *Translator) userMessage(m *message, out *adapters.Output) {
	list := blocks(m.Content)
	data := &protocol.MessageData{Role: "user", Images: t.pictures(list)}
	data.Text, data.Cut = native.Cut(plain(list), t.spec.TextLimit())
	key := t.whole(protocol.EntryUserMessage, data, out)
	t.binder.wait(wanted{role: "user", time: m.Timestamp}, out, key)
	t.fetch(out)
}

// pictures names the pictures of a message that came through Prompt: nobody has the bytes of others.
func (t *Translator) pictures(list []content) []string {
	var refs []string
	for _, c := range list {
		if c.Type != "image" {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if sum := sha256.Sum256(data); err == nil && t.images[sum] {
			refs = append(refs, "sha256:"+hex.EncodeToString(sum[:])+";"+c.MimeType)
		}
	}
	return refs
}

// assistantEnd ends the blocks of an assistant message with what its end says, which wins over all before. Blocks of a
// failed message wait for the news whether the agent tries again; its tool calls will never run.
func (t *Translator) assistantEnd(m *message, out *adapters.Output) {
	t.begin(out)
	t.run.stop, t.run.problem = m.StopReason, ""
	if m.StopReason == "error" {
		t.run.problem = native.Head(m.ErrorMessage, maxNoticed)
	}
	list := blocks(m.Content)
	for i := range list {
		stop := m.StopReason
		if i < len(list)-1 {
			stop = "" // another block follows: what broke off is not this one
		}
		switch c := &list[i]; c.Type {
		case "text":
			t.endText(i, protocol.EntryAssistantMessage, c.Text, stop, out)
		case "thinking":
			t.endText(i, protocol.EntryThinking, c.Thinking, stop, out)
		case "toolCall":
			t.callEnd(i, c, out)
		}
	}
	for _, i := range sorted(t.msg.blocks) {
		b := t.msg.blocks[i]
		if b.kind == protocol.EntryToolCall {
			continue
		}
		t.dropped = t.dropped || m.StopReason == "error" && (b.closed || b.ended.Any())
		if b.key != 0 && !b.closed {
			t.endWith(b, t.saidData(b), m.StopReason, out)
		}
	}
	switch m.StopReason {
	case "aborted":
		t.closeTools("interrupted", out)
	case "error":
		t.failTools()
	}
	t.used(m.Usage, model{ID: m.Model, Provider: m.Provider}.name(), out)
	t.tell(native.Told{Model: model{ID: m.Model, Provider: m.Provider}.name(), Mode: m.ThinkingLevel}, out)
	t.binder.wait(wanted{role: "assistant", time: m.Timestamp}, out, t.msg.keys...)
	if len(t.msg.keys) > 0 {
		t.fetch(out)
	}
	t.msg = assistant{}
}

// endText ends a text or thinking block at the end of its message, if its own end has not come.
func (t *Translator) endText(index int, kind protocol.EntryType, final, stop string, out *adapters.Output) {
	b := t.block(index, kind)
	if b.closed {
		return
	}
	if final = t.restOf(b, final, out); b.key != 0 || final != "" {
		t.endWith(b, t.textData(kind, final), stop, out)
	}
}

func (t *Translator) endWith(b *block, data protocol.EntryData, stop string, out *adapters.Output) {
	t.openText(b, out)
	if stop == "error" {
		t.failed = append(t.failed, abandoned{b.key, data})
		b.key = 0
		return
	}
	b.closed = true
	end := adapters.EntryClosed{Key: b.key, Data: data}
	if stop == "aborted" {
		end.Incomplete, end.Reason = true, "interrupted"
	}
	out.Draft(end)
}

// closeFailed closes what a failed message left behind.
func (t *Translator) closeFailed(reason string, out *adapters.Output) {
	for _, f := range t.failed {
		out.Draft(adapters.EntryClosed{Key: f.key, Data: f.data, Incomplete: true, Reason: reason})
	}
	t.failed = t.failed[:0]
	if t.dropped && reason == "retry" {
		native.Retracted(out)
	}
	t.dropped = false
}
