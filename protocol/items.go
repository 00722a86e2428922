package protocol

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// MessageInterval is the least time between two items of one growing message, in milliseconds of event time (spec §8.2).
const MessageInterval = 1000

// Items folds a log into six-field items: at most one per event, computed from the events alone, so that every channel
// and every replay gives the same. It remembers the open entries and requests and, of the running turn, the ids of tool
// calls that have their result. The zero value is ready; it must see the log from its first event.
type Items struct {
	status   string // the word of the last status item; empty counts as idle
	waiting  State  // awaiting_approval or awaiting_input, where the last status item said so
	state    State  // of the last status event
	lost     bool   // the agent was lost, in a turn or while nothing ran, and no status item has said so yet
	turn     turnItem
	past     turnItem // the turn before it, as it ended
	failure  string   // the error item of the last turn
	entries  map[string]*openItem
	calls    map[string]toolItem // of the running turn, by call id
	requests map[string]placing  // open requests
	queued   map[string]string   // prompts that wait: how they begin, by id
	repeated bool                // the last item repeats an earlier one of its entry
}

// placing is where an item belongs.
type placing struct{ turnID, promptID, entryID, toolName string }

// turnItem is the running turn.
type turnItem struct {
	id, prompt string
	text       string   // how the prompt begins
	heard      bool     // its message has come
	answer     string   // its last assistant message
	steers     []steer  // prompts that went into it and whose message is still to come
	taken      []string // prompts that went into it
}

type openItem struct {
	placing
	kind   EntryType
	seq    uint64 // of its start
	callID string
	called bool // of a tool call: its item was given
	args   []byte

	text   *strings.Builder // of an assistant message, so far
	given  string           // the text of its last message item
	since  int64            // time of that item, or of the entry's start
	untold bool             // the entry began with a text, or another one was set, and no item has had it yet: deltas would not fit
}

type toolItem struct {
	name     string
	resulted bool
}

// Clone gives a copy that is independent from here on.
func (v *Items) Clone() *Items {
	c := *v
	c.turn.steers, c.turn.taken = slices.Clone(v.turn.steers), slices.Clone(v.turn.taken)
	c.calls, c.requests, c.queued, c.entries = maps.Clone(v.calls), maps.Clone(v.requests), maps.Clone(v.queued), maps.Clone(v.entries)
	for id, open := range c.entries {
		own := *open
		own.args = slices.Clone(open.args)
		if open.text != nil {
			own.text = new(strings.Builder)
			own.text.WriteString(open.text.String())
		}
		c.entries[id] = &own
	}
	return &c
}

// Item takes the next event and returns its item, if it has one. The table is in spec §8.2.
func (v *Items) Item(e *Event) (it SessionEvent, ok bool) {
	v.repeated = false
	if p, grows := e.Payload.(*EntryDelta); grows { // most events are of this type: their large item struct is not copied again and again
		v.deltaItem(e.Time, p, &it)
	} else {
		it = v.item(e)
	}
	if it.Type == "" {
		return it, false
	}
	it.Index, it.Seq, it.Ts = int(e.Seq)-1, e.Seq, e.Time
	return it, true
}

func (v *Items) item(e *Event) SessionEvent {
	switch p := e.Payload.(type) {
	case *Status:
		v.state = p.State
		return v.statusItem(p.State)
	case *TurnStart:
		v.turn, v.failure, v.lost = turnItem{id: p.TurnID}, "", false
		if p.Prompt != nil {
			v.turn.prompt, v.turn.text = p.Prompt.PromptID, beginning(p.Prompt.Text)
		}
		clear(v.calls)
	case *TurnEnd:
		return v.turnItem(p)
	case *SessionEnd:
		if text := lines(p.Error, p.Hint); p.Reason == EndError && (text == "" || text != v.failure) {
			return SessionEvent{Type: ItemError, Text: text}
		}
	case *EntryStart:
		return v.startItem(e, p)
	case *EntryEnd:
		return v.endItem(p)
	case *RequestOpened:
		return v.requestItem(p)
	case *RequestResolved:
		return v.resolvedItem(p)
	case *PromptQueued:
		put(&v.queued, p.PromptID, beginning(p.Text))
	case *PromptRemoved:
		return v.removedItem(p)
	case *ChildSession:
		return childItem(p)
	case *SessionStart, *SessionMeta, *Epoch, *EntryDelta, *EntryMeta, *PromptMoved, *TokenUsage, *BudgetMark, *Unknown:
	}
	return SessionEvent{}
}

// statusItem gives an item when the word changes, and when the agent begins or ceases to wait for an answer. Starting, queued and
// interrupting are never the first work after idle, so they change nothing; but whatever comes first after an agent was lost, in a turn or
// while the session was idle, says that it failed.
func (v *Items) statusItem(s State) SessionEvent {
	word, waiting := s.ItemStatus(), State("")
	switch s {
	case StateStarting, StateQueued, StateInterrupting:
		if !v.lost {
			return SessionEvent{}
		}
	case StateAwaitingApproval, StateAwaitingInput:
		waiting = s
	case StateIdle, StateResponding, StateRetrying, StateCompacting, StateRunningTool,
		StateCompleted, StateTerminated, StateFailed:
	default:
		return SessionEvent{}
	}
	if v.lost {
		word = StateFailed.ItemStatus()
	}
	if word == cmp.Or(v.status, StateIdle.ItemStatus()) && waiting == v.waiting && !v.lost {
		return SessionEvent{}
	}
	v.status, v.waiting, v.lost = word, waiting, false
	return SessionEvent{Type: ItemStatus, Text: word, State: s}
}

// turnItem is the one item of a turn's end: its final answer, or its error. A turn whose agent was lost has failed, whatever status the agent
// itself gives it.
func (v *Items) turnItem(p *TurnEnd) SessionEvent {
	turn := v.turn
	if turn.id != p.TurnID {
		turn = turnItem{id: p.TurnID}
	}
	v.turn, v.past = turnItem{}, turn
	clear(v.calls)
	it := SessionEvent{TurnID: turn.id, PromptID: turn.prompt, Reason: p.Cause}
	switch lost := p.Lost(); {
	case p.Failed():
		if v.lost = lost; lost {
			it.Reason = CauseLost
		}
		v.failure = lines(p.Error, p.Hint)
		it.Type, it.Outcome, it.Text = ItemError, ItemFailed, v.failure
	case p.Status == TurnInterrupted:
		it.Type, it.Outcome, it.Text, it.Role = ItemCompletion, ItemInterrupted, turn.answer, "assistant"
	default:
		it.Type, it.Outcome, it.Text, it.Role = ItemCompletion, ItemCompleted, turn.answer, "assistant"
	}
	return it
}

func (v *Items) requestItem(p *RequestOpened) SessionEvent {
	at := placing{p.TurnID, v.promptOf(p.TurnID), p.EntryID, p.ToolName}
	put(&v.requests, p.RequestID, at)
	it := SessionEvent{
		Type: ItemRequest, Text: lines(p.Title, p.Text), RequestID: p.RequestID, Kind: p.Kind,
		ToolKind: p.ToolKind, Subject: p.Subject, Options: p.Options, Questions: p.Questions, Deadline: p.Deadline, Asker: p.SessionID,
	}
	if p.Kind == RequestCallerTool {
		it.Type, it.Tool = ItemCallerTool, strings.TrimPrefix(p.ToolName, CallerToolName(p.CallerID, ""))
		if strings.HasPrefix(p.Arguments, "{") && check([]byte(p.Arguments), MaxDepth) == nil {
			it.Arguments = RawValue(p.Arguments)
		}
	}
	return at.place(it)
}

// childItem tells that a session that works for this one has come to rest, or has ended.
func childItem(p *ChildSession) SessionEvent {
	it := SessionEvent{Type: ItemChild, ChildSessionID: p.ChildSessionID, Reason: p.Cause}
	switch {
	case p.TurnID == "" && p.Ended == "":
		return SessionEvent{}
	case p.TurnStatus == TurnError, p.Cause == CauseLost, p.Ended == EndError:
		it.Outcome = ItemFailed
	case p.TurnStatus == TurnInterrupted:
		it.Outcome = ItemInterrupted
	default:
		it.Outcome = ItemCompleted
	}
	it.Text = cmp.Or(p.Title, p.ChildSessionID) + ": " + string(it.Outcome)
	if p.Ended != "" {
		it.Text += ", and the session has ended"
	}
	return it
}

func (v *Items) resolvedItem(p *RequestResolved) SessionEvent {
	at := v.requests[p.RequestID]
	delete(v.requests, p.RequestID)
	return at.place(SessionEvent{Type: ItemRequestResolved, Text: string(p.Outcome), RequestID: p.RequestID, By: p.By})
}

// promptOf is the prompt of the running turn; empty for any other: their prompts are not kept.
func (v *Items) promptOf(turnID string) string {
	if turnID == "" || turnID != v.turn.id {
		return ""
	}
	return v.turn.prompt
}

// Serves says that the item that was given last belongs to a prompt: to the turn that the prompt made, or to what followed in the turn that
// it went into.
func (v *Items) Serves(it *SessionEvent, promptID string) bool {
	if it.PromptID == promptID {
		return true
	}
	for _, t := range []*turnItem{&v.turn, &v.past} {
		if it.TurnID != "" && it.TurnID == t.id && slices.Contains(t.taken, promptID) {
			return true
		}
	}
	return false
}

func (p *placing) place(it SessionEvent) SessionEvent {
	p.fill(&it)
	return it
}

func (p *placing) fill(it *SessionEvent) {
	it.TurnID, it.PromptID, it.EntryID = p.turnID, p.promptID, p.entryID
	it.ToolName = cmp.Or(it.ToolName, p.toolName)
}

func lines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func put[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}
