package conformance

import (
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// essentials looks for what every agent does: where no recording shows it, the adapter is not finished, or was never seen at it.
func (s *Suite) essentials(t testing.TB, names []string) {
	var ready, message, tool, completed, interrupted, failed bool
	for _, file := range names {
		for _, said := range s.play(t, s.read(t, file)) {
			kinds := map[adapters.EntryKey]protocol.EntryType{}
			for _, d := range said.Drafts {
				switch d := d.(type) {
				case adapters.Ready:
					ready = true
				case adapters.EntryOpened:
					kinds[d.Key] = d.Type
				case adapters.EntryClosed:
					text, _ := protocol.EntryText(d.Data)
					message = message || kinds[d.Key] == protocol.EntryAssistantMessage && text != "" && !d.Incomplete
					tool = tool || kinds[d.Key] == protocol.EntryToolCall && !d.Incomplete
				case adapters.TurnEnded:
					completed = completed || d.Status == protocol.TurnCompleted
					interrupted = interrupted || d.Status == protocol.TurnInterrupted
					failed = failed || d.Status == protocol.TurnError && d.Error != ""
				default:
				}
			}
		}
	}
	for _, x := range []struct {
		seen bool
		what string
	}{
		{ready, "an agent that gets ready (Ready)"},
		{message, "a message of the assistant from its opening to its end (EntryOpened, EntryClosed)"},
		{tool, "a tool call from its opening to its end"},
		{completed, "a turn that completes (TurnEnded)"},
		{interrupted, "a turn that is interrupted"},
		{failed, "a turn that fails, with the reason"},
	} {
		if !x.seen {
			t.Errorf("no recording shows %s", x.what)
		}
	}
}
