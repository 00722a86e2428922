package task

import (
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// about says that an event is about a prompt.
func about(id string) func(protocol.Payload) bool {
	return func(p protocol.Payload) bool {
		switch p := p.(type) {
		case *protocol.PromptQueued:
			return p.PromptID == id
		case *protocol.TurnStart:
			return p.Prompt.PromptID == id
		default:
			return false
		}
	}
}

// TestTasksAreWhatTheLogSays of their prompt.
// Proves: I10.2/tasks
func TestTasksAreWhatTheLogSays(t *testing.T) {
	queued := func(id string) protocol.Payload { return &protocol.PromptQueued{PromptID: id, Text: "text of " + id} }
	gone := func(id string, r protocol.RemoveReason, failure string) protocol.Payload {
		return &protocol.PromptRemoved{PromptID: id, Reason: r, Error: failure}
	}
	turn := func(id, prompt string) protocol.Payload {
		return &protocol.TurnStart{TurnID: id, Prompt: &protocol.Prompt{PromptID: prompt}}
	}
	ended := func(id string, s protocol.TurnStatus, c protocol.TurnCause) protocol.Payload {
		return &protocol.TurnEnd{TurnID: id, Status: s, Cause: c, Error: "why"}
	}
	begins := func(id string) protocol.Payload {
		return &protocol.EntryStart{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant"}}
	}
	ends := func(id, text string) protocol.Payload {
		return &protocol.EntryEnd{TurnID: "t1", EntryID: id, EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text}}
	}
	said := func(text string) protocol.Payload { return ends("e", text) }
	heard := func(text string) protocol.Payload {
		return &protocol.EntryStart{TurnID: "t1", EntryID: "u", EntryType: protocol.EntryUserMessage, Data: &protocol.MessageData{Role: "user", Text: text}}
	}
	steers := func(before ...protocol.Payload) []protocol.Payload {
		return append([]protocol.Payload{turn("t1", "p0")}, append(before, gone("p1", protocol.RemovedDispatched, ""))...)
	}
	over := func(r protocol.EndReason) protocol.Payload { return &protocol.SessionEnd{Reason: r, Error: "killed"} }
	asks := &protocol.RequestOpened{RequestID: "r1", TurnID: "t1", Kind: protocol.RequestApproval, Title: "May I?"}
	other := &protocol.RequestOpened{RequestID: "r2", TurnID: "t0", Kind: protocol.RequestApproval}
	runs := []protocol.Payload{queued("p1"), turn("t1", "p1")}
	after := func(list []protocol.Payload, more ...protocol.Payload) []protocol.Payload {
		return append(slices.Clone(list), more...)
	}
	for name, c := range map[string]struct {
		log          []protocol.Payload
		status, text string // of the result, of the error, or why
	}{
		"waits":             {[]protocol.Payload{queued("p1")}, Working, "The prompt waits in the queue."},
		"runs":              {after(runs, said("so far")), Working, ""},
		"asks":              {after(runs, asks), InputRequired, ""},
		"answered":          {after(runs, asks, &protocol.RequestResolved{RequestID: "r1"}), Working, ""},
		"done":              {after(runs, said("a"), said("b"), ended("t1", protocol.TurnCompleted, ""), said("later")), Completed, "b"},
		"said nothing":      {after(runs, ended("t1", protocol.TurnCompleted, "")), Completed, ""},
		"failed":            {after(runs, said("a"), ended("t1", protocol.TurnError, protocol.CauseAgent)), Completed, "why"},
		"lost, in error":    {after(runs, said("half"), ended("t1", protocol.TurnError, protocol.CauseLost)), Failed, "The agent was lost: why"},
		"lost, interrupted": {after(runs, said("half"), ended("t1", protocol.TurnInterrupted, protocol.CauseLost)), Failed, "The agent was lost: why"},
		"daemon ended":      {after(runs, ended("t1", protocol.TurnInterrupted, protocol.CauseDaemon)), Failed, "The turn was interrupted, for the daemon ended: why"},
		"stopped":           {after(runs, ended("t1", protocol.TurnInterrupted, protocol.CauseUser)), Cancelled, "The turn was interrupted by a client."},
		"stopped from above": {
			after(runs, ended("t1", protocol.TurnInterrupted, protocol.CauseParent)), Cancelled, "The turn was interrupted by the session that it works for.",
		},
		"stopped by itself": {after(runs, ended("t1", protocol.TurnInterrupted, protocol.CauseAgent)), Cancelled, "The turn was interrupted by the agent itself."},
		"taken out": {
			[]protocol.Payload{turn("t1", "p0"), queued("p1"), gone("p1", protocol.RemovedCancelled, "")}, Cancelled, "The prompt was taken out of the queue.",
		},
		"refused": {[]protocol.Payload{queued("p1"), gone("p1", protocol.RemovedCancelled, "no model")}, Completed, "The agent refused the prompt: no model"},
		"taken back with its turn": {
			[]protocol.Payload{turn("t1", "p0"), queued("p1"), gone("p1", protocol.RemovedCancelled, protocol.RemovedByInterrupt)},
			Cancelled, "The turn that the prompt was to go into was interrupted.",
		},
		"its agent is gone": {
			[]protocol.Payload{queued("p1"), gone("p1", protocol.RemovedCancelled, protocol.RemovedUnconnected)},
			Failed, "The agent was lost before it had the prompt: the sub-agent is not connected any more.",
		},
		"the session was ended": {
			[]protocol.Payload{queued("p1"), gone("p1", protocol.RemovedCancelled, protocol.RemovedByEnd), over(protocol.EndTerminated)},
			Cancelled, "The session has ended. killed",
		},
		"the session failed": {
			[]protocol.Payload{queued("p1"), gone("p1", protocol.RemovedCancelled, protocol.RemovedByEnd), over(protocol.EndError)},
			Failed, "The session has ended. killed",
		},
		"steered":                  {after(steers(said("before"), queued("p1")), said("after"), ended("t1", protocol.TurnCompleted, "")), Completed, "after"},
		"steered, no word after":   {after(steers(said("before"), queued("p1")), ended("t1", protocol.TurnCompleted, "")), Completed, ""},
		"steered into a message":   {after(steers(begins("e1"), queued("p1")), ends("e1", "before"), ended("t1", protocol.TurnCompleted, "")), Completed, ""},
		"steered, taken later":     {after(steers(queued("p1")), said("before"), heard("text of p1"), ended("t1", protocol.TurnCompleted, "")), Completed, ""},
		"steered, another's words": {after(steers(queued("p1")), said("after"), heard("text of p2"), ended("t1", protocol.TurnCompleted, "")), Completed, "after"},
		"steered, asks":            {after(steers(queued("p1")), asks), InputRequired, ""},
		"another turn's request":   {[]protocol.Payload{other, queued("p1"), turn("t1", "p1")}, Working, ""},
		"another's request":        {[]protocol.Payload{turn("t1", "p0"), asks, queued("p1")}, Working, "The prompt waits in the queue."},
		"another's turn ends":      {[]protocol.Payload{turn("t1", "p0"), queued("p1"), said("not its own"), ended("t1", protocol.TurnCompleted, "")}, Working, "The prompt waits in the queue."},
		"long": {
			after(runs, said(strings.Repeat("x", 20_000)), ended("t1", protocol.TurnCompleted, "")), Completed, strings.Repeat("x", protocol.BriefMessage),
		},
		"its beginning was dropped": {
			[]protocol.Payload{turn("t1", "p1"), said("a"), ended("t1", protocol.TurnCompleted, "")}, Completed, "a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := &taskLog{promptID: "p1", epoch: 1}
			for i, p := range c.log {
				if f.state == "" { // as Tasks.read does
					f.apply(&protocol.Event{Seq: uint64(i) + 1, Time: int64(i), Payload: p})
				}
			}
			if !f.seen {
				t.Error("there is no such task")
			}
			w := f.wire("0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11.p1", true)
			text := w.StatusMessage
			switch {
			case w.Result != nil:
				text = w.Result.Content[0].(*sdk.TextContent).Text
			case w.Error != nil:
				text = w.Error.Message
			}
			if w.Status != c.status || text != c.text {
				t.Errorf("%s: %q, want %s: %q", w.Status, text, c.status, c.text)
			}
			if (w.Result != nil) != (w.Status == Completed) || (w.Error != nil) != (w.Status == Failed) || (len(w.InputRequests) > 0) != (w.Status == InputRequired) {
				t.Errorf("%+v", w)
			}
			if w.Result != nil {
				out := w.Result.StructuredContent.(output.Message)
				if want := slices.IndexFunc(c.log, about("p1")) - 1; out.LastEventIndex != want {
					t.Errorf("behind index %d, want %d", out.LastEventIndex, want)
				}
				if (out.Outcome == output.Failed) != f.failed || !f.failed && out.Outcome != output.Completed || (out.Bytes > 0) != (f.length > len(f.answer)) {
					t.Errorf("%+v", out)
				}
				if rest := len(w.Result.Content) > 1; rest != (out.Bytes > 0) || rest && !strings.Contains(w.Result.Content[1].(*sdk.TextContent).Text, "session_text with entry_id e ") {
					t.Errorf("%d contents", len(w.Result.Content))
				}
			}
			if w.Result != nil && (w.Result.ResultType != "complete" || w.Result.IsError != f.failed) {
				t.Errorf("%+v", w.Result)
			}
			if w := f.wire(w.TaskID, false); c.status == InputRequired && (w.Status != Working || !strings.Contains(w.StatusMessage, "session_answer") || w.InputRequests != nil) {
				t.Errorf("to a client without forms: %+v", w)
			}
		})
	}
}
