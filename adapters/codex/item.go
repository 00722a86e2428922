package codex

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

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

	plan *protocol.PlanData     // of a turn's plan, as last told
	call *protocol.ToolCallData // of a tool call in an older rollout file
}

// keeps says that the text is needed when the agent drops the item.
func (it *item) keeps() bool {
	return it.typ == "agentMessage" || it.typ == "reasoning" || it.typ == "plan"
}

// runsOn says that a command lives on as a background terminal when its turn ends.
func (it *item) runsOn() bool {
	unified := it.wire.Source == "unifiedExecStartup" || it.wire.Source == "unifiedExecInteraction"
	return it.typ == "commandExecution" && it.asking == 0 && (unified || it.approved)
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

// find looks for the item of a turn.
func (t *Translator) find(turn, id []byte) *item {
	for it := t.items[string(id)]; it != nil; it = it.older {
		if it.turn == string(turn) {
			return it
		}
	}
	return nil
}

// ofItem are the parameters of item/started and item/completed.
type ofItem struct {
	TurnID string   `json:"turnId"`
	Item   wireItem `json:"item"`
}

func (t *Translator) itemStarted(params, line []byte, out *adapters.Output) {
	var p ofItem
	_ = native.Decode(params, &p)
	w := &p.Item
	if w.ID == "" || w.entryType() == "" {
		if !isKnownItem(w.Type) {
			native.Keep("item."+w.Type, line, out)
		}
		return
	}
	if t.find([]byte(p.TurnID), []byte(w.ID)) != nil {
		return
	}
	if !t.locate(p.TurnID, out) && w.Type != "commandExecution" { // whose start is told late
		return
	}
	if w.Status == "" {
		w.Status = "inProgress"
	}
	t.openItem(p.TurnID, w, nil, out)
}

func (t *Translator) itemCompleted(params, line []byte, out *adapters.Output) {
	var p ofItem
	_ = native.Decode(params, &p)
	w := &p.Item
	if w.ID == "" || w.entryType() == "" {
		if !isKnownItem(w.Type) {
			native.Keep("item."+w.Type, line, out)
		}
		return
	}
	it := t.find([]byte(p.TurnID), []byte(w.ID))
	if it == nil {
		if !t.locate(p.TurnID, out) && w.Type != "commandExecution" {
			return
		}
		it = t.openItem(p.TurnID, w, nil, out)
	}
	if it.closed {
		return
	}
	t.closeItem(it, w, out)
}

// openItem opens the entry of an item.
func (t *Translator) openItem(turn string, w *wireItem, extra []protocol.Member, out *adapters.Output) *item {
	if w.Type == "userMessage" { // a steer: what the agent was saying is dropped
		t.took(w.ClientID, out)
		t.dropHalf("steered", out)
	}
	t.atWork(out)
	it := &item{typ: w.Type, id: w.ID, turn: turn, key: t.entry(), older: t.items[w.ID], budget: native.Budget{Limit: t.limit}}
	t.items[w.ID] = it
	it.learn(w)
	data := t.data(w)
	addExtra(data, extra)
	out.Draft(adapters.EntryOpened{Key: it.key, Type: w.entryType(), Data: data, PersistentID: w.ID})
	if d, ok := data.(*protocol.ToolCallData); ok && d.Output != "" {
		it.budget.Take(d.Output) // already there; deltas come behind it
	}
	if w.Type == "contextCompaction" && t.turn.on {
		t.turn.phase = protocol.StateCompacting
		out.Draft(adapters.PhaseChanged{State: protocol.StateCompacting})
	}
	t.spawned(it, w, out)
	return it
}

// closeItem closes an entry with the item's final object.
func (t *Translator) closeItem(it *item, w *wireItem, out *adapters.Output) {
	if w.entryType() != itemEntryType(it.typ) {
		return
	}
	it.learn(w)
	it.closed = true
	t.dropRequests(it.key, out)
	t.spawned(it, w, out)
	data := t.data(w)
	if it.gap {
		addExtra(data, gapMark)
	}
	out.Draft(adapters.EntryClosed{Key: it.key, Data: data})
	if w.Type == "contextCompaction" {
		t.atWork(out)
	}
}

// learn keeps what approvals and the end of the turn want to know of a tool call.
func (it *item) learn(w *wireItem) {
	switch w.Type {
	case "commandExecution", "fileChange", "mcpToolCall":
		it.wire = *w
		it.wire.AggregatedOutput = nil
	}
}

// patchUpdated takes a patch that changed while it waits for its approval.
func (t *Translator) patchUpdated(params []byte) {
	var p struct {
		TurnID  string   `json:"turnId"`
		ItemID  string   `json:"itemId"`
		Changes []change `json:"changes"`
	}
	_ = native.Decode(params, &p)
	if it := t.find([]byte(p.TurnID), []byte(p.ItemID)); it != nil && it.typ == "fileChange" {
		it.wire.Changes = p.Changes
	}
}

// dropHalf closes what the agent was saying and will not end: it begins anew.
func (t *Translator) dropHalf(reason string, out *adapters.Output) {
	var half []*item
	for _, it := range t.items {
		for ; it != nil; it = it.older {
			if !it.closed && it.keeps() {
				half = append(half, it)
			}
		}
	}
	slices.SortFunc(half, func(a, b *item) int { return int(a.key) - int(b.key) })
	for _, it := range half {
		it.closed = true
		data := it.said()
		if it.gap {
			addExtra(data, gapMark)
		}
		out.Draft(adapters.EntryClosed{Key: it.key, Data: data, Incomplete: true, Reason: reason})
	}
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
