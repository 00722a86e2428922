package codex

import (
	"encoding/json"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// data is the content of an item's entry. pictures are references of the images in it.
func (e *entries) data(w *wireItem, pictures []string) protocol.EntryData {
	switch w.entryType() {
	case protocol.EntryUserMessage:
		var parts []userInput
		_ = native.Decode(w.Content, &parts)
		d := &protocol.MessageData{Role: "user", Images: pictures}
		d.Text, d.Cut = native.Cut(joinInput(parts), e.limit)
		return d
	case protocol.EntryAssistantMessage:
		d := &protocol.MessageData{Role: "assistant"}
		d.Text, d.Cut = native.Cut(w.Text, e.limit)
		d.Extra = appendWord(d.Extra, "phase", w.Phase)
		d.Extra = appendWord(d.Extra, "delivery", w.Delivery) // async: questions that the agent does not wait for
		if q, err := protocol.Compact(w.Questions); err == nil && len(q) > 2 && q[0] == '[' && len(q) < maxQuestions {
			d.Extra = append(d.Extra, protocol.Member{Key: "questions", Value: q})
		}
		return d
	case protocol.EntryThinking:
		return thinking(w, e.limit)
	case protocol.EntryPlan:
		d := &protocol.PlanData{}
		d.Text = native.CutMember(w.Text, "text", e.limit, &d.Extra)
		return d
	case protocol.EntryCompaction:
		return &protocol.CompactionData{} // Codex shows no summary
	case protocol.EntryToolCall:
		return toolCall(w, e.folder, e.limit)
	default:
		return remarkData(w, e.limit)
	}
}

// maxQuestions bounds the questions that stand beside a message, in bytes.
const maxQuestions = 16 << 10

func thinking(w *wireItem, limit int) *protocol.ThinkingData {
	var parts []string
	_ = native.Decode(w.Content, &parts)
	d := &protocol.ThinkingData{}
	d.Text, d.Cut = native.Cut(strings.Join(parts, ""), limit)
	left := limit
	for _, s := range w.Summary[:min(len(w.Summary), maxSummaries)] {
		part := native.Head(s, left)
		d.Summary = append(d.Summary, part)
		if left -= len(part); len(part) < len(s) {
			d.Extra = append(d.Extra, protocol.Member{Key: "summaryTruncated", Value: []byte("true")})
			break
		}
	}
	return d
}

// remarkData is the content of a system entry.
func remarkData(w *wireItem, limit int) *protocol.SystemData {
	d := &protocol.SystemData{Level: "info"}
	said := ""
	switch w.Type {
	case "subAgentActivity":
		d.Kind, said = "sub_agent", strings.TrimSpace(w.Kind+" "+w.AgentPath)
	case "enteredReviewMode":
		d.Kind, said = "review_entered", w.Review
	case "exitedReviewMode":
		d.Kind, said = "review_exited", w.Review
	case "hookPrompt":
		d.Kind = "hook_prompt"
		for _, f := range w.Fragments {
			said += f.Text
		}
	case "functionCallOutput":
		d.Kind, said = "function_output", w.Name+": "+outputText(w.Output)
	}
	d.Text, d.Cut = native.Cut(said, limit)
	return d
}

// outputText reads an output that is a text or a list of parts.
func outputText(raw json.RawMessage) string {
	if s := native.Text(raw); s != "" {
		return s
	}
	var parts []userInput
	_ = native.Decode(raw, &parts)
	return joinInput(parts)
}

// appendWord adds a member that is a word, where there is one.
func appendWord(beside []protocol.Member, key, word string) []protocol.Member {
	if word == "" {
		return beside
	}
	return append(beside, protocol.Member{Key: key, Value: encode(native.Head(word, maxTitle))})
}

// addExtra marks an entry.
func addExtra(data protocol.EntryData, extra []protocol.Member) {
	switch d := data.(type) {
	case *protocol.MessageData:
		d.Extra = append(d.Extra, extra...)
	case *protocol.ThinkingData:
		d.Extra = append(d.Extra, extra...)
	case *protocol.PlanData:
		d.Extra = append(d.Extra, extra...)
	case *protocol.ToolCallData:
		d.Extra = append(d.Extra, extra...)
	case *protocol.ToolResultData, *protocol.CompactionData, *protocol.SystemData, *protocol.UnknownData:
	}
}
