package core

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entry is an open entry and what has come in so far.
type entry struct {
	start *protocol.EntryStart
	seq   uint64 // of its start
	text  []byte // of the text, or of a tool call's output
	args  []byte
	tool  protocol.ToolStatus
	exit  *int
	sums  []string
}

func openEntry(p *protocol.EntryStart, seq uint64) *entry {
	o := &entry{start: p, seq: seq}
	switch d := p.Data.(type) {
	case *protocol.MessageData:
		o.text = []byte(d.Text)
	case *protocol.ThinkingData:
		o.text, o.sums = []byte(d.Text), slices.Clone(d.Summary)
	case *protocol.ToolCallData:
		o.text, o.args, o.tool, o.exit = []byte(d.Output), []byte(d.Arguments), d.Status, d.ExitCode
	case *protocol.ToolResultData:
		o.text = []byte(d.Output)
	case *protocol.PlanData:
		o.text = []byte(d.Text)
	case *protocol.CompactionData:
		o.text = []byte(d.Summary)
	case *protocol.SystemData:
		o.text = []byte(d.Text)
	case *protocol.UnknownData:
	}
	return o
}

func (o *entry) change(d protocol.Delta) {
	switch d := d.(type) {
	case *protocol.TextAppend:
		o.text = append(o.text, d.Text...)
	case *protocol.TextSet:
		o.text = append(o.text[:0], d.Text...)
	case *protocol.ArgumentsAppend:
		o.args = append(o.args, d.Text...)
	case *protocol.StatusChange:
		o.tool = d.Status
		o.text = append(o.text, d.Output...)
		if d.ExitCode != nil {
			o.exit = d.ExitCode
		}
	case *protocol.SummaryAppend:
		if d.SummaryIndex < 0 || d.SummaryIndex >= protocol.MaxSummaries { // as every fold
			return
		}
		for len(o.sums) <= d.SummaryIndex {
			o.sums = append(o.sums, "")
		}
		o.sums[d.SummaryIndex] += d.Text
	case *protocol.UnknownDelta:
	}
}

// data is the entry as it stands, for an end that the agent did not give: a tool has failed.
func (o *entry) data() protocol.EntryData {
	d := o.now()
	if call, is := d.(*protocol.ToolCallData); is {
		call.Status = protocol.ToolError
	}
	return d
}

// now is the entry as it stands. It is the caller's.
func (o *entry) now() protocol.EntryData {
	text := string(o.text)
	switch d := o.start.Data.(type) {
	case *protocol.MessageData:
		c := *d
		c.Text = text
		return &c
	case *protocol.ThinkingData:
		c := *d
		c.Text, c.Summary = text, slices.Clone(o.sums)
		return &c
	case *protocol.ToolCallData:
		c := *d
		c.Output, c.Arguments, c.ExitCode, c.Status = text, string(o.args), o.exit, o.tool
		return &c
	case *protocol.ToolResultData:
		c := *d
		c.Output = text
		return &c
	case *protocol.PlanData:
		c := *d
		c.Text = text
		return &c
	case *protocol.CompactionData:
		c := *d
		c.Summary = text
		return &c
	case *protocol.SystemData:
		c := *d
		c.Text = text
		return &c
	case *protocol.UnknownData:
	}
	return o.start.Data
}

// isWork says that an entry of this type is work that the agent does (spec §6), not an echo of the user or a notice.
func isWork(t protocol.EntryType) bool {
	switch t {
	case protocol.EntryAssistantMessage, protocol.EntryThinking, protocol.EntryToolCall, protocol.EntryToolResult, protocol.EntryPlan:
		return true
	case protocol.EntryUserMessage, protocol.EntryCompaction, protocol.EntrySystem:
	}
	return false
}

func (o *entry) isToolCall() bool {
	_, is := o.start.Data.(*protocol.ToolCallData)
	return is
}

// entryOf is an entry in the words of its adapter.
type entryOf struct {
	incarnation uint32
	key         adapters.EntryKey
}

func (k entryOf) id() string { return protocol.EntryID(k.incarnation, uint32(k.key)) }
