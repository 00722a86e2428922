package codex

import (
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// learn keeps what approvals and the end of the turn want to know of a tool call.
func (it *item) learn(w *wireItem) {
	switch w.Type {
	case "commandExecution", "fileChange", "mcpToolCall":
		it.wire = *w
		it.wire.AggregatedOutput = nil
	}
}

// runsOn says that a command lives on as a background terminal when its turn ends.
func (it *item) runsOn() bool {
	unified := it.wire.Source == "unifiedExecStartup" || it.wire.Source == "unifiedExecInteraction"
	return it.typ == "commandExecution" && it.asking == 0 && (unified || it.approved)
}

// processes are the server's names of the commands of a turn that would run on.
func (e *entries) processes(r *turn) (ids []string) {
	for _, it := range e.living() {
		if it.runsOn() && it.wire.ProcessID != "" && r.is(it.turn) {
			ids = append(ids, it.wire.ProcessID)
		}
	}
	slices.Sort(ids)
	return ids
}

// calledOf is the call of an MCP server's tool that runs, if only one does. tool is empty for any tool of that server.
func (e *entries) calledOf(server, tool string) (found *item) {
	for _, it := range e.living() {
		if it.typ != "mcpToolCall" || it.wire.Server != server || tool != "" && it.wire.Tool != tool {
			continue
		}
		if found != nil {
			return nil
		}
		found = it
	}
	return found
}

// patched takes a patch that changed while it waits for its approval.
func (e *entries) patched(params []byte) {
	var p struct {
		TurnID  string   `json:"turnId"`
		ItemID  string   `json:"itemId"`
		Changes []change `json:"changes"`
	}
	_ = native.Decode(params, &p)
	if it := e.find([]byte(p.TurnID), []byte(p.ItemID)); it != nil && it.typ == "fileChange" {
		it.wire.Changes = p.Changes
	}
}

// toolCall is the content of a tool call. folder is that of the thread.
func toolCall(w *wireItem, folder string, limit int) *protocol.ToolCallData {
	d := &protocol.ToolCallData{CallID: w.ID, DurationMs: w.DurationMs, Status: toolStatus(w.Status)}
	output := ""
	switch w.Type {
	case "commandExecution":
		d.ToolName, d.ExitCode, d.Cwd = shellTool, w.ExitCode, native.Head(w.Cwd, maxNoticed)
		d.Command = native.CutMember(w.Command, "command", limit, &d.Extra)
		if w.AggregatedOutput != nil {
			output = *w.AggregatedOutput
		}
	case "fileChange":
		d.ToolName = editTool
		diff.Set(d, unified(w.Changes, folder), limit)
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
	d.Arguments = native.CutMember(d.Arguments, "arguments", limit, &d.Extra)
	d.Output, d.Cut = native.Cut(output, limit)
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
