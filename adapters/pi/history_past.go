package pi

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxPast is how many entries of an earlier conversation are said, the newest.
const maxPast = 4000

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
func past(entries []storedWire, c *content, out *adapters.Output) {
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
			data.Summary, data.Cut = native.Cut(e.Summary, c.entries.limit)
			c.entries.past(protocol.EntryCompaction, data, e.ID, out)
		case m.Role == "user":
			if list := blocks(m.Content); plain(list) != "" {
				data := &protocol.MessageData{Role: "user"}
				data.Text, data.Cut = native.Cut(plain(list), c.entries.limit)
				c.entries.past(protocol.EntryUserMessage, data, e.ID, out)
			}
		case m.Role == "assistant":
			pastAnswer(m, e.ID, c, out)
		case m.Role == "toolResult":
			c.result(m, out)
		case m.Role == "bashExecution":
			data := &protocol.ToolCallData{ToolName: "bash", Status: protocol.ToolCompleted, ExitCode: m.ExitCode}
			if m.ExitCode != nil && *m.ExitCode != 0 {
				data.Status = protocol.ToolError
			}
			data.Command, _ = native.Cut(m.Command, c.entries.limit)
			data.Output, data.Cut = native.Cut(m.Output, c.entries.limit)
			c.entries.past(protocol.EntryToolCall, data, e.ID, out)
		}
	}
	c.leaveTools("left behind", out)
}

func pastAnswer(m *message, id string, c *content, out *adapters.Output) {
	for _, b := range blocks(m.Content) {
		switch {
		case b.Type == "text" && b.Text != "":
			c.entries.past(protocol.EntryAssistantMessage, c.entries.data(protocol.EntryAssistantMessage, b.Text), id, out)
		case b.Type == "thinking" && b.Thinking != "":
			c.entries.past(protocol.EntryThinking, c.entries.data(protocol.EntryThinking, b.Thinking), id, out)
		case b.Type == "toolCall" && c.tools.calls[b.ID] == nil:
			c.tools.past(c.entries.keys.Next(), &b, id, out)
		}
	}
}
