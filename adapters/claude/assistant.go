package claude

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// synthetic is the model of messages that Claude Code wrote itself.
const synthetic = "<synthetic>"

// assistant takes the final content of one block, or of a whole message that was not streamed.
func (t *Translator) assistant(line []byte, out *adapters.Output) {
	var e struct {
		UUID       string  `json:"uuid"`
		Message    message `json:"message"`
		Aborted    bool    `json:"aborted"`
		IsAPIError bool    `json:"is_api_error_message"`
	}
	_ = native.Decode(line, &e)
	if e.UUID != "" && e.UUID == t.last.assistant {
		return
	}
	t.last.assistant = e.UUID
	m := &e.Message
	list := blocks(m.Content)
	t.begin(out)
	if e.IsAPIError {
		t.turn.problem = native.Head(plain(list), maxNotice)
		return
	}
	t.phase(protocol.StateResponding, out)
	t.enter(m, out)
	t.turn.problem = ""
	t.turn.aborted = t.turn.aborted || e.Aborted
	for i := range list {
		switch c := &list[i]; {
		case c.Type == "text":
			t.finalText(protocol.EntryAssistantMessage, c.Text, e.Aborted, out)
		case c.Type == "thinking":
			t.finalText(protocol.EntryThinking, c.Thinking, e.Aborted, out)
		case c.isCall():
			t.finalCall(c, out)
		case c.isServerResult():
			t.serverResult(c, out)
		case c.Type == "redacted_thinking", c.Type == "fallback", c.Type == "container_upload":
			// Nothing that a reader could read.
		default:
			native.Keep("assistant."+c.Type, line, out)
		}
	}
}

// enter makes a message the one at work. One that was not streamed, such as the second attempt after an error inside the
// stream, begins with its first block.
func (t *Translator) enter(m *message, out *adapters.Output) {
	if t.spec.Child && m.Model != synthetic {
		t.tell(native.Told{Model: m.Model}, out)
	}
	switch {
	case m.ID == t.stream.id:
	case t.stream.id == "" && len(t.stream.blocks) > 0: // the beginning of the stream was lost
		t.stream.id = m.ID
	default:
		t.nextStream(m.ID, out)
	}
}

// streamed is the first streamed block of a kind whose final content has not come.
func (t *Translator) streamed(fits func(b *block) bool) *block {
	for _, i := range slices.Sorted(maps.Keys(t.stream.blocks)) {
		if b := t.stream.blocks[i]; !b.final && !b.closed && fits(b) {
			return b
		}
	}
	return nil
}

// finalText ends a text or thinking block. What it says wins over the sum of the deltas, where its entry has not ended before.
func (t *Translator) finalText(kind protocol.EntryType, text string, aborted bool, out *adapters.Output) {
	if b := t.streamed(func(b *block) bool { return b.kind == kind && b.ended.Is(text) }); b != nil {
		b.final = true
		return
	}
	b := t.streamed(func(b *block) bool { return b.kind == kind && !b.over() })
	if b == nil {
		if b = t.streamed(func(b *block) bool { return b.kind == kind }); b != nil {
			b.final = true
			native.Differs(text, t.spec.TextLimit(), out)
			return
		}
		b = &block{kind: kind}
	}
	b.final = true
	if b.key == 0 && text == "" {
		return
	}
	t.openText(b, out)
	closed := adapters.EntryClosed{Key: b.key, Data: t.textData(kind, text)}
	if aborted {
		closed.Incomplete, closed.Reason = true, "interrupted"
	}
	out.Draft(closed)
}

// finalCall takes a call whose arguments are complete: the tool runs, or waits for permission.
func (t *Translator) finalCall(c *content, out *adapters.Output) {
	if c.ID == "" {
		return
	}
	arguments := native.Compact(c.Input)
	b := t.streamed(func(b *block) bool { return b.call != nil && b.call.id == c.ID })
	if b == nil {
		if old := t.tools[c.ID]; old == nil || old.generation != t.stream.generation {
			t.openTool(c, arguments, out)
			t.todos(c, out)
		}
		return
	}
	b.final = true
	if call := b.call; !call.closed {
		call.final, call.running = arguments, true
		out.Draft(adapters.EntryChanged{Key: call.key, Delta: &protocol.StatusChange{Status: protocol.ToolRunning}})
	}
	t.todos(c, out)
}

// todos makes a plan entry of a list of things to do, which the agent writes whole each time. Lists that it changes item by
// item are tool calls and nothing else.
func (t *Translator) todos(c *content, out *adapters.Output) {
	if c.Name != "TodoWrite" {
		return
	}
	var input struct {
		Todos []struct {
			Content string `json:"content"`
			Status  string `json:"status"`
		} `json:"todos"`
	}
	if native.Decode(c.Input, &input) != nil || len(input.Todos) == 0 {
		return
	}
	plan := new(protocol.PlanData)
	left := t.spec.TextLimit()
	for _, todo := range input.Todos {
		step := protocol.PlanStep{Text: native.Head(todo.Content, left), Status: native.Head(todo.Status, maxTitle)}
		left -= len(step.Text)
		plan.Steps = append(plan.Steps, step)
	}
	t.whole(protocol.EntryPlan, plan, "", out)
}
