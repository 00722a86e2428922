package droid

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// history is what the agent's session had before the start.
type history struct {
	known  []string // ids of messages that the log has
	recall bool     // the log has nothing of the session, and is to have all of it
}

// missed says what the agent's session has and the log has not: messages behind the last one that is in the log, which came while
// nobody listened. They belong to no turn. Where the log knows none of the messages, all of them are history, which is said only where it is
// asked for.
func (h *history) missed(messages []message, c *content, out *adapters.Output) {
	last := -1
	for i, m := range messages {
		if slices.Contains(h.known, m.ID) {
			last = i
		}
	}
	if last < 0 && !h.recall {
		return
	}
	results := map[string]*contentWire{}
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
		past(&m, results, c, out)
	}
}

// past says one message. results are those of all calls.
func past(m *message, results map[string]*contentWire, c *content, out *adapters.Output) {
	list := blocks(m.Content)
	if m.Role == "user" {
		if text := plain(list); text != "" {
			c.entries.user(text, nil, m.ID, 0, out)
		}
		return
	}
	if m.Role != "assistant" {
		return
	}
	for i := range list {
		switch b := &list[i]; {
		case b.Type == "text" && b.Text != "":
			c.entries.said(protocol.EntryAssistantMessage, b.Text, m.ID, 0, out)
		case b.Type == "thinking" && b.Thinking != "":
			c.entries.said(protocol.EntryThinking, b.Thinking, m.ID, 0, out)
		case b.Type == "tool_use":
			c.tools.past(c.entries.keys.Next(), b, results[b.ID], m.ID, out)
		}
	}
}
