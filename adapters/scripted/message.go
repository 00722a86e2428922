package scripted

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// talk is what is said in a run: messages of the user and of the model, and results of tools, which the session keeps.
type talk struct {
	out     *output
	in      *input
	session *session
	cwd     string
	count   int    // model requests so far, for their ids
	usage   *Usage // of the next message

	messages []json.RawMessage // since agent_start, for agent_end
	round    bool              // turn_start was said, its turn_end not yet
	results  []json.RawMessage // tool results of the round
	open     *draft            // the assistant message that is being written
	last     string            // stop reason of the last one
	attempt  int               // of a model request that has failed and is repeated; 0: none
}

// maxKept bounds what agent_end repeats: a flood would make it grow without end.
const maxKept = 256

// draft is an assistant message that is being written.
type draft struct {
	at     int64
	began  time.Time
	id     string
	blocks []*block
	flood  bool // its text is not kept
}

// block is one content block of a draft. Like Pi with an OpenAI-style provider, all blocks end with the message.
type block struct {
	kind string // text, thinking, toolcall
	text strings.Builder
	call toolCallBlock
}

func (d *draft) content() []content {
	out := make([]content, 0, len(d.blocks))
	for _, b := range d.blocks {
		switch b.kind {
		case "text":
			out = append(out, textBlock{"text", b.text.String()})
		case "thinking":
			out = append(out, thinkingBlock{"thinking", b.text.String(), "reasoning_content"})
		case "toolcall":
			out = append(out, b.call)
		}
	}
	return out
}

// begin begins a run.
func (t *talk) begin() {
	t.messages, t.round, t.results, t.open, t.last, t.attempt = nil, false, nil, nil, "", 0
	t.start()
}

// start says that the agent begins, or goes on after a failed model request.
func (t *talk) start() {
	t.out.emit(bare{"agent_start"})
	t.startRound()
}

// end says that the agent ends, or makes a pause before it repeats a model request.
func (t *talk) end(willRetry bool) {
	t.out.emit(agentEnd{Type: "agent_end", Messages: list(t.messages), WillRetry: willRetry})
	t.messages = nil
}

func (t *talk) startRound() {
	if !t.round {
		t.out.emit(bare{"turn_start"})
		t.round = true
	}
}

func (t *talk) endRound(message json.RawMessage) {
	t.out.emit(turnEnd{Type: "turn_end", Message: message, ToolResults: list(t.results)})
	t.round = false
	t.results = nil
}

// user says a user's message; the first one of a session stands behind the system message.
func (t *talk) user(p prompt) {
	if t.session.messages == 0 {
		t.introduce()
	}
	m := userMessage{Role: "user", Content: []content{textBlock{"text", p.text}}, Timestamp: p.at}
	for _, i := range p.images {
		i.Type = "image"
		m.Content = append(m.Content, i)
	}
	t.whole(encode(m))
}

// introduce says the system message.
func (t *talk) introduce() {
	t.whole(encode(systemMessage{
		Role: "system", Timestamp: now(),
		Sections: map[string]string{
			"preamble": "You are a scripted agent: what you say and do is written down.",
			"cwd":      "<cwd>\n" + t.cwd + "\n</cwd>",
		},
		ToolsAdded: []toolDeclared{{
			Description: "Pretend to repeat a text.", Name: "echo",
			Parameters: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`),
		}},
	}))
}

// result says the result of a tool.
func (t *talk) result(raw json.RawMessage) {
	t.whole(raw)
	t.results = append(t.results, raw)
}

// whole says a message in one piece.
func (t *talk) whole(raw json.RawMessage) {
	t.out.emit(messageEvent{"message_start", raw})
	t.record(raw)
	t.out.emit(messageEvent{"message_end", raw})
}

// record keeps a message in the session; it is there when message_end is said.
func (t *talk) record(raw json.RawMessage) {
	if len(t.messages) < maxKept {
		t.messages = append(t.messages, raw)
	}
	t.session.add(entry{Type: "message", Message: raw})
}

// assistant fills in what all assistant messages have.
func (t *talk) assistant(m assistantMessage) assistantMessage {
	m.Role, m.API, m.Provider, m.Model = "assistant", api, t.session.model.Provider, t.session.model.ID
	if m.Content == nil {
		m.Content = []content{}
	}
	if m.Timestamp == 0 {
		m.Timestamp = now()
	}
	if m.StopReason != "pending" {
		m.ThinkingLevel = t.session.level
		if m.DurationMs == nil {
			m.DurationMs = ptr(int64(0))
		}
	}
	return m
}

// beginMessage opens an assistant message if none is open.
func (t *talk) beginMessage() *draft {
	if t.open != nil {
		return t.open
	}
	t.startRound()
	t.count++
	d := &draft{at: now(), began: time.Now(), id: fmt.Sprintf("resp-%04d", t.count)}
	t.open = d
	t.out.emit(messageEvent{"message_start", encode(t.assistant(assistantMessage{StopReason: "pending", Timestamp: d.at}))})
	return d
}

// beginBlock opens the next content block.
func (t *talk) beginBlock(kind string, call toolCallBlock) (*block, int) {
	d := t.beginMessage()
	b := &block{kind: kind, call: call}
	d.blocks = append(d.blocks, b)
	i := len(d.blocks) - 1
	t.update(blockUpdate{Type: kind + "_start", ContentIndex: i, ID: call.ID, ToolName: call.Name})
	return b, i
}

func (t *talk) update(u blockUpdate) {
	t.out.emit(messageUpdate{Type: "message_update", Event: u})
}

// stream says a text in pieces, as a new block.
func (t *talk) stream(kind, text string, p Pace) error {
	b, i := t.beginBlock(kind, toolCallBlock{})
	return t.pieces(text, p, func(piece string) {
		b.text.WriteString(piece)
		t.update(blockUpdate{Type: kind + "_delta", ContentIndex: i, Delta: &piece})
	})
}

// pieces cuts a text and waits before each piece.
func (t *talk) pieces(text string, p Pace, say func(string)) error {
	runes := []rune(text)
	size := p.Chunk
	if size <= 0 {
		size = 10
	}
	every := time.Duration(p.Every)
	if count := (len(runes) + size - 1) / size; p.Over > 0 && count > 0 {
		every = time.Duration(p.Over) / time.Duration(count)
	}
	for len(runes) > 0 {
		n := min(size, len(runes))
		if err := t.in.wait(every); err != nil {
			return err
		}
		say(string(runes[:n]))
		runes = runes[n:]
	}
	return nil
}

// endMessage ends the open message, and the round if no tool of it is still to run.
func (t *talk) endMessage(reason string) (raw json.RawMessage) {
	d := t.open
	if d == nil {
		return nil
	}
	usage := t.session.model.priced(t.takeUsage(d))
	t.endBlocks(usage)
	m := assistantMessage{
		Content: d.content(), Usage: usage, StopReason: reason, Timestamp: d.at, ResponseID: d.id,
		RawStopReason: map[string]string{"stop": "stop", "toolUse": "tool_calls"}[reason],
		DurationMs:    ptr(time.Since(d.began).Milliseconds()),
	}
	raw = t.closeMessage(m)
	if t.attempt > 0 {
		t.out.emit(retryEnd{Type: "auto_retry_end", Success: true, Attempt: t.attempt})
		t.attempt = 0
	}
	if reason != "toolUse" {
		t.endRound(raw)
	}
	return raw
}

// endBlocks ends the blocks of the open message.
func (t *talk) endBlocks(usage wireUsage) {
	for i, b := range t.open.blocks {
		u := blockUpdate{Type: b.kind + "_end", ContentIndex: i}
		if b.kind == "toolcall" {
			u.ToolCall = &b.call
		} else {
			u.Content = ptr(b.text.String())
		}
		t.out.emit(messageUpdate{Type: "message_update", Usage: usage, Event: u})
	}
}

// failMessage ends the open message, or an empty one, as aborted or failed, and the round.
func (t *talk) failMessage(reason, why string) {
	m := assistantMessage{StopReason: reason, ErrorMessage: why}
	if d := t.open; d != nil {
		m.Content, m.Timestamp, m.ResponseID = d.content(), d.at, d.id
		m.DurationMs = ptr(time.Since(d.began).Milliseconds())
		if reason == "aborted" {
			t.endBlocks(wireUsage{})
		}
	} else {
		t.startRound()
		m = t.assistant(m)
		t.out.emit(messageEvent{"message_start", encode(m)})
	}
	t.endRound(t.closeMessage(m))
}

// closeMessage says and keeps the end of a message.
func (t *talk) closeMessage(m assistantMessage) json.RawMessage {
	m = t.assistant(m)
	raw := encode(m)
	if d := t.open; d != nil && d.flood {
		m.Content = []content{} // a flood may last for ever, the session must not grow with it
		t.record(encode(m))
	} else {
		t.record(raw)
	}
	t.out.emit(messageEvent{"message_end", raw})
	t.open = nil
	t.last = m.StopReason
	return raw
}

// takeUsage returns the tokens that the script has set for a message, or made up ones: a quarter of its characters.
func (t *talk) takeUsage(d *draft) Usage {
	if u := t.usage; u != nil {
		t.usage = nil
		return *u
	}
	u := Usage{Input: 100 + t.session.context/10, Output: 1}
	for _, b := range d.blocks {
		n := (b.text.Len() + len(b.call.Arguments)) / 4
		u.Output += n
		if b.kind == "thinking" {
			u.Reasoning += n
		}
	}
	return u
}

// abort ends what an abort has left open. Behind a tool, Pi asks the model once more and aborts that at once.
func (t *talk) abort() {
	if t.open != nil {
		t.failMessage("aborted", "Request was aborted")
		return
	}
	t.failMessage("aborted", "This operation was aborted")
}

// keep puts the open message into the session as Pi does when it is asked to end in the middle of a run, and says nothing.
func (t *talk) keep() {
	m := assistantMessage{StopReason: "aborted", ErrorMessage: "Request was aborted"}
	if t.open != nil {
		m.Content = t.open.content()
		m.Timestamp = t.open.at
	}
	t.record(encode(t.assistant(m)))
}
