package claude

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// stream takes a stream_event: the long way, for all but plain deltas.
func (w *work) stream(line []byte, out *adapters.Output) {
	var e struct {
		Event struct {
			Type    string      `json:"type"`
			Message message     `json:"message"`
			Index   int         `json:"index"`
			Block   contentWire `json:"content_block"`
			Delta   struct {
				Type        string `json:"type"`
				Text        string `json:"text"`
				Thinking    string `json:"thinking"`
				PartialJSON string `json:"partial_json"`
			} `json:"delta"`
		} `json:"event"`
		Abandoned *struct {
			ID   string `json:"api_message_id"`
			From int    `json:"from_block_index"`
		} `json:"abandoned_blocks"`
	}
	_ = native.Decode(line, &e)
	v := &e.Event
	switch v.Type {
	case "message_start":
		w.begin(out)
		w.turn.report(protocol.StateResponding, out)
		w.nextMessage(v.Message.ID, out)
	case "content_block_start":
		w.startBlock(v.Index, &v.Block, out)
	case "content_block_delta":
		switch v.Delta.Type {
		case "text_delta":
			w.add(&delta{v.Index, protocol.EntryAssistantMessage, v.Delta.Text}, out)
		case "thinking_delta":
			w.add(&delta{v.Index, protocol.EntryThinking, v.Delta.Thinking}, out)
		case "input_json_delta":
			w.add(&delta{v.Index, protocol.EntryToolCall, v.Delta.PartialJSON}, out)
		case "signature_delta", "citations_delta":
		default:
			native.Keep("stream_event.delta."+v.Delta.Type, line, out)
		}
	case "message_stop":
		if a, id := e.Abandoned, w.entries.stream.id; a != nil && (a.ID == id || id == "") {
			w.abandon(a.From, out)
		}
	case "content_block_stop":
		w.entries.stop(v.Index)
	case "message_delta", "ping", "error":
		// `result` tells what was used, and an error is followed by abandoned_blocks.
	default:
		native.Keep("stream_event."+v.Type, line, out)
	}
}

// add adds to a block.
func (w *work) add(d *delta, out *adapters.Output) {
	switch d.kind {
	case "": // a signature
	case protocol.EntryToolCall:
		w.entries.arguments(d, out)
	default:
		b := w.entries.grows(d)
		if b == nil {
			return
		}
		if b.key == 0 {
			w.begin(out)
			w.entries.open(b, w.turn.round, out)
		}
		b.add(d.text, out)
	}
}

// startBlock takes the start of a block.
func (w *work) startBlock(index int, v *contentWire, out *adapters.Output) {
	switch {
	case v.Type == "text":
		w.add(&delta{index, protocol.EntryAssistantMessage, v.Text}, out)
	case v.Type == "thinking":
		w.add(&delta{index, protocol.EntryThinking, v.Thinking}, out)
	case v.isCall() && v.ID != "":
		w.begin(out)
		w.startTool(index, v, w.turn.round, out)
	}
}

// nextMessage goes on to another message, which is another model request.
func (w *work) nextMessage(id string, out *adapters.Output) {
	w.next(id, out)
	w.turn.round++
}

// assistant takes the final content of one block, or of a whole message that was not streamed.
func (w *work) assistant(line []byte, out *adapters.Output) {
	var e struct {
		UUID       string  `json:"uuid"`
		Message    message `json:"message"`
		Aborted    bool    `json:"aborted"`
		IsAPIError bool    `json:"is_api_error_message"`
	}
	_ = native.Decode(line, &e)
	if w.entries.again(e.UUID) {
		return
	}
	list := blocks(e.Message.Content)
	w.begin(out)
	if e.IsAPIError {
		w.turn.problem = native.Head(plain(list), maxNotice)
		return
	}
	w.turn.report(protocol.StateResponding, out)
	w.enter(&e.Message, out)
	w.turn.problem = ""
	w.turn.aborted = w.turn.aborted || e.Aborted
	for i := range list {
		switch c := &list[i]; {
		case c.Type == "text":
			w.entries.final(protocol.EntryAssistantMessage, c.Text, e.Aborted, w.turn.round, out)
		case c.Type == "thinking":
			w.entries.final(protocol.EntryThinking, c.Thinking, e.Aborted, w.turn.round, out)
		case c.isCall():
			w.finalTool(c, w.turn.round, out)
		case c.isServerResult():
			w.serverResult(c, out)
		case c.Type == "redacted_thinking", c.Type == "fallback", c.Type == "container_upload":
			// Nothing that a reader could read.
		default:
			native.Keep("assistant."+c.Type, line, out)
		}
	}
}

// enter makes a message the one at work. One that was not streamed, such as the second attempt after an error inside the
// stream, begins with its first block.
func (w *work) enter(m *message, out *adapters.Output) {
	if w.self.isChild() && m.Model != synthetic {
		w.told.tell(native.Told{Model: m.Model}, out)
	}
	if !w.entries.stream.is(m.ID) {
		w.nextMessage(m.ID, out)
	}
}

// user takes a message of the user's side.
func (w *work) user(line []byte, out *adapters.Output) {
	var u userLine
	_ = native.Decode(line, &u)
	list := blocks(u.Message.Content)
	if w.toolResults(list, &u, out) {
		return
	}
	text := plain(list)
	switch {
	case strings.HasPrefix(text, interruptMark):
		w.turn.aborted = w.turn.on
	case w.entries.compact.open && (u.IsSynthetic || !u.IsReplay):
		w.entries.endCompaction(text, w.turn.round, out)
	case u.IsSynthetic, strings.HasPrefix(text, commandOutput):
		// For the model only: "go on", the content of a skill, the output of a local command.
	case w.self.isChild():
		w.childTold(text, out)
	case u.IsReplay:
		w.replayed(u.UUID, text, out)
	}
}
