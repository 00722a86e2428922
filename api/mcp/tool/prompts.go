package tool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// queue has the prompts that wait.
type queue struct{ door *control.Door }

type promptsInput struct {
	SessionID string `json:"session_id" jsonschema:"the session, as session_message or session_list gives it"`
	Action    string `json:"action,omitempty" enum:"list,cancel,move" jsonschema:"list (the default) shows what waits; cancel takes a prompt out; move gives it another place"`
	PromptID  string `json:"prompt_id,omitempty" jsonschema:"of cancel and move: the prompt; of list: show this one alone, with more of its text"`
	Before    string `json:"before,omitempty" jsonschema:"of move: the prompt that it shall stand before"`
	Position  int    `json:"position,omitempty" minimum:"1" jsonschema:"of move, instead of before: its new place, from 1; beyond the end: the last"`
	From      int    `json:"from,omitempty" minimum:"0" jsonschema:"of list with prompt_id: the byte of its text to read on from"`
	Cursor    string `json:"cursor,omitempty" jsonschema:"of list: next_cursor of the page before"`
	call.Once
}

func (in *promptsInput) lists() bool { return in.Action == "" || in.Action == "list" }

// About is for calls with a key.
func (in *promptsInput) About() call.About {
	return call.About{Session: in.SessionID, LookAt: "session_prompts with session_id " + in.SessionID, Reads: in.lists()}
}

type promptsOutput struct {
	NextCursor string          `json:"next_cursor,omitempty" jsonschema:"there are more: pass it as cursor"`
	HasMore    bool            `json:"has_more,omitempty" jsonschema:"there are more: pass next_cursor as cursor, or of one prompt from, counted on by the length of text"`
	Total      int             `json:"total" jsonschema:"so many wait, after the action"`
	Position   int             `json:"position,omitempty" jsonschema:"of move: the prompt's new place, from 1"`
	Prompts    []output.Prompt `json:"prompts" jsonschema:"that wait, in order, after the action"`
}

func (o *promptsOutput) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d prompts wait", o.Total)
	if o.Position > 0 {
		fmt.Fprintf(&b, "; the one that was moved has place %d", o.Position)
	}
	if o.NextCursor != "" {
		fmt.Fprintf(&b, "; there are more than these, from cursor %s on", o.NextCursor)
	}
	b.WriteString(".\n")
	for i := range o.Prompts {
		o.Prompts[i].Line(&b)
	}
	return b.String()
}

func (s *queue) addPrompts(to call.Set) {
	call.Add(to, &sdk.Tool{
		Name: "session_prompts", Title: "The queue of a session", Annotations: call.Changes,
		Description: "Lists the prompts that wait for the agent of a session, cancels one, or moves one to another place. A prompt that the agent has already is stopped with session_interrupt.",
	}, s.prompts)
}

func (s *queue) prompts(ctx context.Context, c *call.Call, in *promptsInput) (*promptsOutput, error) {
	if err := problem.CheckID(in.SessionID); err != nil {
		return nil, err
	}
	if in.Position < 0 || in.From < 0 {
		return nil, problem.Invalid("position and from are not negative.", "position begins with 1, from with 0.")
	}
	place := 0
	var err error
	switch in.Action {
	case "", "list":
	case "cancel":
		err = s.door.Cancel(ctx, in.SessionID, in.PromptID)
	case "move":
		if (in.Before == "") == (in.Position == 0) {
			err = problem.Invalid("move needs before or position, one of them.", "position counts from 1.")
			break
		}
		place, err = s.door.Move(ctx, in.SessionID, in.PromptID, control.Place{Before: in.Before, Position: in.Position})
	default:
		err = problem.Invalid("There is no such action.", "action is list, cancel or move.")
	}
	if err != nil {
		return nil, err
	}
	if !in.lists() {
		c.Acted()
	}
	d, err := s.door.Describe(ctx, in.SessionID)
	if err != nil {
		return nil, err
	}
	out := &promptsOutput{Total: len(d.Queue), Position: place, Prompts: []output.Prompt{}}
	if in.PromptID != "" && in.lists() {
		return out, out.one(d.Queue, in)
	}
	return out, out.page(d.Queue, in.Cursor)
}

// one shows a prompt with as much of its text as a result holds.
func (o *promptsOutput) one(queue []session.QueuedPrompt, in *promptsInput) error {
	i := slices.IndexFunc(queue, func(q session.QueuedPrompt) bool { return q.ID == in.PromptID })
	if i < 0 {
		return &protocol.Problem{
			Code: protocol.CodePromptNotFound, Detail: "No such prompt waits.", Hint: "It may have been dispatched: session_events has what was.",
		}
	}
	q := &queue[i]
	if in.From > len(q.Text) || in.From < len(q.Text) && !utf8.RuneStart(q.Text[in.From]) {
		return problem.Invalid("from is no place in the prompt's text.", "Count on by the bytes of text that came.")
	}
	for n := output.MaxResult / 2; ; n /= 2 { // JSON may be longer than the text
		if o.Prompts = []output.Prompt{output.PromptOf(q, in.From, n)}; output.SizeOf(o) <= output.MaxResult || n < utf8.UTFMax {
			o.HasMore = in.From+len(o.Prompts[0].Text) < len(q.Text)
			return nil
		}
	}
}

// page shows the prompts from one on, as many as a result holds.
func (o *promptsOutput) page(queue []session.QueuedPrompt, from string) error {
	first := 0
	if from != "" {
		if first = slices.IndexFunc(queue, func(q session.QueuedPrompt) bool { return q.ID == from }); first < 0 {
			return problem.Invalid("The prompt that the page begins with does not wait any more.", "Leave cursor out, to begin with the first.")
		}
	}
	size := 0
	for _, p := range output.PromptsOf(queue[first:], output.MaxLine) {
		if size += output.SizeOf(p) + 1; size > output.MaxResult-output.MaxLine && len(o.Prompts) > 0 {
			o.NextCursor, o.HasMore = p.PromptID, true
			return nil
		}
		o.Prompts = append(o.Prompts, p)
	}
	return nil
}
