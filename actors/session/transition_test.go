package session

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap/zapcore"
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

// TestIllegalTransition: a change without a row is taken, counted, logged without a word of the agent's, and fails the tests in which it
// happens, of this process and of one that reads the log.
// Proves: I10.4/transitions
func TestIllegalTransition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := Table
		defer func() { Table = table }()
		h := newHouse(t, false)
		defer h.close()
		h.ref.Send(&AgentStarted{Incarnation: 1, Adapter: h.adapter()})
		h.say(adapters.Ready{})
		if n := h.gauges.Illegal.Load(); n != 0 || len(invariant.Found()) > 0 {
			t.Fatalf("%d, %q before anything happened", n, invariant.Found())
		}
		Table = slices.DeleteFunc(slices.Clone(table), func(r Row) bool { return slices.Contains(r.To, protocol.StateResponding) })
		secret := &protocol.MessageData{Role: "assistant", Text: "secret"}
		h.say(adapters.TurnBegan{}, adapters.EntryOpened{Key: 1, Type: protocol.EntryAssistantMessage, Data: secret})
		found := invariant.Found()
		invariant.Forget()
		const want = `the status went from "queued" to "responding"`
		if n := h.gauges.Illegal.Load(); n != 1 || len(found) != 1 || found[0] != want {
			t.Errorf("counted %d, told %q", n, found)
		}
		lines := h.logged.FilterMessage(invariant.Transition).TakeAll()
		if len(lines) != 1 || lines[0].Level != zapcore.ErrorLevel || fmt.Sprint(lines[0].ContextMap()) != "map[from:queued session:s1 to:responding]" {
			t.Errorf("logged %v", lines)
		}
		invariant.Logged([]byte("{\"level\":\"info\"}\n{\"level\":\"error\",\"msg\":\"" + invariant.Transition + "\"}\n"))
		var told strings.Builder
		if code := invariant.Code(0, &told); code != 1 || !strings.Contains(told.String(), invariant.Transition) {
			t.Errorf("tests would end with %d and say %q", code, &told)
		}
		invariant.Forget()
		if code := invariant.Code(0, &told); code != 0 {
			t.Errorf("tests in which nothing happened would end with %d", code)
		}
		taken := false
		for _, e := range h.shown(h.join()) {
			st, ok := e.Payload.(*protocol.Status)
			taken = taken || ok && st.State == protocol.StateResponding
		}
		if !taken {
			t.Error("the status was not taken")
		}
	})
}
