package placement

import "github.com/ringmaster-agents/ringmaster/actors/core"

// recall takes a session in that is this node's already, and somebody asks for: it is owed, or retention has left it to Core.
func (t *taker) recall(at core.Position) {
	id := at.Session
	if _, owed := t.owed[id]; !owed && t.MayReturn(id, cursorOf(at)) {
		t.owed[id] = arrival{Claimed: core.Claimed{At: at}}
	}
	t.retry(t.family(id)...)
}

// family are the sessions that are owed and of one family with one of them.
func (t *taker) family(id string) (ids []string) {
	for one, x := range t.owed {
		if one == id || x.Record.Root != "" && x.Record.Root == t.owed[id].Record.Root {
			ids = append(ids, one)
		}
	}
	return ids
}

// found is what somebody is told who has asked for a session that is this node's in Core.
func (t *taker) found(id string) error {
	_, owed := t.owed[id]
	switch {
	case t.Knows(id):
		return nil
	case !owed && t.wasFull():
		return unavailable("This node's disk does not take the session.", "Make room on its disk, or ask another node. The daemon's log says more.")
	}
	return unavailable("The session is this node's now, and what Core has of it could not be read.", "The daemon's log says why. Ask again.")
}
