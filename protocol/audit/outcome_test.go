package audit_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/audit"
)

// TestOutcomeChecks shows the rule of lost turns what must never be shown.
//
// Proves: I10.4/lost
func TestOutcomeChecks(t *testing.T) {
	for name, c := range map[string]struct {
		end   protocol.TurnEnd
		items []protocol.SessionEvent
		wrong string
	}{
		"lost": {
			protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseLost},
			[]protocol.SessionEvent{
				{Type: protocol.ItemMessage, TurnID: "t1"},
				{Type: protocol.ItemError, TurnID: "t1", Outcome: protocol.ItemFailed, Reason: protocol.CauseLost},
				{Type: protocol.ItemStatus, Text: "failed"},
				{Type: protocol.ItemStatus, Text: "idle"},
			},
			"",
		},
		"lost, completed": {
			protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseLost},
			[]protocol.SessionEvent{{Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemInterrupted, Reason: protocol.CauseLost}},
			"item 0 is completion",
		},
		"lost, both": {
			protocol.TurnEnd{Status: protocol.TurnError, Cause: protocol.CauseLost},
			[]protocol.SessionEvent{
				{Type: protocol.ItemCompletion, TurnID: "t1"},
				{Type: protocol.ItemError, TurnID: "t1", Outcome: protocol.ItemFailed, Reason: protocol.CauseLost},
			},
			"item 0 is completion",
		},
		"lost, then idle": {
			protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseLost},
			[]protocol.SessionEvent{
				{Type: protocol.ItemError, TurnID: "t1", Outcome: protocol.ItemFailed, Reason: protocol.CauseLost}, {Type: protocol.ItemStatus, Text: "idle"},
			},
			"the next status says idle",
		},
		"lost, nothing": {protocol.TurnEnd{Status: protocol.TurnError, Cause: protocol.CauseLost}, nil, "0 items end it"},
		"interrupted": {
			protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseUser},
			[]protocol.SessionEvent{{Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemInterrupted, Reason: protocol.CauseUser}},
			"",
		},
		"interrupted, why?": {
			protocol.TurnEnd{Status: protocol.TurnInterrupted, Cause: protocol.CauseDaemon},
			[]protocol.SessionEvent{{Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemInterrupted}},
			"item 0 is completion",
		},
		"completed": {
			protocol.TurnEnd{Status: protocol.TurnCompleted},
			[]protocol.SessionEvent{{Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemCompleted}},
			"",
		},
		"completed twice": {
			protocol.TurnEnd{Status: protocol.TurnCompleted},
			[]protocol.SessionEvent{
				{Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemCompleted}, {Type: protocol.ItemCompletion, TurnID: "t1", Outcome: protocol.ItemCompleted},
			},
			"2 items end it",
		},
	} {
		c.end.TurnID = "t1"
		log := []protocol.Event{{Payload: &protocol.TurnStart{TurnID: "t1", Prompt: &protocol.Prompt{PromptID: "p1"}}}, {Payload: &c.end}}
		got := ""
		for _, o := range audit.Outcomes(log) {
			if err := o.Items(c.items); err != nil {
				got = err.Error()
			}
		}
		if (got == "") != (c.wrong == "") || !strings.Contains(got, c.wrong) {
			t.Errorf("%s: %q, want %q", name, got, c.wrong)
		}
	}
	lost := audit.Outcome{TurnID: "t1", PromptID: "p1", Want: protocol.ItemFailed, Cause: protocol.CauseLost}
	for _, status := range []string{"cancelled", "completed", "working"} {
		if lost.Task(status, false) == nil {
			t.Errorf("a task that is %s was taken for a lost turn's", status)
		}
	}
	if err := lost.Task("failed", false); err != nil {
		t.Error(err)
	}
	for _, outcome := range []string{"completed", "interrupted", "waiting", "working", ""} {
		if lost.Result(outcome, "agent exited: signal killed") == nil {
			t.Errorf("a call that says %q was taken for a lost turn's", outcome)
		}
	}
	if lost.Result("failed", "") == nil {
		t.Error("nobody said why it failed")
	}
	if err := lost.Result("failed", "agent exited: signal killed"); err != nil {
		t.Error(err)
	}
}
