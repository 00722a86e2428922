package poll

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Words are the page for models that are shown text: where to read on first, then a line for each event, and its text below where it has more
// than one line.
func (o *Output) Words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "last_index %d, has_more %t, session %s, status %s", o.LastIndex, o.HasMore, o.SessionID, o.Status)
	if o.State != o.Status {
		fmt.Fprintf(&b, " (%s)", o.State)
	}
	if o.Epoch > 1 {
		fmt.Fprintf(&b, ", epoch %d", o.Epoch)
	}
	if o.Reset {
		b.WriteString(", reset: forget what you have, this is from the beginning")
	}
	if o.DroppedEvents > 0 {
		fmt.Fprintf(&b, ", %d events are no longer kept", o.DroppedEvents)
	}
	for _, told := range []string{o.Error, o.Damage} {
		if told != "" {
			b.WriteString(", " + told)
		}
	}
	if len(o.Cursors) > 0 {
		cursors, err := json.Marshal(o.Cursors)
		if err == nil { // a map of strings
			fmt.Fprintf(&b, ", cursors %s", cursors)
		}
	}
	b.WriteByte('\n')
	for i := range o.Events {
		o.Events[i].line(&b)
	}
	return b.String()
}

// line is one event.
func (ev *sessionEvent) line(b *strings.Builder) {
	fmt.Fprintf(b, "[%d] %s", ev.Index, ev.Type)
	entry, prompt := "", ""
	switch ev.Type {
	case protocol.ItemMessage, protocol.ItemDelta:
		entry = ev.EntryID // by which it is replaced
	case protocol.ItemPrompt, protocol.ItemCompletion, protocol.ItemError:
		prompt = ev.PromptID
	default:
	}
	for _, x := range []struct{ name, value string }{
		{"", ev.ToolName},
		{"call ", ev.CallID},
		{"", string(ev.Outcome)},
		{"by ", string(ev.Reason)},
		{"request ", ev.RequestID},
		{"", string(ev.Kind)},
		{"session ", ev.SessionID},
		{"child ", ev.ChildSessionID},
		{"prompt ", prompt},
		{"entry ", entry},
		{"tool ", ev.Tool},
		{"", protocol.HeadJSON(string(ev.Arguments), protocol.BriefMessage)},
		{"on ", ev.Subject},
	} {
		if x.value != "" {
			b.WriteString(" " + x.name + x.value)
		}
	}
	if ev.IsError {
		b.WriteString(" failed")
	}
	if ev.Truncated {
		fmt.Fprintf(b, " (the beginning of %d bytes)", ev.Bytes)
	}
	if ev.Text != "" {
		b.WriteString(": " + ev.Text)
	}
	b.WriteByte('\n')
	writeAnswers(b, ev)
	if len(ev.Event) > 0 {
		b.Write(ev.Event)
		b.WriteByte('\n')
	}
}

// writeAnswers shows what a request can be answered with.
func writeAnswers(b *strings.Builder, ev *sessionEvent) {
	ids := func(name string, n int, id func(int) (string, string)) {
		for i := range n {
			id, label := id(i)
			fmt.Fprintf(b, "  %s %s", name, id)
			if label != "" && label != id {
				b.WriteString(": " + label)
			}
			b.WriteByte('\n')
		}
	}
	ids("option", len(ev.Options), func(i int) (string, string) { return ev.Options[i].ID, ev.Options[i].Label })
	for _, q := range ev.Questions {
		fmt.Fprintf(b, "  question: %s\n", strings.TrimSpace(q.Header+" "+q.Text))
		ids("option", len(q.Options), func(i int) (string, string) { return q.Options[i].ID, q.Options[i].Label })
	}
}
