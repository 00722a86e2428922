package codex

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// data is the content of an item's entry.
func (t *Translator) data(w *wireItem) protocol.EntryData {
	switch w.entryType() {
	case protocol.EntryUserMessage:
		var parts []userInput
		_ = native.Decode(w.Content, &parts)
		d := &protocol.MessageData{Role: "user", Images: t.pictures(w.ClientID, parts)}
		d.Text, d.Cut = native.Cut(joinInput(parts), t.limit)
		return d
	case protocol.EntryAssistantMessage:
		d := &protocol.MessageData{Role: "assistant"}
		d.Text, d.Cut = native.Cut(w.Text, t.limit)
		d.Extra = appendWord(d.Extra, "phase", w.Phase)
		d.Extra = appendWord(d.Extra, "delivery", w.Delivery) // async: questions that the agent does not wait for
		if q, err := protocol.Compact(w.Questions); err == nil && len(q) > 2 && q[0] == '[' && len(q) < maxQuestions {
			d.Extra = append(d.Extra, protocol.Member{Key: "questions", Value: q})
		}
		return d
	case protocol.EntryThinking:
		return t.thinking(w)
	case protocol.EntryPlan:
		d := &protocol.PlanData{}
		d.Text = native.CutMember(w.Text, "text", t.limit, &d.Extra)
		return d
	case protocol.EntryCompaction:
		return &protocol.CompactionData{} // Codex shows no summary
	case protocol.EntryToolCall:
		return t.toolCall(w)
	default:
		return t.remarkData(w)
	}
}

// maxQuestions bounds the questions that stand beside a message, in bytes.
const maxQuestions = 16 << 10

func (t *Translator) thinking(w *wireItem) *protocol.ThinkingData {
	var parts []string
	_ = native.Decode(w.Content, &parts)
	d := &protocol.ThinkingData{}
	d.Text, d.Cut = native.Cut(strings.Join(parts, ""), t.limit)
	left := t.limit
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
func (t *Translator) remarkData(w *wireItem) *protocol.SystemData {
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
	d.Text, d.Cut = native.Cut(said, t.limit)
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

// toolCall is the content of a tool call.
func (t *Translator) toolCall(w *wireItem) *protocol.ToolCallData {
	d := &protocol.ToolCallData{CallID: w.ID, DurationMs: w.DurationMs, Status: toolStatus(w.Status)}
	output := ""
	switch w.Type {
	case "commandExecution":
		d.ToolName, d.ExitCode, d.Cwd = shellTool, w.ExitCode, native.Head(w.Cwd, maxNoticed)
		d.Command = native.CutMember(w.Command, "command", t.limit, &d.Extra)
		if w.AggregatedOutput != nil {
			output = *w.AggregatedOutput
		}
	case "fileChange":
		d.ToolName = editTool
		diff.Set(d, t.unified(w.Changes), t.limit)
	case "mcpToolCall":
		d.ToolName = native.Head(w.Tool, maxTitle)
		d.Extra = appendWord(d.Extra, "server", w.Server)
		d.Arguments = native.Compact(w.Arguments)
		output = mcpOutput(w)
	case "dynamicToolCall":
		d.ToolName, d.Arguments, output = native.Head(w.Tool, maxTitle), native.Compact(w.Arguments), joinInput(w.ContentItems)
		if w.Success != nil && !*w.Success {
			d.Status = protocol.ToolError
		}
	case "webSearch":
		d.ToolName = "web_search"
		if d.Arguments = native.Compact(w.Action); w.Query == "" || text(w.Action, "type") == "" || text(w.Action, "type") == "other" {
			d.Arguments = objectOf("query", w.Query)
		}
	case "imageView":
		d.ToolName, d.Arguments = "view_image", objectOf("path", w.Path)
	case "imageGeneration":
		d.ToolName, d.Arguments = "image_generation", objectOf("prompt", w.RevisedPrompt)
	case "sleep":
		d.ToolName = "sleep"
	case "collabAgentToolCall":
		d.ToolName, d.Arguments = native.Head(w.Tool, maxTitle), objectOf("prompt", w.Prompt)
		output = agentStates(w)
	}
	d.Arguments = native.CutMember(d.Arguments, "arguments", t.limit, &d.Extra)
	d.Output, d.Cut = native.Cut(output, t.limit)
	if w.Status == "declined" {
		d.Extra = appendWord(d.Extra, "outcome", w.Status)
	}
	return d
}

// The names of Codex's own tools that have one form for all models.
const (
	shellTool = "shell"
	editTool  = "file_edit"
)

// toolStatus maps the status of an item. Items without one are told of when they are over, or while they run.
func toolStatus(status string) protocol.ToolStatus {
	switch status {
	case "failed", "declined", "interrupted", "error":
		return protocol.ToolError
	case "inProgress", "in_progress", "generating":
		return protocol.ToolRunning
	}
	return protocol.ToolCompleted
}

// objectOf is an object with one member that is a text; empty where there is none.
func objectOf(key, text string) string {
	if text == "" {
		return ""
	}
	return string(encode(map[string]string{key: text}))
}

// mcpOutput is what an MCP tool gave: its texts, or why it failed.
func mcpOutput(w *wireItem) string {
	var result struct {
		Content []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		} `json:"content"`
	}
	_ = native.Decode(w.Result, &result)
	var texts []string
	for _, c := range result.Content {
		switch {
		case c.Type == "text":
			texts = append(texts, c.Text)
		case c.Type != "":
			texts = append(texts, "["+c.Type+"]")
		}
	}
	if w.Error != nil && w.Error.Message != "" {
		texts = append(texts, w.Error.Message)
	}
	return strings.Join(texts, "\n")
}

// agentStates is what a collaboration tool says of the agents that it was about.
func agentStates(w *wireItem) string {
	var b strings.Builder
	for _, id := range slices.Sorted(maps.Keys(w.AgentStates)) {
		s := w.AgentStates[id]
		b.WriteString(strings.TrimSpace(id + " " + s.Status + " " + s.Message))
		b.WriteByte('\n')
	}
	return b.String()
}
