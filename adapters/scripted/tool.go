package scripted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// tools calls tools, one at a time.
type tools struct {
	out     *output
	in      *input
	talk    *talk
	dialogs dialogs
	texts   texts
	server  *mcpServer // that the agent was given; nil: none

	count   int            // calls so far, for their ids
	running *toolCallBlock // nil: none
	said    string         // its output so far
}

// outcome is how a call of a tool ended.
type outcome struct {
	text       string
	failed     bool
	ran        bool // it was executed, as far as anything is here
	structured *structured
}

// call calls a tool, and gives the steps that follow the user's answer where one was asked for.
func (t *tools) call(s Tool) (then []Step, err error) {
	call := toolCallBlock{Type: "toolCall", ID: s.ID, Name: s.Name, Arguments: t.texts.fillJSON(s.Args)}
	err = t.carryOut(call, func(call toolCallBlock) (outcome, error) {
		if !s.Approve {
			return t.pretend(call, s)
		}
		r, err := t.approve(call)
		switch {
		case err != nil:
			return outcome{text: "Operation aborted", failed: true}, err
		case r.no:
			then = s.Denied
			return outcome{text: "The user did not allow this call.", failed: true}, nil
		}
		then = s.Allowed
		return t.pretend(call, s)
	})
	return then, err
}

// ask asks the user inside of a call, and gives the steps that follow the answer.
func (t *tools) ask(s Ask) (then []Step, err error) {
	name := s.Name
	if name == "" {
		name = "ask_user"
	}
	args := encode(struct {
		Question string   `json:"question"`
		Options  []string `json:"options,omitempty"`
	}{t.texts.fill(s.Title), s.Options})
	err = t.carryOut(toolCallBlock{Type: "toolCall", Name: name, Arguments: args}, func(toolCallBlock) (outcome, error) {
		r, err := t.dialogs.ask(dialogRequest{Method: s.Method, Title: t.texts.fill(s.Title), Message: t.texts.fill(s.Message), Options: s.Options})
		if err != nil {
			return outcome{text: "Operation aborted", failed: true}, err
		}
		then = s.Else
		o := outcome{text: "The user did not answer.", ran: true}
		if !r.no {
			if s.Method == "confirm" {
				r.value = "yes"
			}
			then = s.Then
			o.text = "answer: " + r.value
		}
		t.texts.answered(r.value)
		return o, nil
	})
	return then, err
}

// approve asks for an approval in the way of the gate extension: the title names the call.
func (t *tools) approve(call toolCallBlock) (reply, error) {
	r, err := t.dialogs.ask(dialogRequest{Method: "confirm", Title: "approve:" + call.ID, Message: string(encode(struct {
		ToolCallID string          `json:"toolCallId"`
		ToolName   string          `json:"toolName"`
		Input      json.RawMessage `json:"input"`
	}{call.ID, call.Name, call.Arguments}))})
	t.texts.answered(r.value)
	return r, err
}

// carryOut ends the open message with a call, executes that and says its result.
func (t *tools) carryOut(call toolCallBlock, execute func(toolCallBlock) (outcome, error)) error {
	t.count++
	if call.ID == "" {
		call.ID = fmt.Sprintf("call_%d", t.count)
	}
	_, i := t.talk.beginBlock("toolcall", call)
	err := t.talk.pieces(string(call.Arguments), Pace{Chunk: max(20, len(call.Arguments)/20)}, func(piece string) {
		t.talk.update(blockUpdate{Type: "toolcall_delta", ContentIndex: i, Delta: &piece})
	})
	if err != nil {
		return err
	}
	message := t.talk.endMessage("toolUse")

	t.running, t.said = &call, ""
	began := time.Now()
	t.out.emit(toolStart{Type: "tool_execution_start", ToolCallID: call.ID, ToolName: call.Name, Args: call.Arguments})
	o, err := execute(call)
	if _, exiting := errors.AsType[*exitError](err); exiting {
		return err // the tool stays open: keep closes it
	}
	t.running = nil
	t.finish(call, o, time.Since(began), err != nil)
	t.talk.endRound(message)
	return err
}

// callServer calls a tool of the MCP server. Commands are taken while it runs, and an abort ends the call.
func (t *tools) callServer(s MCP) error {
	call := toolCallBlock{Type: "toolCall", Name: s.Tool, Arguments: t.texts.fillJSON(s.Args)}
	return t.carryOut(call, func(call toolCallBlock) (outcome, error) {
		if t.server == nil {
			return outcome{text: "This session was given no MCP server.", failed: true}, nil
		}
		ctx, cancel := context.WithTimeout(context.Background(), t.server.timeout)
		var result *mcpResult
		over := make(chan time.Time)
		go func() { // ends with the call, which ends with ctx
			defer close(over)
			result = t.server.call(ctx, call.Name, call.Arguments)
		}()
		err := t.in.until(over)
		cancel()
		<-over
		if err != nil {
			return outcome{text: "Operation aborted", failed: true, ran: true}, err
		}
		t.texts.keep(s.As, result.value())
		return outcome{text: result.text(), failed: result.IsError, ran: true}, nil
	})
}

// finish says the end of a call and its result.
func (t *tools) finish(call toolCallBlock, o outcome, took time.Duration, aborted bool) {
	m := toolResult(call, o.text, o.failed)
	if o.ran {
		m.DurationMs = ptr(took.Milliseconds())
	}
	if o.failed && (aborted || !o.ran) {
		m.Details = json.RawMessage("{}")
	}
	t.out.emit(toolEnd{
		Type: "tool_execution_end", ToolCallID: call.ID, ToolName: call.Name, IsError: o.failed, DurationMs: m.DurationMs,
		Result: toolOutput{Content: m.Content, Details: m.Details, Structured: o.structured, IsError: o.failed && o.structured != nil},
	})
	t.talk.result(encode(m))
}

func toolResult(call toolCallBlock, text string, failed bool) toolResultMessage {
	return toolResultMessage{
		Role: "toolResult", ToolCallID: call.ID, ToolName: call.Name, Content: []textBlock{{"text", text}}, IsError: failed,
		Timestamp: now(),
	}
}

// keep puts the result of a call that still runs into the session, and says nothing.
func (t *tools) keep() {
	if t.running != nil {
		t.talk.record(encode(toolResult(*t.running, t.said+"\n\nCommand aborted", true)))
	}
}

// pretend streams the output that the script has. Each update repeats all of it, as Pi's do.
func (t *tools) pretend(call toolCallBlock, s Tool) (outcome, error) {
	update := func(out toolOutput) {
		t.out.emit(toolUpdate{Type: "tool_execution_update", ToolCallID: call.ID, ToolName: call.Name, Args: call.Arguments, PartialResult: out})
	}
	update(toolOutput{Content: []textBlock{}})
	began := time.Now()
	said := ""
	for i := 0; i <= len(s.Output); i++ {
		if err := t.in.wait(time.Duration(s.Every)); err != nil {
			return outcome{text: said + "\n\nCommand aborted", failed: true, ran: true}, err
		}
		if i < len(s.Output) {
			said += t.texts.fill(s.Output[i])
			t.said = said
			update(toolOutput{Content: []textBlock{{"text", said}}, Details: json.RawMessage("{}")})
		}
	}
	o := outcome{text: said, failed: s.Error != "" || s.Exit != 0, ran: true}
	if s.Exit != 0 {
		o.text = fmt.Sprintf("%s\n\nCommand exited with code %d", said, s.Exit)
	}
	if s.Name == "bash" {
		o.structured = &structured{Output: said, ExitCode: s.Exit, Seconds: time.Since(began).Round(100 * time.Millisecond).Seconds()}
	}
	if s.Error != "" {
		o.text, o.structured = t.texts.fill(s.Error), nil
	}
	return o, nil
}
