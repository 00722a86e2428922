package claude

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// past says the earlier conversation. It belongs to no turn of this log. Calls that got no result were left behind.
func past(lines [][]byte, c *content, out *adapters.Output) {
	if len(lines) >= maxPastLines {
		notice("warning", "history_gap", "The session is longer than what was read of it: its beginning is missing here.", out)
	}
	for _, line := range lines {
		var s stored
		if native.Decode(line, &s) != nil {
			continue
		}
		switch {
		case s.Type == "system":
			c.entries.whole(protocol.EntryCompaction, &protocol.CompactionData{}, s.UUID, 0, out)
		case s.Type == "assistant" && !s.APIError:
			pastAnswer(&s, c, out)
		case s.Type == "user":
			pastUser(&s, line, c, out)
		}
	}
	c.leaveTools("left behind", out)
}

func pastUser(s *stored, line []byte, c *content, out *adapters.Output) {
	if text := s.said(); text != "" {
		p := prompt{text: text}
		c.entries.whole(protocol.EntryUserMessage, p.message(c.entries.limit), s.UUID, 0, out)
		return
	}
	u := userLine{UUID: s.UUID, Message: s.Message}
	var more struct {
		Result json.RawMessage `json:"toolUseResult"`
	}
	_ = native.Decode(line, &more)
	u.Result = more.Result
	list := blocks(s.Message.Content)
	for i := range list {
		if list[i].Type == "tool_result" {
			c.toolResult(&list[i], &u, len(list) == 1, out)
		}
	}
}

func pastAnswer(s *stored, c *content, out *adapters.Output) {
	list := blocks(s.Message.Content)
	for i := range list {
		switch b := &list[i]; {
		case b.Type == "text" && b.Text != "" && s.Message.Model != synthetic:
			c.entries.whole(protocol.EntryAssistantMessage, c.entries.data(protocol.EntryAssistantMessage, b.Text), s.UUID, 0, out)
		case b.Type == "thinking" && b.Thinking != "":
			c.entries.whole(protocol.EntryThinking, c.entries.data(protocol.EntryThinking, b.Thinking), s.UUID, 0, out)
		case b.isCall():
			c.openTool(b, native.Compact(b.Input), 0, out)
		case b.isServerResult():
			c.serverResult(b, out)
		}
	}
}
