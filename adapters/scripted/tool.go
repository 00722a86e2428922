package scripted

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// outcome is how a call of a tool ended.
type outcome struct {
	text       string
	failed     bool
	ran        bool // it was executed, as far as anything is here
	structured *structured
}

// callTool ends the open message with a call and runs it.
func (a *agent) callTool(t Tool) error {
	call := toolCallBlock{Type: "toolCall", ID: t.ID, Name: t.Name, Arguments: a.fillJSON(t.Args)}
	return a.call(call, func(call toolCallBlock) (outcome, error) {
		if t.Approve {
			switch ok, err := a.approved(call); {
			case err != nil:
				return outcome{text: "Operation aborted", failed: true}, err
			case !ok:
				return outcome{text: "The user did not allow this call.", failed: true}, nil
			}
		}
		return a.pretend(call, t)
	}, func() error {
		switch {
		case t.Approve && a.run.reply.no:
			return a.play(t.Denied)
		case t.Approve:
			return a.play(t.Allowed)
		}
		return nil
	})
}

// askUser asks inside of a call.
func (a *agent) askUser(q Ask) error {
	name := q.Name
	if name == "" {
		name = "ask_user"
	}
	args := encode(struct {
		Question string   `json:"question"`
		Options  []string `json:"options,omitempty"`
	}{a.fill(q.Title), q.Options})
	return a.call(toolCallBlock{Type: "toolCall", Name: name, Arguments: args}, func(toolCallBlock) (outcome, error) {
		err := a.dialog(dialogRequest{Method: q.Method, Title: a.fill(q.Title), Message: a.fill(q.Message), Options: q.Options})
		switch r := &a.run.reply; {
		case err != nil:
			return outcome{text: "Operation aborted", failed: true}, err
		case r.no:
			return outcome{text: "The user did not answer.", ran: true}, nil
		case q.Method == "confirm":
			r.value = "yes"
			fallthrough
		default:
			return outcome{text: "answer: " + r.value, ran: true}, nil
		}
	}, func() error {
		if a.run.reply.no {
			return a.play(q.Else)
		}
		return a.play(q.Then)
	})
}

// call says the call, runs it and says its result; then it goes on with the branch.
func (a *agent) call(call toolCallBlock, execute func(toolCallBlock) (outcome, error), then func() error) error {
	a.calls++
	if call.ID == "" {
		call.ID = fmt.Sprintf("call_%d", a.calls)
	}
	_, i := a.beginBlock("toolcall", call)
	err := a.pieces(string(call.Arguments), Pace{Chunk: max(20, len(call.Arguments)/20)}, func(piece string) {
		a.update(blockUpdate{Type: "toolcall_delta", ContentIndex: i, Delta: &piece})
	})
	if err != nil {
		return err
	}
	message := a.endMessage("toolUse")

	a.run.tool, a.run.toolSaid = &call, ""
	began := time.Now()
	a.emit(toolStart{Type: "tool_execution_start", ToolCallID: call.ID, ToolName: call.Name, Args: call.Arguments})
	o, err := execute(call)
	if _, exiting := errors.AsType[*exitError](err); exiting {
		return err // the tool stays open: keepPartial closes it
	}
	a.run.tool = nil
	a.finishTool(call, o, time.Since(began), err != nil)
	a.endRound(message)
	if err != nil {
		return err
	}
	return then()
}

// finishTool says the end of a call and its result.
func (a *agent) finishTool(call toolCallBlock, o outcome, took time.Duration, aborted bool) {
	m := a.toolResult(call, o.text, o.failed)
	if o.ran {
		m.DurationMs = ptr(took.Milliseconds())
	}
	if o.failed && (aborted || !o.ran) {
		m.Details = json.RawMessage("{}")
	}
	a.emit(toolEnd{
		Type: "tool_execution_end", ToolCallID: call.ID, ToolName: call.Name, IsError: o.failed, DurationMs: m.DurationMs,
		Result: toolOutput{Content: m.Content, Details: m.Details, Structured: o.structured, IsError: o.failed && o.structured != nil},
	})
	raw := encode(m)
	a.emit(messageEvent{"message_start", raw})
	a.record(raw)
	a.emit(messageEvent{"message_end", raw})
	a.run.results = append(a.run.results, raw)
}

func (a *agent) toolResult(call toolCallBlock, text string, failed bool) toolResultMessage {
	return toolResultMessage{
		Role: "toolResult", ToolCallID: call.ID, ToolName: call.Name, Content: []textBlock{{"text", text}}, IsError: failed,
		Timestamp: now(),
	}
}

// pretend streams the output that the script has. Each update repeats all of it, as Pi's do.
func (a *agent) pretend(call toolCallBlock, t Tool) (outcome, error) {
	update := func(out toolOutput) {
		a.emit(toolUpdate{Type: "tool_execution_update", ToolCallID: call.ID, ToolName: call.Name, Args: call.Arguments, PartialResult: out})
	}
	update(toolOutput{Content: []textBlock{}})
	began := time.Now()
	said := ""
	for i := 0; i <= len(t.Output); i++ {
		if err := a.wait(time.Duration(t.Every)); err != nil {
			return outcome{text: said + "\n\nCommand aborted", failed: true, ran: true}, err
		}
		if i < len(t.Output) {
			said += a.fill(t.Output[i])
			a.run.toolSaid = said
			update(toolOutput{Content: []textBlock{{"text", said}}, Details: json.RawMessage("{}")})
		}
	}
	o := outcome{text: said, failed: t.Error != "" || t.Exit != 0, ran: true}
	if t.Exit != 0 {
		o.text = fmt.Sprintf("%s\n\nCommand exited with code %d", said, t.Exit)
	}
	if t.Name == "bash" {
		o.structured = &structured{Output: said, ExitCode: t.Exit, Seconds: time.Since(began).Round(100 * time.Millisecond).Seconds()}
	}
	if t.Error != "" {
		o.text, o.structured = a.fill(t.Error), nil
	}
	return o, nil
}

// approved asks for an approval in the way of the gate extension: the title names the call.
func (a *agent) approved(call toolCallBlock) (bool, error) {
	err := a.dialog(dialogRequest{Method: "confirm", Title: "approve:" + call.ID, Message: string(encode(struct {
		ToolCallID string          `json:"toolCallId"`
		ToolName   string          `json:"toolName"`
		Input      json.RawMessage `json:"input"`
	}{call.ID, call.Name, call.Arguments}))})
	return err == nil && !a.run.reply.no, err
}

// dialog asks and waits for the answer. An abort waits with it.
func (a *agent) dialog(d dialogRequest) error {
	d.Type, d.ID = "extension_ui_request", a.uuid()
	a.run.dialog, a.run.replied = d.ID, false
	a.emit(d)
	for !a.run.replied {
		if err := a.listen(nil); err != nil {
			return err
		}
	}
	return a.interrupted()
}
