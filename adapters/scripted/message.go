package scripted

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

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

// assistant fills in what all assistant messages have.
func (a *agent) assistant(m assistantMessage) assistantMessage {
	m.Role, m.API, m.Provider, m.Model = "assistant", api, a.session.model.Provider, a.session.model.ID
	if m.Content == nil {
		m.Content = []content{}
	}
	if m.Timestamp == 0 {
		m.Timestamp = now()
	}
	if m.StopReason != "pending" {
		m.ThinkingLevel = a.session.level
		if m.DurationMs == nil {
			m.DurationMs = ptr(int64(0))
		}
	}
	return m
}

// beginMessage opens an assistant message if none is open.
func (a *agent) beginMessage() *draft {
	if a.run.open != nil {
		return a.run.open
	}
	a.startRound()
	a.answersSeen++
	d := &draft{at: now(), began: time.Now(), id: fmt.Sprintf("resp-%04d", a.answersSeen)}
	a.run.open = d
	a.emit(messageEvent{"message_start", encode(a.assistant(assistantMessage{StopReason: "pending", Timestamp: d.at}))})
	return d
}

// beginBlock opens the next content block.
func (a *agent) beginBlock(kind string, call toolCallBlock) (*block, int) {
	d := a.beginMessage()
	b := &block{kind: kind, call: call}
	d.blocks = append(d.blocks, b)
	i := len(d.blocks) - 1
	a.update(blockUpdate{Type: kind + "_start", ContentIndex: i, ID: call.ID, ToolName: call.Name})
	return b, i
}

func (a *agent) update(u blockUpdate) {
	a.emit(messageUpdate{Type: "message_update", Event: u})
}

// stream says a text in pieces, as a new block.
func (a *agent) stream(kind, text string, p Pace) error {
	b, i := a.beginBlock(kind, toolCallBlock{})
	return a.pieces(text, p, func(piece string) {
		b.text.WriteString(piece)
		a.update(blockUpdate{Type: kind + "_delta", ContentIndex: i, Delta: &piece})
	})
}

// pieces cuts a text and waits before each piece.
func (a *agent) pieces(text string, p Pace, say func(string)) error {
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
		if err := a.wait(every); err != nil {
			return err
		}
		say(string(runes[:n]))
		runes = runes[n:]
	}
	return nil
}

// endMessage ends the open message, and the round if no tool of it is still to run.
func (a *agent) endMessage(reason string) (raw json.RawMessage) {
	d := a.run.open
	if d == nil {
		return nil
	}
	usage := a.session.model.priced(a.takeUsage(d))
	a.endBlocks(usage)
	m := assistantMessage{
		Content: d.content(), Usage: usage, StopReason: reason, Timestamp: d.at, ResponseID: d.id,
		RawStopReason: map[string]string{"stop": "stop", "toolUse": "tool_calls"}[reason],
		DurationMs:    ptr(time.Since(d.began).Milliseconds()),
	}
	raw = a.closeMessage(m)
	if a.run.attempt > 0 && !a.run.retrying {
		a.emit(retryEnd{Type: "auto_retry_end", Success: true, Attempt: a.run.attempt})
		a.run.attempt = 0
	}
	if reason != "toolUse" {
		a.endRound(raw)
	}
	return raw
}

// endBlocks ends the blocks of the open message.
func (a *agent) endBlocks(usage wireUsage) {
	for i, b := range a.run.open.blocks {
		u := blockUpdate{Type: b.kind + "_end", ContentIndex: i}
		if b.kind == "toolcall" {
			u.ToolCall = &b.call
		} else {
			u.Content = ptr(b.text.String())
		}
		a.emit(messageUpdate{Type: "message_update", Usage: usage, Event: u})
	}
}

// failMessage ends the open message, or an empty one, as aborted or failed, and the round.
func (a *agent) failMessage(reason, why string) {
	m := assistantMessage{StopReason: reason, ErrorMessage: why}
	if d := a.run.open; d != nil {
		m.Content, m.Timestamp, m.ResponseID = d.content(), d.at, d.id
		m.DurationMs = ptr(time.Since(d.began).Milliseconds())
		if reason == "aborted" {
			a.endBlocks(wireUsage{})
		}
	} else {
		a.startRound()
		m = a.assistant(m)
		a.emit(messageEvent{"message_start", encode(m)})
	}
	a.endRound(a.closeMessage(m))
}

// closeMessage says and keeps the end of a message.
func (a *agent) closeMessage(m assistantMessage) json.RawMessage {
	m = a.assistant(m)
	raw := encode(m)
	if d := a.run.open; d != nil && d.flood {
		m.Content = []content{} // a flood may last for ever, the session must not grow with it
		a.record(encode(m))
	} else {
		a.record(raw)
	}
	a.emit(messageEvent{"message_end", raw})
	a.run.open = nil
	a.run.last = m.StopReason
	return raw
}

// takeUsage returns the tokens that the script has set for a message, or made up ones: a quarter of its characters.
func (a *agent) takeUsage(d *draft) Usage {
	if u := a.usage; u != nil {
		a.usage = nil
		return *u
	}
	u := Usage{Input: 100 + a.session.context/10, Output: 1}
	for _, b := range d.blocks {
		n := (b.text.Len() + len(b.call.Arguments)) / 4
		u.Output += n
		if b.kind == "thinking" {
			u.Reasoning += n
		}
	}
	return u
}
