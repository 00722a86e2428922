package codex_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLiveAttachInTurn attaches to a thread that somebody else has at work, in a command and in a text: the log has the turn with what began
// it, and ends as the other one's.
func TestLiveAttachInTurn(t *testing.T) {
	for _, c := range []struct {
		script string
		at     protocol.EntryType
	}{
		{"shell", protocol.EntryToolCall},
		{"long-stream", protocol.EntryAssistantMessage},
	} {
		t.Run(c.script, func(t *testing.T) {
			spec := liveSpec(t)
			address := "ws://" + freeAddress(t)
			serveAt(t, spec, address)
			spec.Endpoint = &adapters.Endpoint{URL: address}
			first := connect(t, spec)
			a, thread := first.open(spec)
			first.prompt(a, "1", "plain#"+thread)
			first.turnEnd(a, protocol.TurnCompleted)
			before := len(first.lanes[a].said)
			first.prompt(a, "2", c.script+"#"+thread)
			open := map[adapters.EntryKey]bool{}
			first.until(a, "work", func(d adapters.Draft) bool {
				switch d := d.(type) {
				case adapters.EntryOpened:
					open[d.Key] = d.Type == c.at
				case adapters.EntryChanged:
					return open[d.Key]
				}
				return false
			})
			spec.Resume, spec.NativeSessionID = true, thread
			second := connect(t, spec)
			b, _ := second.open(spec)
			second.turnEnd(b, protocol.TurnCompleted)
			first.turnEnd(a, protocol.TurnCompleted)

			theirs, ours := read(first.lanes[a].said[before:]), read(second.lanes[b].said)
			if !strings.Contains(ours.prompt, c.script) || !strings.HasSuffix(theirs.users[0], ours.prompt) {
				t.Errorf("the turn began with %q, there the user said %q", ours.prompt, theirs.users)
			}
			// What was over before the turn is in the log as well.
			if !strings.HasSuffix(strings.Join(ours.users, "\n"), strings.Join(theirs.users, "\n")) {
				t.Errorf("users said %q, there %q", ours.users, theirs.users)
			}
			if got, want := strings.Join(ours.entries, "\n"), strings.Join(theirs.entries, "\n"); !strings.HasSuffix(got, want) {
				t.Errorf("entries\n%s\nthere\n%s", got, want)
			}
			second.end(5 * time.Second)
			first.end(5 * time.Second)
		})
	}
}
