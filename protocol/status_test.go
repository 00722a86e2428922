package protocol

import "testing"

// The projections are checked against the table of the spec; here is what no table has.
func TestStatePredicates(t *testing.T) {
	for state, want := range map[State]struct{ ended, busy bool }{
		StateStarting: {false, false}, StateIdle: {false, false}, StateQueued: {false, true}, StateResponding: {false, true},
		StateRetrying: {false, true}, StateCompacting: {false, true}, StateRunningTool: {false, true}, StateAwaitingApproval: {false, true},
		StateAwaitingInput: {false, true}, StateInterrupting: {false, true}, StateCompleted: {true, false}, StateTerminated: {true, false},
		StateFailed: {true, false},
	} {
		if state.Ended() != want.ended || state.Busy() != want.busy {
			t.Errorf("%s: ended %v, busy %v", state, state.Ended(), state.Busy())
		}
	}
}
