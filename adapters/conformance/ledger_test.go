package conformance_test

import (
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

var (
	message  = &protocol.MessageData{Role: "assistant"}
	call     = &protocol.ToolCallData{ToolName: "bash", CallID: "c", Status: protocol.ToolPending}
	text1    = adapters.EntryOpened{Key: 1, Type: protocol.EntryAssistantMessage, Data: message}
	tool1    = adapters.EntryOpened{Key: 1, Type: protocol.EntryToolCall, Data: call}
	thought1 = adapters.EntryOpened{Key: 1, Type: protocol.EntryThinking, Data: &protocol.ThinkingData{}}
	summary1 = adapters.EntryChanged{Key: 1, Delta: &protocol.SummaryAppend{Text: "x"}}
	text2    = adapters.EntryOpened{Key: 2, Type: protocol.EntryAssistantMessage, Data: message}
	call2    = adapters.EntryOpened{Key: 2, Type: protocol.EntryToolCall, Data: call}
	close1   = adapters.EntryClosed{Key: 1, Data: message}
	append1  = adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: "x"}}
	began    = adapters.TurnBegan{}
	ended    = adapters.TurnEnded{Status: protocol.TurnCompleted}
	approval = adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{
		Kind: protocol.RequestApproval, ToolKind: protocol.ToolEdit, Options: []protocol.Option{{ID: protocol.AllowOnce}},
	}}
	answered = adapters.RequestClosed{Key: 1, Outcome: protocol.OutcomeAllowed}
)

// asks is an approval with these answers to choose.
func asks(kind protocol.ToolKind, options ...string) adapters.RequestOpened {
	r := adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{Kind: protocol.RequestApproval, ToolKind: kind}}
	for _, o := range options {
		r.Request.Options = append(r.Request.Options, protocol.Option{ID: o})
	}
	return r
}

// changes is an approval with a diff.
func changes(text, diff string, bytes int64) adapters.RequestOpened {
	r := approval
	r.Request.Text, r.Request.Diff, r.Request.DiffBytes, r.Request.DiffTruncated = text, diff, bytes, bytes > 0
	return r
}

func about(e adapters.EntryKey) adapters.RequestOpened { r := approval; r.Entry = e; return r }

// TestLedger gives sequences of drafts; all but the last one of a bad sequence keep the rules.
func TestLedger(t *testing.T) {
	type seq = []adapters.Draft
	long := strings.Repeat("x", adapters.MaxText+1)
	const patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	for _, c := range []struct {
		name   string
		drafts seq
		bad    bool
	}{
		{"a text", seq{began, text1, append1, close1, adapters.EntryBound{Key: 1, PersistentID: "p"}, ended}, false},
		{"a request", seq{began, tool1, about(1), answered, ended}, false},
		{"a turn that leaves things open", seq{began, text1, approval, ended, began}, false},
		{"a change after the end", seq{text1, close1, append1}, true},
		{"a change after the turn", seq{began, text1, ended, append1}, true},
		{"a change of nothing", seq{append1}, true},
		{"two ends", seq{text1, close1, close1}, true},
		{"an end after the turn", seq{began, text1, ended, close1}, true},
		{"a key twice", seq{text1, text1}, true},
		{"a key left out", seq{adapters.EntryOpened{Key: 2, Type: protocol.EntryAssistantMessage, Data: message}}, true},
		{"data of another type", seq{adapters.EntryOpened{Key: 1, Type: protocol.EntryToolCall, Data: message}}, true},
		{"an end of another type", seq{tool1, close1}, true},
		{"no data", seq{text1, adapters.EntryClosed{Key: 1}}, true},
		{"left without a reason", seq{text1, adapters.EntryClosed{Key: 1, Data: message, Incomplete: true}}, true},
		{"arguments of a text", seq{text1, adapters.EntryChanged{Key: 1, Delta: &protocol.ArgumentsAppend{Text: "x"}}}, true},
		{"an empty change", seq{text1, adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{}}}, true},
		{"changes over the limit", seq{text1, append1, adapters.EntryChanged{Key: 1, Delta: &protocol.TextAppend{Text: long[1:]}}}, true},
		{"a text over the limit", seq{text1, adapters.EntryClosed{Key: 1, Data: &protocol.MessageData{Text: long}}}, true},
		{"a binding without an id", seq{text1, adapters.EntryBound{Key: 1}}, true},
		{"a binding of nothing", seq{adapters.EntryBound{Key: 1, PersistentID: "p"}}, true},
		{"a turn in a turn", seq{began, began}, true},
		{"an end of no turn", seq{ended}, true},
		{"a lost turn", seq{began, adapters.TurnEnded{Status: protocol.TurnInterrupted, Lost: true}}, false},
		{"a lost turn that completes", seq{began, adapters.TurnEnded{Status: protocol.TurnCompleted, Lost: true}}, true},
		{"an error without words", seq{began, adapters.TurnEnded{Status: protocol.TurnError}}, true},
		{"a request about a text", seq{text1, about(1)}, true},
		{"a request about nothing", seq{about(1)}, true},
		{"a request twice", seq{approval, approval}, true},
		{"a request with a diff", seq{changes(patch, patch, 0)}, false},
		{"a request with a diff behind words", seq{changes("why\n\n"+patch, patch, 0)}, false},
		{"a request with the beginning of a diff", seq{changes(patch, patch[:16], 99)}, false},
		{"a request with words in place of a diff", seq{changes("why", patch, 0)}, true},
		{"a request with a diff in another form", seq{changes("--- x\n", "--- x\n", 0)}, true},
		{"a request with half a line", seq{changes(patch, patch[:20], 99)}, true},
		{"a request with less than the beginning of a diff", seq{changes(patch, patch, 3)}, true},
		{"a request with a diff over the limit", seq{changes(long, long+"\n", 0)}, true},
		{"a request with no diff that is cut", seq{changes(long[1:], "", 99)}, true},
		{"a question with a diff", seq{adapters.RequestOpened{Key: 1, Request: protocol.RequestOpened{
			Kind: protocol.RequestQuestion, Text: patch, Diff: patch, Questions: []protocol.Question{{Text: "x"}},
		}}}, true},
		{"two answers", seq{approval, answered, answered}, true},
		{"an answer after the turn", seq{began, approval, ended, answered}, true},
		{"a phase that is derived", seq{adapters.PhaseChanged{State: protocol.StateRunningTool}}, true},
		{"a native event that is no JSON", seq{adapters.Native{Kind: "x", Raw: []byte(`{"a":`)}}, true},
		{"a native event with a key twice", seq{adapters.Native{Kind: "x", Raw: []byte(`{"a":1,"a":2}`)}}, true},
		{"a refusal without a reason", seq{adapters.PromptAnswered{Result: adapters.PromptRefused}}, true},
		{"all four answers", seq{asks("read", "allow_once", "allow_always", "deny", "deny_stop")}, false},
		{"no answers", seq{asks("read")}, true},
		{"an answer of the agent's own", seq{asks("read", "yes")}, true},
		{"an answer twice", seq{asks("read", "deny", "deny")}, true},
		{"an approval of nobody knows what", seq{asks("", "deny")}, true},
		{"a call while a text stands open", seq{began, text1, append1, call2}, true},
		{"a call while a thought stands open", seq{began, thought1, summary1, call2}, true},
		{"a text while a thought stands open", seq{began, thought1, append1, text2}, true},
		{"a call behind a text", seq{began, text1, append1, close1, call2}, false},
		{"a call while a text without words stands open", seq{began, text1, call2}, false},
		{"a call behind a text that was taken back", seq{began, text1, append1, adapters.EntryChanged{Key: 1, Delta: &protocol.TextSet{}}, call2}, false},
		{"a text while a call stands open", seq{began, tool1, append1, text2}, false},
		{"a prompt while a text stands open", seq{began, text1, append1, adapters.EntryOpened{Key: 2, Type: protocol.EntryUserMessage, Data: message}}, false},
		{"a call behind the turn of a text", seq{began, text1, append1, ended, call2}, false},
		{"a tool that runs on", seq{
			began, tool1,
			adapters.TurnEnded{Status: protocol.TurnCompleted, Running: []adapters.EntryKey{1}},
			append1,
			adapters.EntryClosed{Key: 1, Data: call},
		}, false},
		{"a text that runs on", seq{began, text1, adapters.TurnEnded{Status: protocol.TurnCompleted, Running: []adapters.EntryKey{1}}}, true},
		{"nothing that runs on", seq{began, adapters.TurnEnded{Status: protocol.TurnCompleted, Running: []adapters.EntryKey{1}}}, true},
		{"a child", seq{began, tool1, adapters.ChildBegan{NativeID: "n", Entry: 1}, adapters.ChildBegan{NativeID: "m"}}, false},
		{"a child of a text", seq{began, text1, adapters.ChildBegan{NativeID: "n", Entry: 1}}, true},
		{"a child of nothing", seq{adapters.ChildBegan{NativeID: "n", Entry: 1}}, true},
		{"a child without an id", seq{adapters.ChildBegan{Title: "x"}}, true},
		{"an offer", seq{adapters.Offered{Models: []adapters.Choice{{ID: "a"}, {ID: "b"}}, Modes: []adapters.Choice{}}}, false},
		{"an empty offer", seq{adapters.Offered{}}, true},
		{"a choice twice", seq{adapters.Offered{Modes: []adapters.Choice{{ID: "a"}, {ID: "a"}}}}, true},
		{"a setting", seq{adapters.SettingAnswered{ID: "x"}, adapters.SettingAnswered{ID: "y", Result: adapters.SettingRefused, Error: "no"}}, false},
		{"a setting refused without a reason", seq{adapters.SettingAnswered{ID: "x", Result: adapters.SettingRefused}}, true},
		{"a setting of no result", seq{adapters.SettingAnswered{ID: "x", Result: 7}}, true},
		{"a notice without a kind", seq{adapters.Notice{Level: "info", Text: "x"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l conformance.Ledger
			for i, d := range c.drafts {
				problem := l.Take(d)
				if want := c.bad && i == len(c.drafts)-1; (problem != "") != want {
					t.Errorf("%s: %q, want a problem: %v", conformance.Describe(d), problem, want)
				}
			}
		})
	}
}
