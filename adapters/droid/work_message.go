package droid

import (
	"encoding/json"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// add adds to a text or a thought. Messages that are complete get no more.
func (w *work) add(d *delta, out *adapters.Output) {
	if d.text == "" {
		return
	}
	b := w.entries.find(d)
	if b == nil {
		if w.entries.done[string(d.message)] {
			return
		}
		w.beginRound(out)
		b = w.entries.open(d, w.turn.round, out)
	}
	w.turn.report("", out)
	b.add(d.text, out)
}

// message takes a message as it goes into the conversation.
func (w *work) message(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		Message   message `json:"message"`
		RequestID string  `json:"requestId"`
	}
	_ = native.Decode(raw, &n)
	m := &n.Message
	if m.Visibility == "llm_only" || w.entries.done[m.ID] {
		return
	}
	list := blocks(m.Content)
	switch m.Role {
	case "user":
		w.userMessage(m, n.RequestID, list, out)
	case "assistant":
		w.assistantMessage(m, list, out)
	case "system":
		w.turn.shows(plain(list), out)
	case "tool":
		w.results(list, out)
	default:
		native.Keep("create_message."+m.Role, raw, out)
	}
}

// userMessage begins a turn or joins the running one. Messages that only carry results are no user's.
func (w *work) userMessage(m *message, request string, list []contentWire, out *adapters.Output) {
	w.results(list, out)
	x := w.prompts.shown(m.ID, request)
	if x == nil && !slices.ContainsFunc(list, func(c contentWire) bool { return c.Type == "text" || c.Type == "image" }) {
		return
	}
	text := plain(list)
	switch {
	case !w.turn.on:
		w.beginWith(x, text, out)
	case x != nil:
		x.joined(out)
	}
	var images []string
	if x != nil {
		images = x.images // Droid writes the pictures anew: their bytes are no longer ours
	}
	w.entries.user(text, images, m.ID, w.turn.round, out)
	w.entries.complete(m.ID)
}

// assistantMessage ends the blocks of a message with what its end says, and leaves those that it does not have.
func (w *work) assistantMessage(m *message, list []contentWire, out *adapters.Output) {
	w.beginRound(out)
	for i := range list {
		switch c := &list[i]; c.Type {
		case "text":
			w.entries.end(m.ID, blockKey{i, protocol.EntryAssistantMessage}, c.Text, w.turn.round, out)
		case "thinking":
			w.entries.end(m.ID, blockKey{i, protocol.EntryThinking}, c.Thinking, w.turn.round, out)
		case "tool_use":
			if c.ID == "" {
				continue
			}
			x := w.announce(c.ID, c.Name, c.Input, true, out)
			x.bound = true
			if m.ID != "" {
				out.Draft(adapters.EntryBound{Key: x.key, PersistentID: m.ID})
			}
		}
	}
	w.entries.messages[m.ID].leave("superseded", out)
	w.turn.inRound = false
	w.entries.complete(m.ID)
}

// results ends the calls whose results come inside a message.
func (w *work) results(list []contentWire, out *adapters.Output) {
	for i := range list {
		if list[i].Type == "tool_result" {
			w.result(&list[i], out)
		}
	}
}

// retracted takes that a message does not count. The calls that it has announced are of one that was being written.
func (w *work) retracted(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		MessageID string `json:"messageId"`
	}
	_ = native.Decode(raw, &n)
	const reason = "retracted"
	w.entries.retract(n.MessageID, reason, out)
	if w.turn.inRound {
		w.turn.inRound = false
		w.leaveAnnounced(reason, out)
	}
}
