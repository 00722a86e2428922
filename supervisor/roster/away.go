package roster

import "github.com/ringmaster-agents/ringmaster/actors/session"

// PutAway notes a session that is on another node, as it is now. One of this node stands as it is, also while it is known that it is gone.
func (r *Roster) PutAway(sum *session.Summary) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := r.byID[sum.ID]; n == nil || n.session.Away || n.session.stays {
		r.change(&Session{ID: sum.ID, Away: true, summary: sum})
	}
}

// RemoveAway notes that a session is gone that is on another node.
func (r *Roster) RemoveAway(id string) { r.remove(id, true, false) }

// HasEnded says of a session that is on another node that it has ended, as far as the list tells.
func (r *Roster) HasEnded(id string) bool {
	x := r.Find(id)
	return x != nil && x.Away && x.About().Status.State.Ended()
}

// Nobody is the node of a session that none has.
const Nobody = "nobody"

// Leave notes that a session of this node is another one's, or on its way: it stays in the list as it was, until PutAway says where it is. Nobody takes it for
// deleted in between.
func (r *Roster) Leave(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.byID[id]
	if n == nil || n.session.Gone || n.session.Away {
		return
	}
	sum := *n.session.Summary()
	sum.Node = Nobody
	r.change(&Session{ID: id, Away: true, summary: &sum})
}
