package protocol

import (
	"cmp"
	"strings"
)

func (v *Items) startItem(e *Event, p *EntryStart) SessionEvent {
	open := &openItem{
		placing: placing{turnID: p.TurnID, promptID: v.promptOf(p.TurnID), entryID: p.EntryID},
		kind:    p.EntryType, seq: e.Seq, since: e.Time,
	}
	put(&v.entries, p.EntryID, open)
	switch d := p.Data.(type) {
	case *MessageData:
		if p.EntryType == EntryAssistantMessage {
			open.text = new(strings.Builder)
			open.text.WriteString(d.Text)
			open.untold = d.Text != ""
		}
	case *ToolCallData:
		open.toolName, open.callID = d.ToolName, d.CallID
		open.argue(cmp.Or(d.Arguments, d.Command))
		if d.CallID != "" {
			put(&v.calls, d.CallID, toolItem{name: d.ToolName})
		}
		if d.Status != ToolPending {
			return open.callItem()
		}
	default:
	}
	return SessionEvent{}
}

func (v *Items) deltaItem(now int64, p *EntryDelta, it *SessionEvent) {
	open := v.entries[p.EntryID]
	switch {
	case open == nil:
	case open.text != nil:
		open.grow(now, p.Delta, it)
	case open.kind == EntryToolCall && !open.called:
		*it = open.prepare(p.Delta)
	}
}

// grow takes a change of an assistant message. Once a second it gives the message so far; text that is appended meanwhile is a delta, unless
// no item has had the text that it would be appended to.
func (o *openItem) grow(now int64, d Delta, it *SessionEvent) {
	delta := ""
	switch d := d.(type) {
	case *TextAppend:
		if d.Text == "" {
			return
		}
		o.text.WriteString(d.Text)
		delta = d.Text
	case *TextSet:
		if d.Text == o.text.String() {
			return
		}
		o.text = new(strings.Builder)
		o.text.WriteString(d.Text)
		o.untold = true
	case *ArgumentsAppend, *StatusChange, *SummaryAppend, *UnknownDelta:
		return
	}
	switch {
	case now-o.since >= MessageInterval && o.text.Len() > 0 && o.text.String() != o.given:
		o.given, o.since, o.untold = o.text.String(), now, false
		it.Type, it.Text = ItemMessage, o.given
	case o.untold || delta == "":
		return
	default:
		it.Type, it.Text = ItemDelta, delta
	}
	it.Role, it.EntrySeq = "assistant", o.seq
	o.fill(it)
}

// prepare waits for the arguments of a tool call: they are whole when the call is not pending any more.
func (o *openItem) prepare(d Delta) SessionEvent {
	switch d := d.(type) {
	case *ArgumentsAppend:
		o.argue(d.Text)
		return SessionEvent{}
	case *StatusChange:
		if d.Status == ToolPending {
			return SessionEvent{}
		}
	case *TextAppend, *TextSet:
	case *SummaryAppend, *UnknownDelta:
		return SessionEvent{}
	}
	return o.callItem()
}

func (o *openItem) callItem() SessionEvent {
	o.called = true
	it := SessionEvent{Type: ItemToolCall, CallID: o.callID, Arguments: oneLine(string(o.args))}
	o.args = nil
	return o.place(it)
}

func (v *Items) endItem(p *EntryEnd) SessionEvent {
	open := v.entries[p.EntryID]
	delete(v.entries, p.EntryID)
	if open == nil {
		open = &openItem{placing: placing{turnID: p.TurnID, promptID: v.promptOf(p.TurnID), entryID: p.EntryID}}
	}
	it := SessionEvent{}
	switch d := p.Data.(type) {
	case *MessageData:
		return v.messageItem(open, p, d)
	case *ToolCallData:
		return v.resultItem(open, d.CallID, SessionEvent{
			ToolName: d.ToolName, Text: d.Output, Truncated: d.Truncated, Bytes: d.Bytes,
			IsError: d.Status == ToolError || p.Incomplete, Arguments: oneLine(cmp.Or(d.Arguments, d.Command)),
		})
	case *ToolResultData:
		return v.resultItem(open, d.CallID, SessionEvent{Text: d.Output, IsError: d.IsError, Truncated: d.Truncated, Bytes: d.Bytes})
	case *ThinkingData:
		it = textItem(ItemThinking, thinkingText(d))
	case *PlanData:
		it = textItem(ItemSystem, planText(d))
	case *CompactionData:
		it = textItem(ItemSystem, d.Summary)
	case *SystemData:
		it = textItem(ItemSystem, d.Text)
		if d.Level == "error" {
			it = textItem(ItemError, d.Text)
		}
		if d.Kind == KindAgentLost && p.TurnID == "" {
			it.Reason, v.lost = CauseLost, v.state == StateIdle
		}
	case *UnknownData:
	}
	if it.Type == "" {
		return it
	}
	return open.place(it)
}

// messageItem is the whole text of a message, or the prompt that it is.
func (v *Items) messageItem(open *openItem, p *EntryEnd, d *MessageData) SessionEvent {
	switch {
	case d.Text == "":
		return SessionEvent{}
	case p.EntryType == EntryUserMessage:
		it := open.place(SessionEvent{Type: ItemPrompt, Text: d.Text, Role: "user", Truncated: d.Truncated, Bytes: d.Bytes})
		if p.TurnID == v.turn.id {
			it.PromptID = v.turn.asked(d.Text)
		}
		return it
	}
	v.turn.answer = d.Text
	v.repeated = d.Text == open.given && !d.Truncated
	return open.place(SessionEvent{
		Type: ItemMessage, Text: d.Text, Role: "assistant", EntrySeq: open.seq, Truncated: d.Truncated, Bytes: d.Bytes,
	})
}

// resultItem gives a call its one result: whichever of its two entries ends first.
func (v *Items) resultItem(open *openItem, callID string, it SessionEvent) SessionEvent {
	call := v.calls[callID]
	if callID != "" {
		if call.resulted {
			return SessionEvent{}
		}
		it.ToolName = cmp.Or(it.ToolName, call.name)
		put(&v.calls, callID, toolItem{name: it.ToolName, resulted: true})
	}
	it.Type, it.CallID = ItemToolResult, callID
	return open.place(it)
}

func textItem(t ItemType, text string) SessionEvent {
	if text == "" {
		return SessionEvent{}
	}
	return SessionEvent{Type: t, Text: text}
}

// thinkingText is the thinking itself or, where the agent shows only summaries, those.
func thinkingText(d *ThinkingData) string {
	if d.Text != "" {
		return d.Text
	}
	return strings.Join(d.Summary, "\n\n")
}

func planText(d *PlanData) string {
	var b strings.Builder
	b.WriteString(d.Text)
	for _, s := range d.Steps {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		if s.Status != "" {
			b.WriteString("[" + s.Status + "] ")
		}
		b.WriteString(s.Text)
	}
	return b.String()
}
