package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
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
	ItemChild           ItemType = "child"
)

// ItemTypes are all types of items, in the order of the specification.
func ItemTypes() []ItemType {
	return []ItemType{
		ItemStatus, ItemDelta, ItemMessage, ItemToolCall, ItemToolResult, ItemCompletion, ItemError,
		ItemThinking, ItemPrompt, ItemRequest, ItemRequestResolved, ItemSystem, ItemCallerTool, ItemChild,
	}
}

// ItemOutcome says what became of a turn.
type ItemOutcome string

// The outcomes of a turn: that of a completion is completed or interrupted, that of an error is failed. Rejected is the error of a
// prompt that never made a turn.
const (
	ItemCompleted   ItemOutcome = "completed"
	ItemInterrupted ItemOutcome = "interrupted"
	ItemFailed      ItemOutcome = "failed"
	ItemRejected    ItemOutcome = "rejected"
)

// SessionEvent is one item of the six-field view (spec §8). Absent members are empty ones.
type SessionEvent struct {
	Index     int      `json:"index"`                // seq - 1 when polled; 0 when pushed
	Type      ItemType `json:"type"`                 // what it is
	Text      string   `json:"text,omitempty"`       // for people, and of a message the answer itself
	ToolName  string   `json:"tool_name,omitempty"`  // the tool, as the agent calls it
	Role      string   `json:"role,omitempty"`       // assistant of delta, message and completion; user of prompt
	SessionID string   `json:"session_id,omitempty"` // set when pushed and for polls over several sessions
	Seq       uint64   `json:"seq,omitempty"`        // of the event
	Ts        int64    `json:"ts,omitempty"`         // of the event, Unix ms

	TurnID   string `json:"turn_id,omitempty"`   // the turn that it belongs to
	PromptID string `json:"prompt_id,omitempty"` // the prompt that made the turn; of a prompt item, the prompt itself
	EntryID  string `json:"entry_id,omitempty"`  // the entry that it belongs to
	EntrySeq uint64 `json:"entry_seq,omitempty"` // of delta and message: seq of the entry's start, its place among the items

	State     State       `json:"state,omitempty"`     // of a status
	Outcome   ItemOutcome `json:"outcome,omitempty"`   // of a completion, and of an error that ends a turn
	Reason    TurnCause   `json:"reason,omitempty"`    // of an outcome that is not completed
	CallID    string      `json:"call_id,omitempty"`   // of tool_call and tool_result
	IsError   bool        `json:"is_error,omitempty"`  // of a tool_result: the tool failed, or its end was not seen
	Truncated bool        `json:"truncated,omitempty"` // the text is a beginning; Bytes is the length of the whole
	Bytes     int64       `json:"bytes,omitempty"`     // of a text that is truncated: the length of the whole

	// Of a tool_call and tool_result: a JSON string, one line of what the tool is called with. Of a caller_tool_request: an object.
	Arguments RawValue `json:"arguments,omitempty"`
	Tool      string   `json:"tool,omitempty"` // of a caller_tool_request: as its caller has named it

	RequestID string      `json:"request_id,omitempty"` // of request, request_resolved and caller_tool_request
	Kind      RequestKind `json:"kind,omitempty"`       // of a request: what is asked for
	ToolKind  ToolKind    `json:"tool_kind,omitempty"`  // of a request: what the tool does
	Subject   string      `json:"subject,omitempty"`    // of a request: what the tool works on
	Options   []Option    `json:"options,omitempty"`    // of a request: the answers to choose from
	Questions []Question  `json:"questions,omitempty"`  // of a request: what is asked
	Deadline  int64       `json:"deadline,omitempty"`   // of a request: Unix ms, until when an answer counts
	Asker     string      `json:"asker,omitempty"`      // of a request of another session that this one shows: the session that asks
	By        string      `json:"by,omitempty"`         // of a request_resolved

	ChildSessionID string `json:"child_session_id,omitempty"` // of a child: the session that works for this one
}

// RawValue is a JSON value, as text.
type RawValue string

// MarshalJSON gives the value itself.
func (o RawValue) MarshalJSON() ([]byte, error) {
	if o == "" {
		return []byte("null"), nil
	}
	return []byte(o), nil
}

// UnmarshalJSON takes the value as it is.
func (o *RawValue) UnmarshalJSON(b []byte) error {
	*o = RawValue(b)
	return nil
}

// Equal says that two items are the same on the wire.
func (it SessionEvent) Equal(other SessionEvent) bool {
	if reflect.DeepEqual(it, other) {
		return true
	}
	a, errA := json.Marshal(it)
	b, errB := json.Marshal(other)
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
