package opencode

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// message takes the state of a message.
func (w *work) message(info *messageInfo, from source, out *adapters.Output) {
	if info.ID == "" || w.entries.seen.has(info.ID) {
		return
	}
	m := w.entries.messages.of(info.ID)
	switch info.Role {
	case "user":
		m.user = true
	case "assistant":
		w.assistant(info, m, from, out)
	default:
		return
	}
	if !m.known {
		m.known = true
		lines := m.lines
		m.lines = nil
		for _, line := range lines {
			w.early(line, from, out)
		}
	}
	if !m.user && !from.snapshot {
		w.progress(info, m, from, out)
	}
}

// early takes an event about a part that came before the role of its message.
func (w *work) early(line []byte, from source, out *adapters.Output) {
	if w.entries.delta(line, out) {
		return
	}
	if e, _ := readEvent(line); e.kind == "message.part.delta" {
		w.entries.longDelta(e.properties, line, out)
	} else {
		w.partUpdated(e.properties, line, from, out)
	}
}

// assistant takes the beginning of a message of the agent.
func (w *work) assistant(info *messageInfo, m *message, from source, out *adapters.Output) {
	m.model = info.model()
	if m.known {
		return
	}
	m.summary = info.summary()
	switch {
	case info.Time.Completed > 0 && !w.turn.on && !from.snapshot:
		m.past = true
		w.say(adapters.PromptHandled, out)
		return
	case w.turn.idle && info.Time.Completed == 0:
		w.busy(out)
	default:
		w.begin(out)
	}
	w.entries.round++
	w.turn.open[info.ID] = true
	if !m.summary {
		w.settings.applied(m.model, info.Agent)
		w.told.tell(native.Told{Model: m.model, Mode: info.Agent}, out)
	}
}

// progress takes how far a message of the agent has come.
func (w *work) progress(info *messageInfo, m *message, from source, out *adapters.Output) {
	if m.done || m.past {
		return
	}
	if info.Error != nil {
		w.turn.fails(info.Error)
	}
	if info.Time.Completed == 0 {
		return
	}
	m.done = true
	if !m.summary {
		w.turn.finish = info.Finish
		if info.Finish != "" && info.Error == nil {
			w.turn.problem = "" // a later request overcame it
		}
	}
	if !from.snapshot && !from.more {
		reason := "not ended"
		if w.turn.aborted {
			reason = "interrupted"
		}
		w.entries.closeTexts(info.ID, reason, out)
	}
	if w.turn.closed(info.ID) {
		w.end(out)
	}
}

// removed closes what the agent took out of its session.
func (w *work) removed(properties []byte, out *adapters.Output) {
	var p struct {
		MessageID string `json:"messageID"`
		PartID    string `json:"partID"`
	}
	_ = native.Decode(properties, &p)
	if p.PartID != "" {
		if x := w.entries.parts[p.PartID]; x != nil {
			w.leave(x, "removed", out)
		}
		return
	}
	w.closeParts(p.MessageID, "removed", out)
	if w.turn.closed(p.MessageID) {
		w.end(out)
	}
}

// partUpdated takes the state of a part. In 1.1 it also says what is new in it (seed 001: a delta appends, else the text
// replaces).
func (w *work) partUpdated(properties, line []byte, from source, out *adapters.Output) {
	var e struct {
		Part  partWire `json:"part"`
		Delta string   `json:"delta"`
	}
	_ = native.Decode(properties, &e)
	p := &e.Part
	if p.ID == "" || w.entries.seen.has(p.MessageID) || w.entries.seen.has(p.ID) {
		return
	}
	m := w.entries.messages.known(p.MessageID)
	if m == nil {
		w.entries.messages.early(p.MessageID, line)
		return
	}
	if !w.part(p, e.Delta, m, from, out) {
		native.Keep("message.part.updated."+p.Type, line, out)
	}
}

// part takes a part, and says whether its type is known.
func (w *work) part(p *partWire, delta string, m *message, from source, out *adapters.Output) bool {
	m.shown = true
	switch {
	case m.user && p.Type == "text":
		w.userText(p, out)
	case m.user && p.Type == "compaction":
		w.entries.seen.add(p.ID)
		w.entries.compact.begin(p)
		if w.turn.on && !w.turn.idle {
			w.turn.report(protocol.StateCompacting, out)
		}
	case m.user && p.Type == "file":
		w.entries.seen.add(p.ID)
		if u, ok := w.prompts.pictures(p.ID); ok { // its message is said with its text; one without a text is said here, once
			w.user(u, out)
		}
	case m.user:
		return knownPart(p.Type)
	case p.Type == "text", p.Type == "reasoning":
		w.entries.text(p, delta, m, from.snapshot, out)
	case p.Type == "tool":
		w.tool(p, m, from, out)
	case p.Type == "step-finish":
		w.entries.seen.add(p.ID)
		w.usage.used(p.Tokens, p.Cost, m.model, out)
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

// tool takes the state of a tool call.
func (w *work) tool(p *partWire, m *message, from source, out *adapters.Output) {
	x := w.entries.parts[p.ID]
	if x == nil {
		if !m.past {
			w.begin(out)
		}
		x = w.openTool(p, out)
	}
	if x.closed || x.tool == nil {
		return
	}
	c, s := x.tool, &p.State
	switch s.Status {
	case "running":
		c.input(s, x.key, out)
		w.runs(x, out)
		if o := s.Metadata.Output; o != nil && !(from.snapshot && strings.HasPrefix(c.output.Last(), *o)) {
			c.prints(*o, x.key, out)
		}
		w.child(p, x, from, out)
	case "completed", "error":
		c.input(s, x.key, out)
		w.child(p, x, from, out)
		w.closeTool(x, p, out)
	}
}

// child tells of the sub-agent that a task runs in.
func (w *work) child(p *partWire, x *part, from source, out *adapters.Output) {
	if id := p.child(); id != w.told.Session && !from.past {
		w.children.began(id, p, x.key, out)
	}
}

// userText takes a text of the user.
func (w *work) userText(p *partWire, out *adapters.Output) {
	w.entries.seen.add(p.ID)
	if p.Synthetic || p.Text == "" {
		return
	}
	u := waiting{id: p.ID, text: p.Text}
	if !w.entries.compact.repeats(p.Text, w.prompts.said) { // else it answers no prompt of ours: it is one, once more
		w.prompts.match(&u)
	}
	w.user(u, out)
}

// user says a message of the user in its turn, or keeps it until the turn begins.
func (w *work) user(u waiting, out *adapters.Output) {
	if w.turn.on && !w.turn.idle {
		u.answer(adapters.PromptHandled, out) // before its message, which is the prompt's that has left the queue
		w.sayOne(&u, out)
		return
	}
	if w.prompts.wait(u) {
		w.say(adapters.PromptHandled, out)
	}
}

// say writes the user's messages that waited: started for the turn that has just begun, handled where none follows.
func (w *work) say(result adapters.PromptResult, out *adapters.Output) {
	for i := range w.prompts.before {
		u := &w.prompts.before[i]
		w.sayOne(u, out)
		u.answer(result, out)
	}
	w.prompts.before = nil
}

func (w *work) sayOne(u *waiting, out *adapters.Output) {
	if w.turn.on {
		w.prompts.said = append(w.prompts.said, u.text)
	}
	w.entries.user(u.text, u.id, u.images, out)
}
