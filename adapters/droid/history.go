package droid

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// missed says what the agent's session has and the log has not: messages behind the last one that is in the log, which came while
// nobody listened. They belong to no turn. Where the log knows none of the messages, all of them are history, which is said only where it is
// asked for.
func (t *Translator) missed(messages []message, out *adapters.Output) {
	last := -1
	for i, m := range messages {
		if slices.Contains(t.spec.Known, m.ID) {
			last = i
		}
	}
	if last < 0 && !t.spec.Recall {
		return
	}
	results := map[string]*content{}
	var news []message
	for _, m := range messages[last+1:] {
		if m.Visibility != "" && m.Visibility != "both" {
			continue
		}
		news = append(news, m)
		list := blocks(m.Content)
		for i := range list {
			if list[i].Type == "tool_result" {
				results[list[i].ToolUseID] = &list[i]
			}
		}
	}
	for _, m := range news {
		t.missedMessage(&m, results, out)
	}
}

func (t *Translator) missedMessage(m *message, results map[string]*content, out *adapters.Output) {
	list := blocks(m.Content)
	if m.Role == "user" {
		if text := plain(list); text != "" {
			data := &protocol.MessageData{Role: "user"}
			data.Text, data.Cut = native.Cut(text, t.spec.TextLimit())
			t.whole(protocol.EntryUserMessage, data, m.ID, out)
		}
		return
	}
	if m.Role != "assistant" {
		return
	}
	for i := range list {
		switch c := &list[i]; {
		case c.Type == "text" && c.Text != "":
			t.whole(protocol.EntryAssistantMessage, t.textData(protocol.EntryAssistantMessage, c.Text), m.ID, out)
		case c.Type == "thinking" && c.Thinking != "":
			t.whole(protocol.EntryThinking, t.textData(protocol.EntryThinking, c.Thinking), m.ID, out)
		case c.Type == "tool_use":
			t.missedTool(c, m.ID, results[c.ID], out)
		}
	}
}

// missedTool says a call; without a result it was left behind.
func (t *Translator) missedTool(c *content, message string, result *content, out *adapters.Output) {
	call := &tool{limit: t.spec.TextLimit(), key: t.entry(), name: c.Name, id: c.ID, arguments: native.Compact(c.Input)}
	out.Draft(adapters.EntryOpened{
		Key: call.key, Type: protocol.EntryToolCall, Data: call.data(protocol.ToolPending), PersistentID: message,
	})
	if result == nil {
		out.Draft(adapters.EntryClosed{Key: call.key, Data: call.data(protocol.ToolError), Incomplete: true, Reason: "agent lost"})
		return
	}
	out.Draft(adapters.EntryClosed{Key: call.key, Data: call.result(result)})
}
