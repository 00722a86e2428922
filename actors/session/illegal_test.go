package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap/zapcore"
)

// TestIllegalTransition: a change without a row is counted, logged without a word of the agent's, and fails the tests in which it happens, of this
// process and of one that reads the log. The log of the session shows no such change: the status goes there by rows that there are.
// Proves: I10.4/transitions
func TestIllegalTransition(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		table := core.Table
		defer func() { core.Table = table }()
		h := newHouse(t, false)
		defer h.close()
		h.ref.Send(Say(&AgentStarted{Incarnation: 1, Adapter: h.adapter()}))
		h.say(adapters.Ready{})
		if n := h.gauges.Illegal.Load(); n != 0 || len(invariant.Found()) > 0 {
			t.Fatalf("%d, %q before anything happened", n, invariant.Found())
		}
		core.Table = slices.DeleteFunc(slices.Clone(table), func(r core.Row) bool {
			return slices.Contains(r.From, protocol.StateQueued) && slices.Contains(r.To, protocol.StateResponding)
		})
		secret := &protocol.MessageData{Role: "assistant", Text: "secret"}
		h.say(adapters.TurnBegan{}, adapters.EntryOpened{Key: 1, Type: protocol.EntryAssistantMessage, Data: secret})
		found := invariant.Found()
		invariant.Forget()
		const want = `the status was to go from "queued" to "responding"`
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
		var went []protocol.State
		for _, e := range h.shown(h.join()) {
			if st, ok := e.Payload.(*protocol.Status); ok {
				went = append(went, st.State)
			}
		}
		if last := went[max(0, len(went)-3):]; !slices.Equal(last, []protocol.State{protocol.StateQueued, protocol.StateInterrupting, protocol.StateResponding}) {
			t.Errorf("the status went by %q", went)
		}
	})
}
