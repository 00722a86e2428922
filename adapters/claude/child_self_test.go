package claude

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A sub-agent is named by the call that started it, or by the agent's own id of it, or else by its first line alone.
func TestNamesOfSubAgent(t *testing.T) {
	for _, c := range []struct {
		name string
		self self
		task task
		on   bool
		want bool
	}{
		{"its call", self{native: "t1"}, task{ToolUseID: "t1"}, true, true},
		{"its id", self{native: "t1", agent: "a1"}, task{ToolUseID: "t9", TaskID: "a1"}, true, true},
		{"the first line", self{native: "t1"}, task{ToolUseID: "t9", TaskID: "a1"}, false, true},
		{"another one, in its turn", self{native: "t1"}, task{ToolUseID: "t9", TaskID: "a1"}, true, false},
		{"another one", self{native: "t1", agent: "a1"}, task{ToolUseID: "t9", TaskID: "a2"}, false, false},
		{"the main agent", self{}, task{}, false, false},
	} {
		if got := c.self.is(&c.task, c.on); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// How a sub-agent ended the news of its end says first; then the result of its call, and the result of a turn that left it behind last.
func TestEndOfSubAgent(t *testing.T) {
	one := self{native: "t1"}
	resultOf := func(more string) *userLine {
		return &userLine{Message: message{Content: []byte(`[{"type":"tool_result","tool_use_id":"` + more + `,"content":"Lost"}]`)}}
	}
	one.returned(resultOf(`t2"`), true)
	started := resultOf(`t1"`)
	started.Result = []byte(`{"isAsync":true}`)
	one.returned(started, true)
	if one.ending != nil {
		t.Fatalf("the result of another call, or of a start, ends it: %+v", one.ending)
	}
	one.returned(resultOf(`t1","is_error":true`), false)
	want := adapters.TurnEnded{Status: protocol.TurnError, Error: "Lost"}
	one.returned(resultOf(`t1"`), true)
	one.left(&result{}, &turn{})
	if e := one.ending; e == nil || e.Status != want.Status || e.Error != want.Error {
		t.Fatalf("%+v", e)
	}
	one.notified(&task{Status: "stopped"})
	if one.ending.Status != protocol.TurnInterrupted {
		t.Errorf("%+v", one.ending)
	}
}
