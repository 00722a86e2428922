package needs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// maxDepth bounds the way from a session to the one that it lives with.
const maxDepth = 16

// Roster is the list of sessions and what they wait for. The zero Roster is empty.
type Roster struct {
	sessions map[string]*Row // of each session one, also where it lives with another one and has no row of the list
	inbox    []resource.InboxRequest
	known    map[string]bool // requests of the inbox, by their keys; nil: it was not read yet

	made   bool        // what follows is as the sessions and the inbox are
	rows   []*Row      // of the list, in order
	counts [groups]int // of rows
	filter string      // whose
	kept   []*Row      // rows these are; nil: to be made
}

// Key names a request among those of all sessions.
func Key(session, request string) string { return session + "/" + request }

// SplitKey takes a key of Key apart; false: it is none.
func SplitKey(key string) (session, request string, is bool) { return strings.Cut(key, "/") }

// Put takes a session as it is now; look says that the requests may have changed.
func (r *Roster) Put(s resource.SessionSummary) (look bool) {
	if r.sessions == nil {
		r.sessions = map[string]*Row{}
	}
	row := r.sessions[s.ID]
	if row == nil {
		row = &Row{}
		r.sessions[s.ID] = row
	}
	asked := asks(&row.Session)
	row.Session, row.words = s, ""
	r.made = false
	return asks(&s) || asked || r.waits(s.ID)
}

// Remove takes a session away.
func (r *Roster) Remove(id string) {
	delete(r.sessions, id)
	r.inbox = slices.DeleteFunc(r.inbox, func(q resource.InboxRequest) bool { return q.SessionID == id })
	r.made = false
}

// SetInbox takes what is asked now; fresh is what was not asked before. What is there when it is first read is nothing new.
func (r *Roster) SetInbox(list []resource.InboxRequest) (fresh []resource.InboxRequest) {
	known := make(map[string]bool, len(list))
	for _, q := range list {
		key := Key(q.SessionID, q.Request.RequestID)
		known[key] = true
		if r.known != nil && !r.known[key] {
			fresh = append(fresh, q)
		}
	}
	r.inbox, r.known, r.made = slices.Clone(list), known, false
	return fresh
}

// Session gives a session of the list.
func (r *Roster) Session(id string) (resource.SessionSummary, bool) {
	if row := r.sessions[id]; row != nil {
		return row.Session, true
	}
	return resource.SessionSummary{}, false
}

// Request gives a request that is open.
func (r *Roster) Request(session, request string) (resource.InboxRequest, bool) {
	for _, q := range r.inbox {
		if q.SessionID == session && q.Request.RequestID == request {
			return q, true
		}
	}
	return resource.InboxRequest{}, false
}

// Row gives the row of a session, or of the one that it lives with.
func (r *Roster) Row(id string) (Row, bool) {
	r.arrange()
	if row := r.sessions[r.root(id)]; row != nil {
		return *row, true
	}
	return Row{}, false
}

// Rows are the rows of the list with all words of a filter. They hold until the next change, and must not be changed.
func (r *Roster) Rows(filter string) []*Row {
	r.arrange()
	words := strings.Fields(strings.ToLower(filter))
	if len(words) == 0 {
		return r.rows
	}
	if r.kept == nil || r.filter != filter {
		r.filter, r.kept = filter, []*Row{}
		for _, row := range r.rows {
			if !slices.ContainsFunc(words, func(w string) bool { return !row.has(w) }) {
				r.kept = append(r.kept, row)
			}
		}
	}
	return r.kept
}

// Count is how many rows a group has.
func (r *Roster) Count(g Group) int {
	r.arrange()
	return r.counts[g]
}

// arrange makes the rows of the list, unless nothing has changed.
func (r *Roster) arrange() {
	if r.made {
		return
	}
	for _, row := range r.sessions {
		row.Below, row.Requests = 0, nil
	}
	r.rows = r.rows[:0]
	for id, row := range r.sessions {
		if root := r.root(id); root != id {
			r.sessions[root].Below++
		} else {
			r.rows = append(r.rows, row)
		}
	}
	for _, q := range r.inbox {
		if of := r.sessions[r.root(q.SessionID)]; of != nil {
			of.Requests = append(of.Requests, q)
		}
	}
	r.counts = [groups]int{}
	for _, row := range r.rows {
		row.Group = groupOf(&row.Session, len(row.Requests) > 0)
		r.counts[row.Group]++
	}
	slices.SortFunc(r.rows, order)
	r.made, r.kept = true, nil
}

// order has those first that should be looked at first: of those that need somebody the longest waiting, of others the newest. A session whose state says
// that it waits, and of which nobody knows for what, comes behind those of which one does.
func order(a, b *Row) int {
	known := func(r *Row) int { return min(len(r.Requests), 1) }
	byTime := b.Since().Compare(a.Since())
	if a.Group == NeedsYou {
		byTime = -byTime
	}
	return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(known(b), known(a)), byTime, cmp.Compare(a.Session.ID, b.Session.ID))
}

// root is the session that one lives with.
func (r *Roster) root(id string) string {
	for range maxDepth {
		row := r.sessions[id]
		if row == nil || !row.Session.SubAgent && !row.Session.Spawned {
			break
		}
		if r.sessions[row.Session.ParentSessionID] == nil {
			break
		}
		id = row.Session.ParentSessionID
	}
	return id
}

// waits says that a request of a session is listed.
func (r *Roster) waits(id string) bool {
	return slices.ContainsFunc(r.inbox, func(q resource.InboxRequest) bool { return q.SessionID == id })
}

func asks(s *resource.SessionSummary) bool {
	return s.Status.State == protocol.StateAwaitingApproval || s.Status.State == protocol.StateAwaitingInput
}
