package claude

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// A sub-agent that goes on has another lane, and its agent's own id; nobody waits for it any more.
func TestLaneOfWhatGoesOn(t *testing.T) {
	l := newLanes()
	var out adapters.Split
	l.add()
	l.owners["t1"] = root
	first := l.born("t1", "a1")
	l.owners["t2"] = first.lane
	below := l.born("t2", "")
	if below.parent != first.lane || l.live(below.lane) != below.lane || l.caller("t2", "") != first.lane {
		t.Errorf("%+v is below %+v", below, first)
	}
	l.end(first, &out)
	if !below.over || len(out.Parts) != 2 || out.Parts[0].Lane != below.lane || len(l.owners) != 1 {
		t.Errorf("ended: %+v, calls: %v", out.Parts, l.owners)
	}
	if l.live(first.lane) != root || l.caller("", "a1") != root {
		t.Error("a lane that is over is asked")
	}
	again := l.born("t1", "")
	if again.lane != 4 || again.agent != "a1" || !again.background || l.agent("a1") != again || l.caller("", "a1") != again.lane {
		t.Errorf("%+v", again)
	}
}

// What the main agent streams is told without a look at its members, unless an object behind the event could have them as well.
func TestPlainLines(t *testing.T) {
	for line, want := range map[string]bool{
		`{"type":"stream_event","event":{"x":{}},"parent_tool_use_id":null,"uuid":"u"}`:                       true,
		`{"type":"stream_event","event":{"x":{}},"parent_tool_use_id":"t1","uuid":"u"}`:                       false,
		`{"type":"stream_event","event":{"parent_tool_use_id":null,"x":1},"parent_tool_use_id":"t1"}`:         false,
		`{"type":"stream_event","event":{},"parent_tool_use_id":null,"y":{"parent_tool_use_id":"t1"}}`:        false,
		`{"type":"assistant","message":{"content":[]},"parent_tool_use_id":null,"session_id":"s","uuid":"u"}`: false,
	} {
		if got := isPlain([]byte(line)); got != want {
			t.Errorf("%s: %t", line, got)
		}
	}
}
