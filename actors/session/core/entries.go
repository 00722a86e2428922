package core

import (
	"slices"
	"sort"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// entries is the part of a state that has the open entries.
type entries struct {
	open   map[string]*entry // by public id
	lastID entryOf           // of last: deltas come in long runs for one entry
	last   *entry
}

func (e *entries) applyStart(p *protocol.EntryStart, seq uint64) {
	put(&e.open, p.EntryID, openEntry(p, seq))
}

func (e *entries) applyDelta(p *protocol.EntryDelta) {
	if o := e.open[p.EntryID]; o != nil {
		o.change(p.Delta)
	}
}

func (e *entries) applyEnd(p *protocol.EntryEnd) {
	delete(e.open, p.EntryID)
	e.last = nil
}

// of is an open entry; nil: there is none.
func (e *entries) of(k entryOf) *entry {
	if e.last == nil || e.lastID != k {
		e.lastID, e.last = k, e.open[k.id()]
	}
	return e.last
}

// change writes a delta.
func (e *entries) change(w *writer, l *link, d adapters.EntryChanged) {
	o := e.of(l.entry(d.Key))
	if d.Delta == nil || o == nil {
		l.dropped++
		return
	}
	w.emit(&protocol.EntryDelta{EntryID: o.start.EntryID, Delta: d.Delta})
}

// overflow has readers see more of a text than is kept.
func (e *entries) overflow(w *writer, l *link, d adapters.EntryOverflow) {
	o := e.of(l.entry(d.Key))
	if d.Delta == nil || o == nil {
		l.dropped++
		return
	}
	w.do(Overflow{w.seq, protocol.Overflow{EntryID: o.start.EntryID, Ts: max(w.time, w.now), Offset: d.Offset, Delta: d.Delta}})
}

// end writes an entry's end.
func (e *entries) end(w *writer, l *link, d adapters.EntryClosed) {
	o := e.of(l.entry(d.Key))
	if o == nil {
		l.dropped++
		return
	}
	data := d.Data
	if data == nil {
		data = o.data()
	}
	w.emit(&protocol.EntryEnd{
		TurnID: o.start.TurnID, EntryID: o.start.EntryID, EntryType: o.start.EntryType, Data: data, PersistentID: d.PersistentID,
		Incomplete: d.Incomplete, Reason: d.Reason,
	})
}

// close ends what the agent left open, but for some, in the order of opening.
func (e *entries) close(w *writer, reason string, but func(*entry) bool) {
	open := make([]*entry, 0, len(e.open))
	for _, o := range e.open {
		if !but(o) {
			open = append(open, o)
		}
	}
	sort.Slice(open, func(i, j int) bool { return open[i].seq < open[j].seq })
	for _, o := range open {
		w.emit(&protocol.EntryEnd{
			TurnID: o.start.TurnID, EntryID: o.start.EntryID, EntryType: o.start.EntryType, Data: o.data(),
			Incomplete: true, Reason: reason,
		})
	}
}

// running is the name of the tool call that started last among those that the agent waits for in a turn, and how many there are. What
// runs on in the background, from an earlier turn, is none of them.
func (e *entries) running(turnID string) (name string, n int) {
	var newest uint64
	for _, o := range e.open {
		d, ok := o.start.Data.(*protocol.ToolCallData)
		if !ok || o.tool != protocol.ToolRunning || o.start.TurnID != "" && o.start.TurnID != turnID {
			continue
		}
		n++
		if o.seq > newest {
			newest, name = o.seq, d.ToolName
		}
	}
	return name, n
}

// outliving are the open entries that outlive the turn which ends: tool calls that the agent names, and those of earlier turns, which have
// outlived theirs.
func outliving(l *link, turnID string, named []adapters.EntryKey) func(*entry) bool {
	return func(o *entry) bool {
		if !o.isToolCall() {
			return false
		}
		if t := o.start.TurnID; t != "" && t != turnID {
			return true
		}
		return slices.ContainsFunc(named, func(k adapters.EntryKey) bool { return l.entry(k).id() == o.start.EntryID })
	}
}

func nothing(*entry) bool { return false }
