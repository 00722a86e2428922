package pi

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestTurnEndsAs(t *testing.T) {
	for _, c := range []struct {
		name string
		turn turn
		want adapters.TurnEnded
	}{
		{"with an answer", turn{stop: "stop"}, adapters.TurnEnded{Status: protocol.TurnCompleted}},
		{"by an abort, whatever failed then", turn{stop: "aborted", gaveUp: "x"}, adapters.TurnEnded{Status: protocol.TurnInterrupted}},
		{"by a failure without words", turn{stop: "error"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "the model request failed"}},
		{"by a failure", turn{stop: "error", problem: "503"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "503"}},
		{"by a failure, the last of several", turn{stop: "error", problem: "503", gaveUp: "no more"}, adapters.TurnEnded{
			Status: protocol.TurnError, Error: "503 (no more)",
		}},
		{"by the same failure", turn{problem: "503", gaveUp: "503"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "503"}},
	} {
		one := c.turn
		one.on, one.modern, one.round = true, true, 3
		if end, ok := one.end(); !ok || end.Status != c.want.Status || end.Error != c.want.Error {
			t.Errorf("%s: %+v", c.name, end)
		}
		if _, again := one.end(); again || !one.modern || one.round != 0 {
			t.Errorf("%s: behind its end: %+v", c.name, one)
		}
	}
}

// Behind an agent_end of Pi 0.73, a line ends the turn unless it may stand before a retry or a compaction.
func TestHeldTurnIsReleased(t *testing.T) {
	var one turn
	var out adapters.Output
	if one.releases("agent_start") || one.answers("", false) {
		t.Error("a turn that is not held back is released")
	}
	one.begin(nil, &out)
	one.hold(&calls{last: 6}, &out)
	if len(out.Lines) != 1 || one.probe != "rm-7" {
		t.Fatalf("asked %q as %s", out.Lines, one.probe)
	}
	for kind, want := range map[string]bool{"agent_start": true, "message_start": true, "compaction_start": false, "auto_retry_start": false, "response": false} {
		if got := one.releases(kind); got != want {
			t.Errorf("%s releases: %t", kind, got)
		}
	}
	if one.answers("rm-6", true) || !one.answers("rm-7", true) || !one.answers("c1", false) {
		t.Error("an answer of our own that came late is taken for the one that was asked for, or another's is not")
	}
	// A compaction that follows takes the end along: it is held again behind it.
	one.compacts(&out)
	if one.held || one.phase != protocol.StateCompacting {
		t.Errorf("in the compaction: %+v", one)
	}
	one.compacted(false, &calls{}, &out)
	if !one.held || one.phase != protocol.StateResponding {
		t.Errorf("behind the compaction: %+v", one)
	}
}
