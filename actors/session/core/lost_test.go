package core

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// An agent that exits between turns, asked by nobody, is an error, and the status says so before the session goes on; an exit that
// somebody asked for, or that ends the session, is none.
// Proves: I10.1/lost
func TestAgentExitsBetweenTurns(t *testing.T) {
	killed := adapters.Exit{Code: -1, Signal: "killed", Stderr: []string{"boom"}}
	stopped := adapters.Exit{Requested: true}
	again := func(w *world) { w.attach(); w.say(adapters.Ready{NativeSessionID: "native"}) }
	lost := []string{"error agent exited: signal killed\nstandard error ended with: boom", "status failed", "status idle"}
	for name, c := range map[string]struct {
		do   func(w *world)
		want []string
	}{
		"killed": {func(w *world) { w.exit(killed); again(w) }, lost},
		"killed after a turn": {func(w *world) {
			send(t, w, "one", "", "")
			w.say(adapters.TurnBegan{}, adapters.TurnEnded{Status: protocol.TurnCompleted})
			w.exit(killed)
			again(w)
		}, append([]string{"completion "}, lost...)},
		"killed, then it does not start at first": {func(w *world) {
			w.exit(killed)
			for range 2 {
				w.attach()
				w.exit(adapters.Exit{Code: 1})
			}
			again(w)
		}, []string{lost[0], lost[1], "error agent did not start: exit status 1", lost[2]}},
		"connection broken":          {func(w *world) { w.exit(adapters.Exit{Code: -1, Error: "the connection broke"}); again(w) }, []string{"error agent exited: the connection broke", lost[1], lost[2]}},
		"clean":                      {func(w *world) { w.exit(adapters.Exit{}) }, []string{"status completed"}},
		"asked for":                  {func(w *world) { w.exit(stopped) }, nil},
		"idle, put away":             {func(w *world) { w.step(&Park{}); w.exit(stopped) }, nil},
		"session is ended":           {func(w *world) { w.step(&End{}); w.exit(stopped) }, []string{"status completed"}},
		"ended, agent dies":          {func(w *world) { w.step(&End{}); w.exit(killed) }, []string{"status completed"}},
		"sub-agent at its end":       {func(w *world) { subAgent(w); w.exit(adapters.Exit{}) }, []string{"status completed"}},
		"sub-agent, with its parent": {func(w *world) { subAgent(w); w.exit(killed) }, nil},
	} {
		w := newWorld(t)
		ready(w)
		from := len(w.log)
		c.do(w)
		var items protocol.Items
		var got []string
		for i := range w.log {
			it, ok := items.Item(&w.log[i])
			if !ok || i < from || it.Type == protocol.ItemPrompt || it.Type == protocol.ItemSystem || it.Type == protocol.ItemStatus && it.Text == "running" {
				continue
			}
			got = append(got, string(it.Type)+" "+it.Text)
			if it.Type == protocol.ItemError && (it.Reason != protocol.CauseLost || it.TurnID != "" || it.Outcome != "") {
				t.Errorf("%s: %+v", name, it)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q\n%s", name, got, c.want, w.text())
		}
	}
}

// subAgent makes the session one of a sub-agent, of which its log does not tell here.
func subAgent(w *world) { w.core.meta.SubAgent, w.shadow.state.meta.SubAgent = true, true }
