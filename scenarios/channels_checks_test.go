package scenarios

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestWatchChecks tells a client in every way that the check at the end of each scenario must notice.
func TestWatchChecks(t *testing.T) {
	data := &protocol.MessageData{Role: "assistant", Text: "Hi"}
	log := renumber([]protocol.Event{
		{Payload: &protocol.SessionStart{SessionID: "s"}},
		{Payload: &protocol.TurnStart{TurnID: "t1"}},
		{Payload: &protocol.Status{State: protocol.StateResponding}},
		{Payload: &protocol.EntryStart{TurnID: "t1", EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: &protocol.MessageData{}}},
		{Payload: &protocol.EntryDelta{EntryID: "e1", Delta: &protocol.TextAppend{Text: "Hi"}}},
		{Payload: &protocol.EntryEnd{EntryID: "e1", EntryType: protocol.EntryAssistantMessage, Data: data}},
		{Payload: &protocol.TurnEnd{TurnID: "t1", Status: protocol.TurnCompleted}},
		{Payload: &protocol.Status{State: protocol.StateIdle}},
	})
	for _, era := range []string{oldEra, newEra} {
		right := func() []protocol.SessionEvent {
			if era == oldEra {
				return pushes("s", log)
			}
			return items(log)
		}
		for name, c := range map[string]struct {
			change func(list []protocol.SessionEvent) []protocol.SessionEvent
			late   time.Duration
			wrong  string
		}{
			"good":         {},
			"lost at last": {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { return l[:len(l)-1] }, wrong: "items"},
			"lost between": {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { return append(l[:1:1], l[2:]...) }, wrong: "items"},
			"doubled":      {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { return append(l[:1:1], l...) }, wrong: "does not tell"},
			"out of order": {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { l[0], l[1] = l[1], l[0]; return l }, wrong: "does not tell"},
			"changed":      {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { l[0].Text = "idle"; return l }, wrong: "does not tell"},
			"an index":     {change: func(l []protocol.SessionEvent) []protocol.SessionEvent { l[0].Index++; return l }, wrong: "does not tell"},
			"late":         {late: time.Second, wrong: "after the event"},
		} {
			client := (&world{}).newMCP("app", era)
			client.level = "info"
			x := &watch{client: client, session: "s"}
			list := right()
			if c.change != nil {
				list = c.change(list)
			}
			for _, it := range list {
				client.told["s"] = append(client.told["s"], notice{it, time.UnixMilli(it.Ts).Add(c.late)})
			}
			got := strings.Join(x.problems(log), "; ")
			if (got == "") != (c.wrong == "") || !strings.Contains(got, c.wrong) {
				t.Errorf("%s at %s: %q, want %q", name, era, got, c.wrong)
			}
		}
	}
}
