package protocol

import "slices"

// set gives an entry its whole data. The copy is shallow: deltas replace strings, and copy the one list they change.
func (x *EntryState) set(t EntryType, d EntryData, persistentID string) {
	x.EntryType, x.Data = t, CopyData(t, d)
	x.text, x.args, x.summary = grower{}, grower{}, nil
	if persistentID != "" {
		x.PersistentID = persistentID
	}
}

// CopyData copies the struct, so that deltas do not change the event it came with.
func CopyData(t EntryType, d EntryData) EntryData {
	switch d := d.(type) {
	case *MessageData:
		return new(*d)
	case *ToolCallData:
		return new(*d)
	case *ToolResultData:
		return new(*d)
	case *ThinkingData:
		c := *d
		c.Summary = slices.Clone(c.Summary)
		return &c
	case *PlanData:
		return new(*d)
	case *CompactionData:
		return new(*d)
	case *SystemData:
		return new(*d)
	case *UnknownData:
		return new(*d)
	}
	return NewEntryData(t)
}

// apply changes an open entry. A delta that does not fit the entry's type changes nothing.
func (x *EntryState) apply(d Delta) {
	switch d := d.(type) {
	case *TextAppend:
		if text := TextOf(x.Data); text != nil {
			x.text.add(text, d.Text)
		}
	case *TextSet:
		if text := TextOf(x.Data); text != nil {
			*text, x.text = d.Text, grower{}
		}
	case *ArgumentsAppend:
		if call, ok := x.Data.(*ToolCallData); ok {
			x.args.add(&call.Arguments, d.Text)
		}
	case *StatusChange:
		if call, ok := x.Data.(*ToolCallData); ok {
			call.Status = d.Status
			if d.Output != "" {
				x.text.add(&call.Output, d.Output)
			}
			if d.ExitCode != nil {
				call.ExitCode = d.ExitCode
			}
		}
	case *SummaryAppend:
		if th, ok := x.Data.(*ThinkingData); ok && d.SummaryIndex >= 0 && d.SummaryIndex < MaxSummaries {
			for len(th.Summary) <= d.SummaryIndex {
				th.Summary = append(th.Summary, "")
			}
			for len(x.summary) <= d.SummaryIndex {
				x.summary = append(x.summary, grower{})
			}
			x.summary[d.SummaryIndex].add(&th.Summary[d.SummaryIndex], d.Text)
		}
	case *UnknownDelta:
	}
}

// TextOf is the text that text_append and text_set change; nil where the type has none.
func TextOf(d EntryData) *string {
	switch d := d.(type) {
	case *MessageData:
		return &d.Text
	case *ToolCallData:
		return &d.Output
	case *ToolResultData:
		return &d.Output
	case *ThinkingData:
		return &d.Text
	case *PlanData:
		return &d.Text
	case *CompactionData:
		return &d.Summary
	case *SystemData:
		return &d.Text
	case *UnknownData:
	}
	return nil
}
