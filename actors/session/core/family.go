package core

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// family is the part of a state that knows the sessions which work for this one: sub-agents of its agent, and sessions that were made for it.
type family struct {
	children map[string]protocol.ChildSession // by session id; nil: none
	fresh    []string                         // of them, since the newest turn began, in order
}

func (f *family) apply(p *protocol.ChildSession) {
	if _, known := f.children[p.ChildSessionID]; !known {
		f.fresh = append(f.fresh, p.ChildSessionID)
	}
	put(&f.children, p.ChildSessionID, *p)
}

// names says that an event names a session for the first time.
func (f *family) names(p protocol.Payload) bool {
	c, is := p.(*protocol.ChildSession)
	if !is {
		return false
	}
	_, known := f.children[c.ChildSessionID]
	return !known
}

// spawned says that a child has an agent of its own: it may outlive this session's, and needs nothing of its connection.
func (f *family) spawned(id string) bool { return f.children[id].NativeSessionID == "" }

// began notes what the agent tells of a sub-agent.
func (f *family) began(w *writer, c protocol.ChildSession) protocol.ChildSession {
	old, known := f.children[c.ChildSessionID]
	if c.Title == "" {
		c.Title = old.Title
	}
	if c.EntryID == "" {
		c.EntryID = old.EntryID
	}
	if !known || c != old {
		w.emit(&c)
	}
	return c
}

// note takes note of a session that was made for this one. The supervisor says so again whenever this actor starts.
func (f *family) note(w *writer, in *ChildSpawned) {
	if _, known := f.children[in.ChildID]; !known && w.seq > 0 {
		w.emit(&protocol.ChildSession{ChildSessionID: in.ChildID, Title: in.Title})
	}
}

// rests notes how a session that works for this one has come to rest.
func (f *family) rests(w *writer, in *ChildNews) {
	c, known := f.children[in.ChildID]
	if !known || c.NativeSessionID != "" || protocol.TurnNumber(in.TurnID) < protocol.TurnNumber(c.TurnID) {
		return
	}
	was := c
	c.TurnID, c.TurnStatus, c.Cause, c.Ended = in.TurnID, in.TurnStatus, in.Cause, in.Ended
	if c == was || c.Ended == "" && c.TurnID == was.TurnID {
		return
	}
	w.emit(&c)
}

// adoptAgain asks once more for the sessions of the newest sub-agents.
func (f *family) adoptAgain(w *writer, policy *protocol.Policy) {
	for _, id := range f.fresh {
		if !f.spawned(id) {
			c := f.children[id]
			w.do(AdoptChild{ChildID: id, NativeID: c.NativeSessionID, Title: c.Title, Policy: policy, Again: true})
		}
	}
}

// ask asks those children that are at work what they have open; each asks its own.
func (f *family) ask(w *writer) {
	for _, id := range slices.Sorted(maps.Keys(f.children)) {
		w.do(ToSession{id, &TellRoot{}})
	}
}
