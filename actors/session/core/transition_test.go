package core

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

var update = flag.Bool("update", false, "write the goldens in testdata")

// states are all of them, and the one before the first.
var states = []protocol.State{
	"", protocol.StateStarting, protocol.StateIdle, protocol.StateQueued, protocol.StateResponding, protocol.StateRetrying,
	protocol.StateCompacting, protocol.StateRunningTool, protocol.StateAwaitingApproval, protocol.StateAwaitingInput,
	protocol.StateInterrupting, protocol.StateCompleted, protocol.StateTerminated, protocol.StateFailed,
}

// TestTransitions writes the table as a matrix: a change of it, or of how it is read, is a change of this file.
// Proves: I10.4/transitions
func TestTransitions(t *testing.T) {
	const golden = "testdata/transitions.txt"
	var b strings.Builder
	fmt.Fprintf(&b, "%-18s", "from \\ to")
	for i := range states[1:] {
		fmt.Fprintf(&b, " %2d", i+1)
	}
	b.WriteByte('\n')
	for i, from := range states {
		name := string(from)
		if name == "" {
			name = "(nothing)"
		}
		fmt.Fprintf(&b, "%2d %-15.15s", i, name)
		for _, to := range states[1:] {
			mark := "."
			switch {
			case from == to:
				mark = "-"
			case Allowed(from, to):
				mark = "x"
			}
			fmt.Fprintf(&b, " %2s", mark)
		}
		b.WriteByte('\n')
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
}

// TestEveryStateIsReached: from every state the rows lead to every other one, by no state that would tell of an end or an interrupt which
// there is not.
func TestEveryStateIsReached(t *testing.T) {
	for _, from := range states {
		for _, to := range states[1:] {
			if from == to || Allowed(from, to) {
				continue
			}
			way := between(from, to)
			at := from
			for _, next := range append(slices.Clone(way), to) {
				if !Allowed(at, next) || next != to && !slices.Contains(quiet, next) {
					t.Errorf("from %q to %q by %q: not at %q", from, to, way, next)
				}
				at = next
			}
		}
	}
}

// Each row of the table is needed: no other one has all that it has. States that follow themselves need none.
func TestEveryRowIsNeeded(t *testing.T) {
	for i, row := range Table {
		alone := false
		for _, from := range row.From {
			for _, to := range row.To {
				n := 0
				for _, other := range Table {
					if slices.Contains(other.From, from) && slices.Contains(other.To, to) {
						n++
					}
				}
				alone = alone || n == 1 && from != to
			}
		}
		if !alone {
			t.Errorf("row %d (%s) says nothing that others do not say", i+1, row.Because)
		}
	}
}
