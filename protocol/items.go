package protocol

import (
	"maps"
	"strings"
)

// ItemType discriminates the six-field items (spec §8).
type ItemType string

// The item types. Those from ItemThinking on are additions to what older clients know.
const (
	ItemStatus          ItemType = "status"
	ItemDelta           ItemType = "delta"
	ItemMessage         ItemType = "message"
	ItemToolCall        ItemType = "tool_call"
	ItemToolResult      ItemType = "tool_result"
	ItemCompletion      ItemType = "completion"
	ItemError           ItemType = "error"
	ItemThinking        ItemType = "thinking"
	ItemPrompt          ItemType = "prompt"
	ItemRequest         ItemType = "request"
	ItemRequestResolved ItemType = "request_resolved"
	ItemSystem          ItemType = "system"
	ItemCallerTool      ItemType = "caller_tool_request"
)

// SessionEvent is one item of the six-field view (spec §8). Absent members are empty ones.
type SessionEvent struct {
	Index     int      `json:"index"` // seq - 1 when polled; 0 when pushed
	Type      ItemType `json:"type"`
	Text      string   `json:"text,omitempty"`
	ToolName  string   `json:"tool_name,omitempty"`
	Role      string   `json:"role,omitempty"`
	SessionID string   `json:"session_id,omitempty"` // set when pushed and for polls over several sessions
	Seq       uint64   `json:"seq,omitempty"`
	Ts        int64    `json:"ts,omitempty"`
	// Of a caller_tool_request: what its answer names, the tool as its caller has named it, and what it is called with.
	RequestID string    `json:"request_id,omitempty"`
	Tool      string    `json:"tool,omitempty"`
	Arguments RawObject `json:"arguments,omitempty"`
}

// RawObject is a JSON object, as text.
type RawObject string

// MarshalJSON gives the object itself.
func (o RawObject) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return []byte(o), nil
}

// UnmarshalJSON takes the object as it is.
func (o *RawObject) UnmarshalJSON(b []byte) error {
	*o = RawObject(b)
	return nil
}

// Items folds a log into six-field items: at most one per event, computed from the events alone, so that every channel
// and every replay gives the same. It remembers the open entries and requests and, of the running turn, the ids of tool
// calls that have their result. The zero value is ready; it must see the log from its first event.
type Items struct {
	status   string // the word of the last status item; empty counts as idle
	answer   string // the last assistant message of the running turn
	failure  string // the error item of the last turn
	entries  map[string]*openItem
	calls    map[string]toolItem // of the running turn, by call id
	requests map[string]string   // open requests: tool name by id
}

type openItem struct {
	kind EntryType
	text *strings.Builder // of an assistant message, so far
}

type toolItem struct {
	name     string
	resulted bool
}

// Clone gives a fold that goes its own way from here.
func (v *Items) Clone() *Items {
	c := *v
	c.calls, c.requests, c.entries = maps.Clone(v.calls), maps.Clone(v.requests), maps.Clone(v.entries)
	for id, open := range c.entries {
		if open.text != nil {
			text := new(strings.Builder)
			text.WriteString(open.text.String())
			c.entries[id] = &openItem{kind: open.kind, text: text}
		}
	}
	return &c
}

// Item takes the next event and returns its item, if it has one. The table is in spec §8.2.
func (v *Items) Item(e *Event) (SessionEvent, bool) {
	it := v.item(e.Payload)
	if it.Type == "" {
		return SessionEvent{}, false
	}
	it.Index, it.Seq, it.Ts = int(e.Seq)-1, e.Seq, e.Time
	return it, true
}

func (v *Items) item(p Payload) SessionEvent {
	switch p := p.(type) {
	case *Status:
		return v.statusItem(p.State)
	case *TurnStart:
		v.answer, v.failure = "", ""
		clear(v.calls)
	case *TurnEnd:
		return v.turnItem(p)
	case *SessionEnd:
		if text := lines(p.Error, p.Hint); p.Reason == EndError && (text == "" || text != v.failure) {
			return SessionEvent{Type: ItemError, Text: text}
		}
	case *EntryStart:
		return v.startItem(p)
	case *EntryDelta:
		return v.deltaItem(p)
	case *EntryEnd:
		return v.endItem(p)
	case *RequestOpened:
		put(&v.requests, p.RequestID, p.ToolName)
		return requestItem(p)
	case *RequestResolved:
		tool := v.requests[p.RequestID]
		delete(v.requests, p.RequestID)
		return SessionEvent{Type: ItemRequestResolved, Text: string(p.Outcome), ToolName: tool}
	case *SessionStart, *SessionMeta, *ChildSession, *Epoch, *EntryMeta, *PromptQueued, *PromptMoved, *PromptRemoved, *TokenUsage, *Unknown:
	}
	return SessionEvent{}
}

// statusItem gives an item when the word changes. Starting, queued, interrupting and waiting for an answer are never
// the first work after idle, so they change nothing.
func (v *Items) statusItem(s State) SessionEvent {
	switch s {
	case StateStarting, StateQueued, StateInterrupting, StateAwaitingApproval, StateAwaitingInput:
		return SessionEvent{}
	case StateIdle, StateResponding, StateRetrying, StateCompacting, StateRunningTool,
		StateCompleted, StateTerminated, StateFailed:
	default:
		return SessionEvent{}
	}
	word := s.ItemStatus()
	if word == v.status || word == string(StateIdle) && v.status == "" {
		return SessionEvent{}
	}
	v.status = word
	return SessionEvent{Type: ItemStatus, Text: word}
}

// turnItem is the one end of a turn: its final answer, or what failed.
func (v *Items) turnItem(p *TurnEnd) SessionEvent {
	answer := v.answer
	v.answer = ""
	clear(v.calls)
	if p.Status == TurnError {
		v.failure = lines(p.Error, p.Hint)
		return SessionEvent{Type: ItemError, Text: v.failure}
	}
	return SessionEvent{Type: ItemCompletion, Text: answer, Role: "assistant"}
}

func (v *Items) startItem(p *EntryStart) SessionEvent {
	open := &openItem{kind: p.EntryType}
	put(&v.entries, p.EntryID, open)
	switch d := p.Data.(type) {
	case *MessageData:
		if p.EntryType == EntryAssistantMessage {
			open.text = new(strings.Builder)
			open.text.WriteString(d.Text)
		}
	case *ToolCallData:
		if d.CallID != "" {
			put(&v.calls, d.CallID, toolItem{name: d.ToolName})
		}
		return SessionEvent{Type: ItemToolCall, ToolName: d.ToolName}
	default:
	}
	return SessionEvent{}
}

func (v *Items) deltaItem(p *EntryDelta) SessionEvent {
	open := v.entries[p.EntryID]
	if open == nil || open.text == nil {
		return SessionEvent{}
	}
	switch d := p.Delta.(type) {
	case *TextAppend:
		if d.Text != "" {
			open.text.WriteString(d.Text)
			return SessionEvent{Type: ItemDelta, Text: d.Text, Role: "assistant"}
		}
	case *TextSet:
		if d.Text != open.text.String() {
			open.text = new(strings.Builder)
			open.text.WriteString(d.Text)
			return SessionEvent{Type: ItemMessage, Text: d.Text, Role: "assistant"}
		}
	case *ArgumentsAppend, *StatusChange, *SummaryAppend, *UnknownDelta:
	}
	return SessionEvent{}
}

func (v *Items) endItem(p *EntryEnd) SessionEvent {
	delete(v.entries, p.EntryID)
	switch d := p.Data.(type) {
	case *MessageData:
		if d.Text == "" {
			return SessionEvent{}
		}
		if p.EntryType == EntryUserMessage {
			return SessionEvent{Type: ItemPrompt, Text: d.Text, Role: "user"}
		}
		v.answer = d.Text
		return SessionEvent{Type: ItemMessage, Text: d.Text, Role: "assistant"}
	case *ToolCallData:
		return v.resultItem(d.CallID, d.ToolName, d.Output)
	case *ToolResultData:
		return v.resultItem(d.CallID, "", d.Output)
	case *ThinkingData:
		return textItem(ItemThinking, thinkingText(d))
	case *PlanData:
		return textItem(ItemSystem, planText(d))
	case *CompactionData:
		return textItem(ItemSystem, d.Summary)
	case *SystemData:
		if d.Level == "error" {
			return textItem(ItemError, d.Text)
		}
		return textItem(ItemSystem, d.Text)
	case *UnknownData:
	}
	return SessionEvent{}
}

// resultItem gives a call its one result: whichever of its two entries ends first.
func (v *Items) resultItem(callID, name, output string) SessionEvent {
	call := v.calls[callID]
	if callID != "" {
		if call.resulted {
			return SessionEvent{}
		}
		if name == "" {
			name = call.name
		}
		put(&v.calls, callID, toolItem{name: name, resulted: true})
	}
	return SessionEvent{Type: ItemToolResult, ToolName: name, Text: output}
}

func requestItem(p *RequestOpened) SessionEvent {
	it := SessionEvent{Type: ItemRequest, Text: lines(p.Title, p.Text), ToolName: p.ToolName}
	if p.Kind == RequestCallerTool {
		it.Type, it.RequestID, it.Tool = ItemCallerTool, p.RequestID, strings.TrimPrefix(p.ToolName, CallerToolName(p.CallerID, ""))
		if strings.HasPrefix(p.Arguments, "{") && check([]byte(p.Arguments), MaxDepth) == nil {
			it.Arguments = RawObject(p.Arguments)
		}
	}
	return it
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

func lines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func put[V any](m *map[string]V, k string, v V) {
	if *m == nil {
		*m = make(map[string]V)
	}
	(*m)[k] = v
}
