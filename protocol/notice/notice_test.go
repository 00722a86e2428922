package notice_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/notice"
)

// TestNotices: which event is told as what, and that nothing of it is what an agent wrote.
//
// Proves: I13.10/notices
func TestNotices(t *testing.T) {
	secret := "SECRET of the agent"
	for _, row := range []struct {
		payload protocol.Payload
		want    string // kind and what; empty: no notice
	}{
		{&protocol.RequestOpened{
			RequestID: "r1", Kind: protocol.RequestApproval, TurnID: "t1", SessionID: "below", ToolName: secret, ToolKind: protocol.ToolExecute,
			Subject: secret, Title: secret, Text: secret, Deadline: 7,
		}, `request_opened {"requestId":"r1","requestKind":"approval","toolKind":"execute","turnId":"t1","askedBySession":"below","deadline":7}`},
		{
			&protocol.RequestOpened{RequestID: "r2", Kind: protocol.RequestQuestion, Title: secret, Questions: []protocol.Question{{Text: secret}}},
			`request_opened {"requestId":"r2","requestKind":"question"}`,
		},
		{&protocol.RequestOpened{RequestID: "c1", Kind: protocol.RequestCallerTool, Title: secret}, ""},
		{&protocol.RequestResolved{RequestID: "r1", By: "policy"}, ""},
		{&protocol.TurnStart{TurnID: "t1"}, ""},
		{&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted}, `turn_ended {"turnId":"t1","status":"completed"}`},
		{
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: protocol.CauseUser, Error: secret},
			`turn_ended {"turnId":"t1","status":"interrupted","cause":"user"}`,
		},
		{
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnInterrupted, Cause: protocol.CauseLost, Error: secret},
			`turn_failed {"turnId":"t1","status":"interrupted","cause":"lost"}`,
		},
		{
			&protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnError, Cause: protocol.CauseAgent, Error: secret, Hint: secret},
			`turn_failed {"turnId":"t1","status":"error","cause":"agent"}`,
		},
		{&protocol.SessionEnd{Reason: protocol.EndError, Error: secret, Hint: secret}, `session_ended {"reason":"error"}`},
		{
			&protocol.BudgetMark{Scope: protocol.ScopeTree, Of: "root", Limit: protocol.LimitTurns, State: protocol.BudgetWarned, Spent: 4, Max: 5},
			`budget {"scope":"tree","of":"root","limit":"turns","state":"warned","spent":4,"max":5}`,
		},
		{&protocol.Status{State: protocol.StateIdle}, ""},
	} {
		e := protocol.Event{Seq: 9, Time: 1767225600001, Payload: row.payload}
		kind, what, ok := notice.Of(&e)
		got := ""
		if ok {
			text, err := json.Marshal(what)
			if err != nil {
				t.Fatal(err)
			}
			got = string(kind) + " " + string(text)
		}
		if got != row.want || strings.Contains(got, secret) {
			t.Errorf("%s: got %s, want %s", row.payload.Type(), got, row.want)
		}
		if ok && !notice.May(row.payload.Type()) {
			t.Errorf("%s has a notice, and lines of it are passed over", row.payload.Type())
		}
	}
}

// TestNoticeBodies: what is left out of a body, and that a long title is cut between characters.
func TestNoticeBodies(t *testing.T) {
	for _, row := range []struct {
		notice notice.Notice
		want   string
	}{
		{notice.Notice{Kind: notice.Test, Time: 5}, `{"type":"test","timestamp":"1970-01-01T00:00:00.005Z","data":{}}`},
		{
			notice.Notice{Kind: notice.SessionEnded, About: notice.About{SessionID: "s", Agent: "pi"}, What: notice.End{Deleted: true}},
			`{"type":"session_ended","timestamp":"1970-01-01T00:00:00.000Z","data":{"sessionId":"s","agent":"pi","deleted":true}}`,
		},
		{
			notice.Notice{Kind: notice.EventsMissed, About: notice.About{SessionID: "s", Title: strings.Repeat("é", 101)}, What: notice.Missed{From: "1", To: "9"}},
			`{"type":"missed","timestamp":"1970-01-01T00:00:00.000Z","data":{"sessionId":"s","agent":"","title":"` + strings.Repeat("é", 100) + `","from":"1","to":"9"}}`,
		},
	} {
		if got, err := json.Marshal(&row.notice); string(got) != row.want || err != nil {
			t.Errorf("got %s, want %s (%v)", got, row.want, err)
		}
	}
	if id := notice.ID("s", protocol.Cursor{Epoch: 2, Seq: 7}, notice.BudgetMark); id != "s_2_7_budget" {
		t.Errorf("id %s", id)
	}
}
