package protocol

// PushInterval is the least time between two pushes of one growing message, in milliseconds of event time (spec §8.4).
const PushInterval = 1000

// Push folds a log into what is pushed to clients that do not poll: the items of the types status, message, tool_call,
// tool_result, completion, error and caller_tool_request, with index 0 and the session's id. Deltas become the message so far, at most one
// per second of event time. It depends on the log alone and not on when a client came, so that all clients get the same.
// It must see the log from its first event.
type Push struct {
	sessionID string
	items     Items
	last      map[string]pushed // by open assistant entry
}

// pushed is what was pushed of an entry.
type pushed struct {
	text string
	ts   int64 // of the last push, or of the entry's start
}

// NewPush makes the push view of one session.
func NewPush(sessionID string) *Push { return &Push{sessionID: sessionID} }

// Item takes the next event and returns what to push for it, if anything.
func (v *Push) Item(e *Event) (SessionEvent, bool) {
	it, ok := v.items.Item(e)
	switch p := e.Payload.(type) {
	case *EntryStart:
		if p.EntryType == EntryAssistantMessage {
			put(&v.last, p.EntryID, pushed{ts: e.Time})
		}
	case *EntryDelta:
		ok = ok && v.grown(p.EntryID, &it)
	case *EntryEnd:
		ok = ok && !(it.Type == ItemMessage && v.last[p.EntryID].text == it.Text)
		delete(v.last, p.EntryID)
	default:
	}
	if !ok || !pushable(it.Type) {
		return SessionEvent{}, false
	}
	it.Index, it.SessionID = 0, v.sessionID
	return it, true
}

// grown makes the item of a delta the message so far, when that is due.
func (v *Push) grown(entryID string, it *SessionEvent) bool {
	last := v.last[entryID]
	if it.Ts-last.ts < PushInterval {
		return false
	}
	text := v.items.entries[entryID].text.String()
	if text == last.text {
		return false
	}
	it.Type, it.Text = ItemMessage, text
	put(&v.last, entryID, pushed{text, it.Ts})
	return true
}

func pushable(t ItemType) bool {
	switch t {
	case ItemStatus, ItemMessage, ItemToolCall, ItemToolResult, ItemCompletion, ItemError, ItemCallerTool:
		return true
	case ItemDelta, ItemThinking, ItemPrompt, ItemRequest, ItemRequestResolved, ItemSystem:
	}
	return false
}
