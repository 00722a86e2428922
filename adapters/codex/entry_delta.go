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

// delta is something that is added to an item. Its parts are those of the line.
type delta struct {
	kind             deltaOf
	thread, turn, id []byte
	summary          int    // the part of a summary
	text             []byte // a JSON string
}

var itemHead = []byte(`{"method":"item/`)

// scan is the short way for deltas: it walks once through the members that it needs. It says whether the line is one.
func (d *delta) scan(line []byte) bool {
	if !bytes.HasPrefix(line, itemHead) || line[len(line)-1] != '}' {
		return false
	}
	walk := native.Scan(line)
	_, method, ok := walk.Next()
	if !ok || len(method) < len(`"elta"`) {
		return false
	}
	if d.kind = deltaKind(string(method[1 : len(method)-1])); d.kind == noDelta {
		return false
	}
	key, ok := walk.Key()
	if !ok || string(key) != "params" {
		return false
	}
	p := walk.Object()
	for {
		key, value, more := p.Next()
		if !more {
			break
		}
		switch string(key) {
		case "threadId":
			d.thread = unquote(value)
		case "turnId":
			d.turn = unquote(value)
		case "itemId":
			d.id = unquote(value)
		case "delta", "message":
			d.text = value
		case "summaryIndex":
			d.summary = native.Number(value)
		}
	}
	// Bad is set by what follows the object: the walk is inside of the line.
	return len(d.text) >= 2 && d.text[0] == '"' && len(d.id) > 0
}

// unquote is a string without escapes, as ids are; nil for anything else.
func unquote(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' || bytes.IndexByte(value, '\\') >= 0 {
		return nil
	}
	return value[1 : len(value)-1]
}

// readDelta is the long way, for deltas whose members stand in another order.
func readDelta(kind deltaOf, params []byte) delta {
	d := delta{kind: kind, turn: []byte(text(params, "turnId")), id: []byte(text(params, "itemId")), text: member(params, "delta")}
	if kind == ofMCP {
		d.text = member(params, "message")
	}
	if kind == ofSummary {
		d.summary = native.Number(member(params, "summaryIndex"))
	}
	return d
}

// takes says that the item is open for a delta of this kind.
func (it *item) takes(kind deltaOf) bool { return !it.closed && it.typ == kind.itemType() }

// grow adds a delta to an item that takes it.
func (it *item) grow(d *delta, out *adapters.Output) {
	if d.kind == ofSummary && it.budget.Spent() {
		return
	}
	more := native.Text(d.text)
	if d.kind == ofMCP && more != "" {
		more += "\n"
	}
	if d.kind != ofSummary {
		more = it.budget.Grow(it.key, more, native.AsText, out)
		if it.keeps() {
			it.text = append(it.text, more...)
		}
		return
	}
	if more = it.budget.Beside(more); more == "" {
		return
	}
	if d.summary < 0 || d.summary >= maxSummaries {
		return
	}
	for len(it.summary) <= d.summary {
		it.summary = append(it.summary, nil)
	}
	it.summary[d.summary] = append(it.summary[d.summary], more...)
	out.Draft(adapters.EntryChanged{Key: it.key, Delta: &protocol.SummaryAppend{SummaryIndex: d.summary, Text: more}})
}

// maxSummaries bounds the parts of a reasoning summary.
const maxSummaries = 100
