package pi

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// updateWire is the event of a message_update.
type updateWire struct {
	Type         string      `json:"type"`
	ContentIndex int         `json:"contentIndex"`
	Delta        string      `json:"delta"`
	Content      string      `json:"content"`
	ID           string      `json:"id"`
	ToolName     string      `json:"toolName"`
	ToolCall     contentWire `json:"toolCall"`
	Partial      *struct {
		Content []contentWire `json:"content"`
	} `json:"partial"`
}

// update is the long way, for all updates but plain deltas.
func (w *work) update(line []byte, out *adapters.Output) {
	var e struct {
		Event updateWire `json:"assistantMessageEvent"`
	}
	_ = native.Decode(line, &e)
	u := &e.Event
	switch u.Type {
	case "text_delta":
		w.add(&delta{u.ContentIndex, protocol.EntryAssistantMessage, u.Delta}, out)
	case "thinking_delta":
		w.add(&delta{u.ContentIndex, protocol.EntryThinking, u.Delta}, out)
	case "toolcall_delta":
		w.add(&delta{u.ContentIndex, protocol.EntryToolCall, u.Delta}, out)
	case "text_end":
		w.endText(u.ContentIndex, protocol.EntryAssistantMessage, u.Content, out)
	case "thinking_end":
		w.endText(u.ContentIndex, protocol.EntryThinking, u.Content, out)
	case "toolcall_start":
		if p := u.Partial; u.ID == "" && p != nil && u.ContentIndex >= 0 && u.ContentIndex < len(p.Content) {
			u.ID, u.ToolName = p.Content[u.ContentIndex].ID, p.Content[u.ContentIndex].Name // Pi 0.73
		}
		w.startCall(u.ContentIndex, u.ID, u.ToolName, out)
	case "toolcall_end":
		w.readCall(u.ContentIndex, &u.ToolCall, out)
	case "text_start", "thinking_start", "start", "done", "error":
		// Blocks open with their first text; message_start and message_end say the rest.
	default:
		native.Keep("message_update."+u.Type, line, out)
	}
}

// add adds to a block.
func (w *work) add(d *delta, out *adapters.Output) {
	if d.kind == protocol.EntryToolCall {
		w.entries.arguments(d.index, d.text, out)
		return
	}
	if b, more := w.entries.more(d.index, d.kind, d.text); more != "" {
		w.openText(b, out)
		b.add(more, out)
	}
}

func (w *work) openText(b *block, out *adapters.Output) {
	if b.key == 0 {
		w.begin(out)
		w.entries.open(b, w.turn.round, out)
	}
}

// endText ends a block with its final text, before the end of its message.
func (w *work) endText(index int, kind protocol.EntryType, final string, out *adapters.Output) {
	b := w.entries.block(index, kind)
	if b.closed {
		return
	}
	if final = w.entries.rest(b, final, out); b.key == 0 && final == "" {
		b.closed = b.ended.Any()
		return
	}
	w.openText(b, out)
	w.entries.close(b, final, out)
}

// call finds the entry of a call or opens one.
func (w *work) call(id, name string, status protocol.ToolStatus, arguments string, out *adapters.Output) *tool {
	if c := w.tools.calls[id]; c != nil {
		return c
	}
	w.begin(out)
	w.entries.endTexts(out)
	return w.tools.open(w.entries.keys.Next(), id, name, status, arguments, w.turn.round, out)
}

// startCall takes that a block is a call, before its arguments are known.
func (w *work) startCall(index int, id, name string, out *adapters.Output) {
	b := w.entries.block(index, protocol.EntryToolCall)
	if id == "" || b.call != nil {
		return
	}
	if old := w.tools.calls[id]; old != nil {
		// The provider gives the ids; an id that comes again is another call.
		if !old.closed {
			w.leaveTool(old, "superseded", out)
		}
		delete(w.tools.calls, id)
	}
	w.entries.bind(b, w.call(id, name, protocol.ToolPending, "", out), out)
}

// readCall takes the call as the agent read it, from toolcall_end or from the end of the message.
func (w *work) readCall(index int, v *contentWire, out *adapters.Output) {
	b := w.entries.block(index, protocol.EntryToolCall)
	if v.ID == "" {
		return
	}
	if b.call == nil || b.call.id != v.ID {
		w.entries.bind(b, w.call(v.ID, v.Name, protocol.ToolPending, "", out), out)
	}
	b.call.read(v)
}

// execute takes what is said of a call while it runs, and of its end.
func (w *work) execute(kind string, line []byte, out *adapters.Output) {
	var e executionWire
	_ = native.Decode(line, &e)
	c := w.call(e.ID, e.Name, protocol.ToolRunning, native.Compact(e.Args), out)
	if c.closed {
		return
	}
	c.runs(kind, &e, out)
	if kind == "tool_execution_end" {
		w.endTool(c, &e.Result, e.IsError, e.DurationMs, out)
	}
}

// startMessage takes the start of a message. Those that are not the agent's say everything at their end.
func (w *work) startMessage(line []byte, out *adapters.Output) {
	var e struct {
		Message struct {
			Role string `json:"role"`
		} `json:"message"`
	}
	_ = native.Decode(line, &e)
	if e.Message.Role != "assistant" {
		return
	}
	w.begin(out)
	w.turn.report(protocol.StateResponding, out)
	w.entries.closeFailed("retry", out)
	w.entries.supersede(out)
}

// endMessage takes the end of a message.
func (w *work) endMessage(line []byte, out *adapters.Output) {
	var e struct {
		Message message `json:"message"`
	}
	_ = native.Decode(line, &e)
	m := &e.Message
	switch m.Role {
	case "user":
		w.userMessage(m, out)
	case "assistant":
		w.endAssistant(m, out)
	case "toolResult":
		w.result(m, out)
		m.Usage.report("", out) // what the tool itself used of the model
	case "system", "bashExecution":
		// The prompt and the declarations of tools; a shell command is told by its response.
	case "custom", "branchSummary", "compactionSummary":
		if s := plain(blocks(m.Content)); s != "" && (m.Role != "custom" || m.Display) {
			s, _ = native.Cut(s, w.entries.limit)
			out.Draft(adapters.Notice{Level: "info", Kind: "message_" + m.Role, Text: s})
		}
	default:
		native.Keep("message_end."+m.Role, line, out)
	}
}

func (w *work) userMessage(m *message, out *adapters.Output) {
	list := blocks(m.Content)
	data := &protocol.MessageData{Role: "user", Images: w.prompts.pictures(list)}
	data.Text, data.Cut = native.Cut(plain(list), w.entries.limit)
	key := w.entries.whole(protocol.EntryUserMessage, data, w.turn.round, out)
	w.binder.wait(wanted{role: "user", time: m.Timestamp}, out, key)
	w.binder.fetch(&w.calls, out)
}

// endAssistant ends the blocks of an assistant message with what its end says, which wins over all before. Blocks of a
// failed message wait for the news whether the agent tries again; its tool calls will never run.
func (w *work) endAssistant(m *message, out *adapters.Output) {
	w.begin(out)
	w.turn.stops(m)
	list := blocks(m.Content)
	for i := range list {
		stop := m.StopReason
		if i < len(list)-1 {
			stop = "" // another block follows: what broke off is not this one
		}
		switch c := &list[i]; c.Type {
		case "text":
			w.entries.end(i, protocol.EntryAssistantMessage, c.Text, stop, w.turn.round, out)
		case "thinking":
			w.entries.end(i, protocol.EntryThinking, c.Thinking, stop, w.turn.round, out)
		case "toolCall":
			w.readCall(i, c, out)
		}
	}
	w.entries.endOthers(m.StopReason, w.turn.round, out)
	switch m.StopReason {
	case "aborted":
		w.leaveTools("interrupted", out)
	case "error":
		w.failTools()
	}
	name := model{ID: m.Model, Provider: m.Provider}.name()
	m.Usage.report(name, out)
	w.told.tell(native.Told{Model: name, Mode: m.ThinkingLevel}, out)
	keys := w.entries.message.keys
	w.binder.wait(wanted{role: "assistant", time: m.Timestamp}, out, keys...)
	if len(keys) > 0 {
		w.binder.fetch(&w.calls, out)
	}
	w.entries.message = assistant{}
}
