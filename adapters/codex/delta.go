package codex

import (
	"bytes"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// deltaOf says what a delta adds to.
type deltaOf int

const (
	noDelta deltaOf = iota
	ofMessage
	ofPlan
	ofSummary
	ofReasoning
	ofCommand
	ofFileChange
	ofMCP // what a tool says of its progress, a line each
)

func deltaKind(method string) deltaOf {
	switch method {
	case "item/agentMessage/delta":
		return ofMessage
	case "item/plan/delta":
		return ofPlan
	case "item/reasoning/summaryTextDelta":
		return ofSummary
	case "item/reasoning/textDelta":
		return ofReasoning
	case "item/commandExecution/outputDelta":
		return ofCommand
	case "item/fileChange/outputDelta":
		return ofFileChange
	case "item/mcpToolCall/progress":
		return ofMCP
	}
	return noDelta
}

// itemType is the type of the items that a delta is of.
func (d deltaOf) itemType() string {
	switch d {
	case ofMessage:
		return "agentMessage"
	case ofPlan:
		return "plan"
	case ofSummary, ofReasoning:
		return "reasoning"
	case ofCommand:
		return "commandExecution"
	case ofFileChange:
		return "fileChange"
	case ofMCP:
		return "mcpToolCall"
	case noDelta:
	}
	return ""
}

// delta is the short way for deltas: it walks once through the members that it needs. It says whether it has handled the
// line.
func (t *Translator) delta(line []byte, out *adapters.Output) bool {
	if !bytes.HasPrefix(line, itemHead) || line[len(line)-1] != '}' || t.history.busy {
		return false
	}
	walk := native.Scan(line)
	_, method, ok := walk.Next()
	if !ok || len(method) < len(`"elta"`) {
		return false
	}
	kind := deltaKind(string(method[1 : len(method)-1]))
	if kind == noDelta {
		return false
	}
	key, ok := walk.Key()
	if !ok || string(key) != "params" {
		return false
	}
	p := walk.Object()
	var thread, turn, id, text []byte
	summary := 0
	for {
		key, value, more := p.Next()
		if !more {
			break
		}
		switch string(key) {
		case "threadId":
			thread = unquote(value)
		case "turnId":
			turn = unquote(value)
		case "itemId":
			id = unquote(value)
		case "delta", "message":
			text = value
		case "summaryIndex":
			summary = native.Number(value)
		}
	}
	// Bad is set by what follows the object: the walk is inside of the line.
	if len(text) < 2 || text[0] != '"' || len(id) == 0 || string(thread) != t.thread {
		return false
	}
	t.usage.repeats = false
	it := t.find(turn, id)
	if it == nil {
		it = t.unseen(kind, string(turn), string(id), out)
	}
	t.grow(it, kind, summary, text, out)
	return true
}

// unquote is a string without escapes, as ids are; nil for anything else.
func unquote(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 {
		return nil
	}
	return value[1 : len(value)-1]
}

// slowDelta is the long way, for deltas whose members stand in another order.
func (t *Translator) slowDelta(kind deltaOf, params []byte, out *adapters.Output) {
	turn, id := text(params, "turnId"), text(params, "itemId")
	if id == "" {
		return
	}
	it := t.find([]byte(turn), []byte(id))
	if it == nil {
		it = t.unseen(kind, turn, id, out)
	}
	value := member(params, "delta")
	if kind == ofMCP {
		value = member(params, "message")
	}
	summary := 0
	if kind == ofSummary {
		summary = native.Number(member(params, "summaryIndex"))
	}
	t.grow(it, kind, summary, value, out)
}

// grow adds a delta, a JSON string, to an open item. Items that are closed or unknown take nothing.
func (t *Translator) grow(it *item, kind deltaOf, summary int, value []byte, out *adapters.Output) {
	if it == nil || it.closed || it.typ != kind.itemType() {
		return
	}
	t.atWork(out)
	if it.budget.Spent() {
		return
	}
	delta := native.Text(value)
	if kind == ofMCP && delta != "" {
		delta += "\n"
	}
	if delta = it.budget.Take(delta); delta == "" {
		return
	}
	if kind != ofSummary {
		if it.keeps() {
			it.text = append(it.text, delta...)
		}
		out.Draft(adapters.EntryChanged{Key: it.key, Delta: &protocol.TextAppend{Text: delta}})
		return
	}
	if summary < 0 || summary >= maxSummaries {
		return
	}
	for len(it.summary) <= summary {
		it.summary = append(it.summary, nil)
	}
	it.summary[summary] = append(it.summary[summary], delta...)
	out.Draft(adapters.EntryChanged{Key: it.key, Delta: &protocol.SummaryAppend{SummaryIndex: summary, Text: delta}})
}

// maxSummaries bounds the parts of a reasoning summary.
const maxSummaries = 100

// unseen opens the entry of an item whose beginning was not seen: this connection joined in the middle of it, or a line was
// lost. What came before the delta is missing until the item's end, and the entry says so.
func (t *Translator) unseen(kind deltaOf, turn, id string, out *adapters.Output) *item {
	if !t.locate(turn, out) {
		return nil // a straggler of a turn that is over
	}
	w := wireItem{Type: kind.itemType(), ID: id, Status: "inProgress"}
	return t.openItem(turn, &w, gapMark, out)
}
