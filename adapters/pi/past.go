package pi

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxPast is how many entries of an earlier conversation are said, the newest.
const maxPast = 4000

// recall asks for the earlier conversation of a session that the log has nothing of. Pi is asked who it is behind that, so that it is said
// before the first prompt.
func (t *Translator) recall(out *adapters.Output) {
	t.recalls = true
	t.fetch(out)
}

// recalled goes on with the start, whatever was found. Pi 0.73, which has no get_entries, is asked for its messages instead.
func (t *Translator) recalled(out *adapters.Output) {
	if t.binder.missing && !t.asksMessages {
		t.asksMessages = true
		t.ask(out, command{Type: "get_messages"})
		return
	}
	t.recalls = false
	t.ask(out, command{Type: "get_state"})
}

// messages takes the answer to get_messages.
func (t *Translator) messages(r *response, out *adapters.Output) {
	if !t.recalls {
		return
	}
	var d struct {
		Messages []message `json:"messages"`
	}
	_ = native.Decode(r.Data, &d)
	entries := make([]storedWire, len(d.Messages))
	for i, m := range d.Messages {
		entries[i] = storedWire{Type: "message", Message: m}
	}
	t.past(entries, out)
	t.recalled(out)
}

// branch gives the entries that lead to one, oldest first: what was said in other branches of the session is no part of the conversation.
func branch(entries []storedWire, leaf string) []storedWire {
	at := map[string]int{}
	for i, e := range entries {
		at[e.ID] = i
	}
	var list []storedWire
	for i, ok := at[leaf]; ok; i, ok = at[entries[i].Parent] {
		list = append(list, entries[i])
		delete(at, entries[i].ID) // a ring would have no end
	}
	slices.Reverse(list)
	return list
}

// past says the earlier conversation. It belongs to no turn of this log. Calls that got no result were left behind.
func (t *Translator) past(entries []storedWire, out *adapters.Output) {
	if len(entries) > maxPast {
		entries = entries[len(entries)-maxPast:]
		out.Draft(adapters.Notice{
			Level: "warning", Kind: "history_gap", Text: "The session is longer than what was read of it: its beginning is missing here.",
		})
	}
	for i := range entries {
		e := &entries[i]
		switch m := &e.Message; {
		case e.Type == "compaction":
			data := &protocol.CompactionData{}
			data.Summary, data.Cut = native.Cut(e.Summary, t.spec.TextLimit())
			t.pastEntry(protocol.EntryCompaction, data, e.ID, out)
		case m.Role == "user":
			if list := blocks(m.Content); plain(list) != "" {
				data := &protocol.MessageData{Role: "user"}
				data.Text, data.Cut = native.Cut(plain(list), t.spec.TextLimit())
				t.pastEntry(protocol.EntryUserMessage, data, e.ID, out)
			}
		case m.Role == "assistant":
			t.pastAnswer(m, e.ID, out)
		case m.Role == "toolResult":
			if c := t.tools[m.ToolCallID]; c != nil && !c.closed {
				t.toolEnd(c, &result{Content: m.Content}, m.IsError, m.DurationMs, out)
			}
		case m.Role == "bashExecution":
			data := &protocol.ToolCallData{ToolName: "bash", Status: protocol.ToolCompleted, ExitCode: m.ExitCode}
			if m.ExitCode != nil && *m.ExitCode != 0 {
				data.Status = protocol.ToolError
			}
			data.Command, _ = native.Cut(m.Command, t.spec.TextLimit())
			data.Output, data.Cut = native.Cut(m.Output, t.spec.TextLimit())
			t.pastEntry(protocol.EntryToolCall, data, e.ID, out)
		}
	}
	t.closeTools("left behind", out)
}

func (t *Translator) pastAnswer(m *message, id string, out *adapters.Output) {
	for _, c := range blocks(m.Content) {
		switch {
		case c.Type == "text" && c.Text != "":
			t.pastEntry(protocol.EntryAssistantMessage, t.textData(protocol.EntryAssistantMessage, c.Text), id, out)
		case c.Type == "thinking" && c.Thinking != "":
			t.pastEntry(protocol.EntryThinking, t.textData(protocol.EntryThinking, c.Thinking), id, out)
		case c.Type == "toolCall" && t.tools[c.ID] == nil:
			t.pastCall(&c, id, out)
		}
	}
}

func (t *Translator) pastCall(c *content, id string, out *adapters.Output) {
	call := &tool{key: t.entry(), limit: t.spec.TextLimit(), name: c.Name, id: c.ID, final: native.Compact(c.Arguments)}
	t.tools[c.ID] = call
	out.Draft(adapters.EntryOpened{Key: call.key, Type: protocol.EntryToolCall, Data: call.data(protocol.ToolPending), PersistentID: id})
}

// pastEntry is an entry of the past, whose id is known.
func (t *Translator) pastEntry(kind protocol.EntryType, data protocol.EntryData, id string, out *adapters.Output) {
	key := t.entry()
	out.Draft(adapters.EntryOpened{Key: key, Type: kind, Data: data, PersistentID: id})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}
