package protocol

// Push folds a log into what is pushed to clients that do not poll: the items of the pushed types (spec §8.4), with index 0 and the
// session's id. It depends on the log alone and not on when a client came, so that all clients get the same, and the same as by polling.
// It must see the log from its first event.
type Push struct {
	sessionID string
	items     Items
}

// NewPush makes the push view of one session.
func NewPush(sessionID string) *Push { return &Push{sessionID: sessionID} }

// Item takes the next event and returns what to push for it, if anything. A message that says what was last pushed of its entry is left
// out.
func (v *Push) Item(e *Event) (it SessionEvent, ok bool) {
	it, ok = v.items.Item(e)
	if !ok {
		return it, false
	}
	if !it.Type.Pushed() || v.items.repeated {
		return SessionEvent{}, false
	}
	it.Index, it.SessionID = 0, v.sessionID
	return it, true
}

// Pushed says that items of this type are pushed.
func (t ItemType) Pushed() bool {
	switch t {
	case ItemStatus, ItemMessage, ItemToolCall, ItemToolResult, ItemCompletion, ItemError, ItemRequest, ItemRequestResolved, ItemCallerTool, ItemChild:
		return true
	case ItemDelta, ItemThinking, ItemPrompt, ItemSystem:
	}
	return false
}
