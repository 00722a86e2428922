package droid

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func TestTurnEndsAs(t *testing.T) {
	for _, c := range []struct {
		name, reason string
		turn         turn
		want         adapters.TurnEnded
	}{
		{"with an answer", "completed", turn{}, adapters.TurnEnded{Status: protocol.TurnCompleted}},
		{"by an interrupt of ours", "cancelled", turn{aborting: true}, adapters.TurnEnded{Status: protocol.TurnInterrupted}},
		{"by an interrupt of somebody's", "cancelled", turn{}, adapters.TurnEnded{Status: protocol.TurnInterrupted, Error: "Droid cancelled the turn"}},
		{"by a failure", "odd", turn{problem: "429"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "429"}},
		{"by a failure that the user was told of", "odd", turn{problem: "429", shown: "wait"}, adapters.TurnEnded{Status: protocol.TurnError, Error: "wait"}},
		{"by a failure that can be mended", "model_rate_limited", turn{problem: "429"}, adapters.TurnEnded{
			Status: protocol.TurnError, Error: "429", Hint: hints["model_rate_limited"],
		}},
		{"without a reason", "", turn{}, adapters.TurnEnded{Status: protocol.TurnError, Error: "the turn ended: no reason given"}},
	} {
		end := c.turn.outcome(c.reason)
		if end.Status != c.want.Status || end.Error != c.want.Error || end.Hint != c.want.Hint {
			t.Errorf("%s: %+v", c.name, end)
		}
	}
}

// A turn that begins has nothing of the one before, but for an interrupt that was sent and is not answered.
func TestTurnBeginsAnew(t *testing.T) {
	var out adapters.Output
	one := turn{round: 3, inRound: true, problem: "429", shown: "wait", phase: protocol.StateCompacting, aborting: true}
	one.begin(nil, &out)
	if one != (turn{on: true, aborting: true}) {
		t.Errorf("begun: %+v", one)
	}
	if len(out.Drafts) != 2 || out.Drafts[0] != (adapters.PhaseChanged{State: protocol.StateIdle}) {
		t.Errorf("said: %+v", out.Drafts)
	}
	one.beginRound(&out)
	one.beginRound(&out)
	if one.round != 1 {
		t.Errorf("the deltas of one message are of round %d", one.round)
	}
	one.inRound = false
	one.beginRound(&out)
	if one.round != 2 {
		t.Errorf("the next message is of round %d", one.round)
	}
}
