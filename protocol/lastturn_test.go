package protocol

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLastTurn: lists tell how a turn ended, in bounded words, and which ends are failures.
func TestLastTurn(t *testing.T) {
	for name, row := range map[string]struct {
		end  TurnEnd
		want LastTurn
		bad  bool
	}{
		"a success":                {TurnEnd{TurnID: "t1", Status: TurnCompleted}, LastTurn{TurnID: "t1", Status: TurnCompleted}, false},
		"an error":                 {TurnEnd{TurnID: "t2", Status: TurnError, Cause: CauseAgent, Error: "e", Hint: "h"}, LastTurn{TurnID: "t2", Status: TurnError, Cause: CauseAgent, Error: "e", Hint: "h"}, true},
		"a person's interrupt":     {TurnEnd{TurnID: "t3", Status: TurnInterrupted, Cause: CauseUser}, LastTurn{TurnID: "t3", Status: TurnInterrupted, Cause: CauseUser}, false},
		"a lost agent":             {TurnEnd{TurnID: "t4", Status: TurnInterrupted, Cause: CauseLost}, LastTurn{TurnID: "t4", Status: TurnInterrupted, Cause: CauseLost}, true},
		"a lost agent of old logs": {TurnEnd{TurnID: "t5", Status: TurnInterrupted, Error: "agent exited: 9"}, LastTurn{TurnID: "t5", Status: TurnInterrupted, Cause: CauseLost, Error: "agent exited: 9"}, true},
	} {
		if got := LastTurnOf(&row.end); *got != row.want || got.Failed() != row.bad {
			t.Errorf("%s: %+v, failed %v", name, got, got.Failed())
		}
	}
	if (*LastTurn)(nil).Failed() {
		t.Error("a session without a turn has failed")
	}
	long := strings.Repeat("ö", maxLastTurn)
	got := LastTurnOf(&TurnEnd{Error: long, Hint: long[:maxLastTurn]})
	if len(got.Error) > maxLastTurn || len(got.Error) < maxLastTurn-4 || !utf8.ValidString(got.Error) || !strings.HasSuffix(got.Error, "…") || got.Hint != long[:maxLastTurn] {
		t.Errorf("%d bytes, ends in %q", len(got.Error), got.Error[len(got.Error)-6:])
	}
}
