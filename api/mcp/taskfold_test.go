package mcp

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestTasksAreWhatTheLogSays of their prompt.
func TestTasksAreWhatTheLogSays(t *testing.T) {
	queued := func(id string) protocol.Payload { return &protocol.PromptQueued{PromptID: id} }
	gone := func(id string, r protocol.RemoveReason, failure string) protocol.Payload {
		return &protocol.PromptRemoved{PromptID: id, Reason: r, Error: failure}
	}
	turn := func(id, prompt string) protocol.Payload {
		return &protocol.TurnStart{TurnID: id, Prompt: &protocol.Prompt{PromptID: prompt}}
	}
	ended := func(id string, s protocol.TurnStatus) protocol.Payload {
		return &protocol.TurnEnd{TurnID: id, Status: s, Error: "why"}
	}
	said := func(text string) protocol.Payload {
		return &protocol.EntryEnd{EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{Role: "assistant", Text: text}}
	}
	asks := &protocol.RequestOpened{RequestID: "r1", Kind: protocol.RequestApproval}
	for name, c := range map[string]struct {
		log            []protocol.Payload
		status, answer string
	}{
		"waits":     {[]protocol.Payload{queued("p1")}, taskWorking, ""},
		"runs":      {[]protocol.Payload{queued("p1"), turn("t1", "p1"), said("so far")}, taskWorking, ""},
		"asks":      {[]protocol.Payload{queued("p1"), turn("t1", "p1"), asks}, taskInputRequired, ""},
		"answered":  {[]protocol.Payload{queued("p1"), turn("t1", "p1"), asks, &protocol.RequestResolved{RequestID: "r1"}}, taskWorking, ""},
		"done":      {[]protocol.Payload{queued("p1"), turn("t1", "p1"), said("a"), said("b"), ended("t1", protocol.TurnCompleted), said("later")}, taskCompleted, "b"},
		"failed":    {[]protocol.Payload{queued("p1"), turn("t1", "p1"), said("a"), ended("t1", protocol.TurnError)}, taskCompleted, "why"},
		"stopped":   {[]protocol.Payload{queued("p1"), turn("t1", "p1"), ended("t1", protocol.TurnInterrupted)}, taskCancelled, ""},
		"taken out": {[]protocol.Payload{turn("t1", "p0"), queued("p1"), gone("p1", protocol.RemovedCancelled, "")}, taskCancelled, ""},
		"refused":   {[]protocol.Payload{queued("p1"), gone("p1", protocol.RemovedCancelled, "no model")}, taskCompleted, "no model"},
		"steered": {[]protocol.Payload{
			turn("t1", "p0"), said("before"), queued("p1"), gone("p1", protocol.RemovedDispatched, ""), said("after"), ended("t1", protocol.TurnCompleted),
		}, taskCompleted, "after"},
		"steered, asks":     {[]protocol.Payload{turn("t1", "p0"), queued("p1"), gone("p1", protocol.RemovedDispatched, ""), asks}, taskInputRequired, ""},
		"another's request": {[]protocol.Payload{turn("t1", "p0"), asks, queued("p1")}, taskWorking, ""},
		"the session ended": {[]protocol.Payload{queued("p1"), &protocol.SessionEnd{Error: "killed"}}, taskCompleted, "The session has ended. killed"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &taskLog{promptID: "p1", epoch: 1}
			for i, p := range c.log {
				if f.state == "" { // as tasks.read does
					f.apply(&protocol.Event{Seq: uint64(i) + 1, Time: int64(i), Payload: p})
				}
			}
			w := f.wire("0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11.p1")
			if w.Status != c.status || (w.Result != nil) != (c.status == taskCompleted) || (len(w.InputRequests) > 0) != (c.status == taskInputRequired) {
				t.Errorf("%+v", w)
			}
			if text := f.answer + f.problem; w.Result != nil && f.problem == "" && text != c.answer || f.problem != "" && f.problem != c.answer {
				t.Errorf("answer %q, problem %q, want %q", f.answer, f.problem, c.answer)
			}
		})
	}
}
