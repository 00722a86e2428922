package session

import (
	"slices"
	"sort"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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
		for len(o.sums) <= d.SummaryIndex && len(o.sums) < 1000 {
			o.sums = append(o.sums, "")
		}
		if d.SummaryIndex >= 0 && d.SummaryIndex < len(o.sums) {
			o.sums[d.SummaryIndex] += d.Text
		}
	case *protocol.UnknownDelta:
	}
}

// data is the entry as it stands, for an end that the agent did not give.
func (o *entry) data() protocol.EntryData {
	text := string(o.text)
	switch d := o.start.Data.(type) {
	case *protocol.MessageData:
		c := *d
		c.Text = text
		return &c
	case *protocol.ThinkingData:
		c := *d
		c.Text, c.Summary = text, o.sums
		return &c
	case *protocol.ToolCallData:
		c := *d
		c.Output, c.Arguments, c.ExitCode, c.Status = text, string(o.args), o.exit, protocol.ToolError
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

func (s *State) entryID(k adapters.EntryKey) string {
	return protocol.EntryID(s.link.incarnation, uint32(k))
}

func (s *State) turnID() string {
	if s.turn == nil {
		return ""
	}
	return s.turn.id
}

func (s *State) entryOpened(d adapters.EntryOpened) {
	id := s.entryID(d.Key)
	if last, _ := s.ids.last(s.link.incarnation); d.Data == nil || uint32(d.Key) <= last {
		s.link.dropped++
		return
	}
	if isWork(d.Type) {
		s.working()
	}
	s.emit(&protocol.EntryStart{
		TurnID: s.turnID(), EntryID: id, EntryType: d.Type, Data: d.Data, PersistentID: d.PersistentID, Round: d.Round,
	})
}

func (s *State) entryBound(d adapters.EntryBound) {
	if d.Key == 0 { // of an earlier incarnation
		if incarnation, _, ok := protocol.ParseEntryID(d.ID); !ok || incarnation >= s.link.incarnation {
			s.link.dropped++
			return
		}
		s.emit(&protocol.EntryMeta{EntryID: d.ID, PersistentID: d.PersistentID})
		return
	}
	if last, _ := s.ids.last(s.link.incarnation); d.Key == 0 || uint32(d.Key) > last {
		s.link.dropped++
		return
	}
	s.emit(&protocol.EntryMeta{EntryID: s.entryID(d.Key), PersistentID: d.PersistentID})
}

func (s *State) entryChanged(d adapters.EntryChanged) {
	o := s.openEntry(d.Key)
	if d.Delta == nil || o == nil {
		s.link.dropped++
		return
	}
	s.emit(&protocol.EntryDelta{EntryID: o.start.EntryID, Delta: d.Delta})
}

// openEntry is an open entry of the running incarnation; nil: there is none.
func (s *State) openEntry(k adapters.EntryKey) *entry {
	if s.link.last == nil || s.link.lastKey != k {
		s.link.lastKey, s.link.last = k, s.entries[s.entryID(k)]
	}
	return s.link.last
}

func (s *State) entryClosed(d adapters.EntryClosed) {
	o := s.openEntry(d.Key)
	if o == nil {
		s.link.dropped++
		return
	}
	id := o.start.EntryID
	data := d.Data
	if data == nil {
		data = o.data()
	}
	s.emit(&protocol.EntryEnd{
		TurnID: o.start.TurnID, EntryID: id, EntryType: o.start.EntryType, Data: data, PersistentID: d.PersistentID,
		Incomplete: d.Incomplete, Reason: d.Reason,
	})
}

// runningOn says of open entries that they outlive the turn which ends: tool calls that the agent names, and those of earlier
// turns, which have outlived theirs.
func (s *State) runningOn(named []adapters.EntryKey) func(*entry) bool {
	return func(o *entry) bool {
		if !isToolCall(o) {
			return false
		}
		if t := o.start.TurnID; t != "" && t != s.turnID() {
			return true
		}
		return slices.ContainsFunc(named, func(k adapters.EntryKey) bool { return s.entryID(k) == o.start.EntryID })
	}
}

func nothing(*entry) bool { return false }

// closeEntries ends what the agent left open, but for some, in the order of opening.
func (s *State) closeEntries(reason string, but func(*entry) bool) {
	open := make([]*entry, 0, len(s.entries))
	for _, o := range s.entries {
		if !but(o) {
			open = append(open, o)
		}
	}
	sort.Slice(open, func(i, j int) bool { return open[i].seq < open[j].seq })
	for _, o := range open {
		s.emit(&protocol.EntryEnd{
			TurnID: o.start.TurnID, EntryID: o.start.EntryID, EntryType: o.start.EntryType, Data: o.data(),
			Incomplete: true, Reason: reason,
		})
	}
}
