package codex

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries are the items of the thread that have entries.
type entries struct {
	keys   native.Counter[adapters.EntryKey]
	limit  int              // of one text, in bytes
	folder string           // that paths of diffs are relative to
	items  map[string]*item // by native id; the newest of those that share one
}

// item is an item of the thread that has an entry.
type item struct {
	typ    string // native type
	id     string
	turn   string
	key    adapters.EntryKey
	closed bool
	gap    bool  // deltas of it were lost
	older  *item // another turn's item of the same id: ids are the model provider's

	budget  native.Budget
	text    []byte // what went out as deltas, of items that the agent may drop
	summary [][]byte

	wire     wireItem // as last told, of tool calls
	approved bool     // the user let it run
	asking   int      // approvals that are open

	call *protocol.ToolCallData // of a tool call in a rollout file of the legacy mode
}

// find looks for the item of a turn.
func (e *entries) find(turn, id []byte) *item {
	for it := e.items[string(id)]; it != nil; it = it.older {
		if it.turn == string(turn) {
			return it
		}
	}
	return nil
}

// add gives an item its key. It is found from then on.
func (e *entries) add(it *item) *item {
	it.key, it.older = e.keys.Next(), e.items[it.id]
	e.items[it.id] = it
	return it
}

// know notes an item that the log has already, and that is over: what comes of it again is not new.
func (e *entries) know(turn string, w *wireItem) {
	e.items[w.ID] = &item{typ: w.Type, id: w.ID, turn: turn, closed: true, older: e.items[w.ID]}
}

// open opens the entry of an item.
func (e *entries) open(turn string, w *wireItem, pictures []string, extra []protocol.Member, out *adapters.Output) *item {
	it := e.add(&item{typ: w.Type, id: w.ID, turn: turn, budget: native.Budget{Limit: e.limit}})
	it.learn(w)
	data := e.data(w, pictures)
	addExtra(data, extra)
	out.Draft(adapters.EntryOpened{Key: it.key, Type: w.entryType(), Data: data, PersistentID: w.ID})
	if d, ok := data.(*protocol.ToolCallData); ok && d.Output != "" {
		it.budget.Take(d.Output) // already there; deltas come behind it
		if d.Truncated {
			it.budget.Mute()
		}
	}
	return it
}

// close closes an entry with the item's final object.
func (e *entries) close(it *item, w *wireItem, pictures []string, out *adapters.Output) {
	it.learn(w)
	it.closed = true
	data := e.data(w, pictures)
	if it.gap {
		addExtra(data, gapMark)
	}
	out.Draft(adapters.EntryClosed{Key: it.key, Data: data})
}

// recover says an item that was over before this connection began, and marks it.
func (e *entries) recover(turn string, w *wireItem, pictures []string, out *adapters.Output) {
	data := e.data(w, pictures)
	addExtra(data, []protocol.Member{{Key: "recovered", Value: []byte("true")}})
	it := e.add(&item{typ: w.Type, id: w.ID, turn: turn, closed: true})
	out.Draft(adapters.EntryOpened{Key: it.key, Type: w.entryType(), Data: data, PersistentID: w.ID})
	out.Draft(adapters.EntryClosed{Key: it.key, Data: data})
}

// say says what has no id, and is over.
func (e *entries) say(typ protocol.EntryType, data protocol.EntryData, out *adapters.Output) {
	key := e.keys.Next()
	out.Draft(adapters.EntryOpened{Key: key, Type: typ, Data: data})
	out.Draft(adapters.EntryClosed{Key: key, Data: data})
}

// dropHalf closes what the agent was saying and will not end: it begins anew.
func (e *entries) dropHalf(reason string, out *adapters.Output) {
	for _, it := range e.living() {
		if !it.keeps() {
			continue
		}
		it.closed = true
		data := it.said()
		if it.gap {
			addExtra(data, gapMark)
		}
		out.Draft(adapters.EntryClosed{Key: it.key, Data: data, Incomplete: true, Reason: reason})
	}
}

// endTurn gives up what is open at the end of a turn: the session closes it, but for commands that run on, whose keys it gives.
func (e *entries) endTurn() (running []adapters.EntryKey) {
	for _, it := range e.living() {
		if it.runsOn() {
			running = append(running, it.key)
		} else {
			it.closed = true
		}
	}
	return running
}

// prune forgets the items that are closed: a turn begins.
func (e *entries) prune() {
	for id, it := range e.items {
		if it = it.living(); it == nil {
			delete(e.items, id)
		} else {
			e.items[id] = it
		}
	}
}

// lose notes that deltas are lost.
func (e *entries) lose() {
	for _, it := range e.living() {
		it.gap = true
	}
}

// living are the items that are open, in the order of their keys.
func (e *entries) living() (list []*item) {
	for _, it := range e.items {
		for ; it != nil; it = it.older {
			if !it.closed {
				list = append(list, it)
			}
		}
	}
	slices.SortFunc(list, func(a, b *item) int { return int(a.key) - int(b.key) })
	return list
}

// keeps says that the text is needed when the agent drops the item.
func (it *item) keeps() bool {
	return it.typ == "agentMessage" || it.typ == "reasoning" || it.typ == "plan"
}

// living is the newest item of this id that is not closed.
func (it *item) living() *item {
	for it != nil && it.closed {
		it = it.older
	}
	if it != nil {
		it.older = it.older.living()
	}
	return it
}

// said is the data of an item as far as its deltas went.
func (it *item) said() protocol.EntryData {
	switch it.typ {
	case "reasoning":
		d := &protocol.ThinkingData{Text: string(it.text)}
		for _, s := range it.summary {
			d.Summary = append(d.Summary, string(s))
		}
		return d
	case "plan":
		return &protocol.PlanData{Text: string(it.text)}
	}
	return &protocol.MessageData{Role: "assistant", Text: string(it.text)}
}

// gapMark marks an entry whose beginning was not seen.
var gapMark = []protocol.Member{{Key: "gap", Value: []byte("true")}}
