package conformance

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

func (l *Ledger) changed(d adapters.EntryChanged) string {
	e := l.entry(d.Key)
	if e == nil || !e.open {
		return "changes what is not open"
	}
	call := e.kind == protocol.EntryToolCall
	switch c := d.Delta.(type) {
	case *protocol.TextAppend:
		e.said += len(c.Text)
		if e.text += len(c.Text); c.Text == "" {
			return "appends nothing"
		}
	case *protocol.TextSet:
		e.text, e.said, e.over = len(c.Text), len(c.Text), 0
	case *protocol.ArgumentsAppend:
		if !call || c.Text == "" {
			return "no arguments"
		}
	case *protocol.StatusChange:
		if !call {
			return "only tool calls have a status"
		}
	case *protocol.SummaryAppend:
		e.said += len(c.Text)
		if e.kind != protocol.EntryThinking {
			return "only thinking has a summary"
		}
	default:
		return "no change"
	}
	if e.text > l.limit() {
		return "more text than the limit"
	}
	return ""
}

func (l *Ledger) overflowed(d adapters.EntryOverflow) string {
	e := l.entry(d.Key)
	if e == nil || !e.open {
		return "overflows what is not open"
	}
	switch c := d.Delta.(type) {
	case *protocol.TextAppend:
		if c.Text == "" || d.Offset < max(int64(e.text), e.over) {
			return "overflows with nothing, or with what was said"
		}
		e.over = d.Offset + int64(len(c.Text))
	case *protocol.ArgumentsAppend:
		if e.kind != protocol.EntryToolCall || c.Text == "" {
			return "overflows with no arguments"
		}
	default:
		return "overflows with what appends to no text"
	}
	return ""
}
