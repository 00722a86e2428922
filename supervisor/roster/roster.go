// Package roster is the list of sessions as readers follow it: a list first, then what has changed since. Everybody reads it without a question. The
// supervisor's actor alone writes what it has of this node's sessions; those of other nodes come from Core.
//
// Every change has a revision. A session stands in the order of its newest change, so that a reader that is far behind gets each session once, as it is
// now, and costs what has changed and not how often.
package roster

import (
	"cmp"
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxGone is how many sessions that are gone are known by their revision. Who has been away for more lists again.
const maxGone = 4096

// Session is a session as of its newest change. It does not change any more.
type Session struct {
	ID       string
	Revision uint64
	Gone     bool // it was deleted, and this is what it was
	Live     bool // it has an actor that takes questions: reading its log starts nothing
	Away     bool // it is on another node, or on none
	stays    bool // it is gone from this node alone
	summary  *session.Summary
	head     *session.Head
}

// Summary is what lists show, with the newest event. It does not change.
func (s *Session) Summary() *session.Summary { return s.head.Refresh(s.summary) }

// Cursor is the position of the newest event.
func (s *Session) Cursor() protocol.Cursor { return s.Summary().Cursor() }

// About is what selects a session: its Seq and Updated may be behind.
func (s *Session) About() *session.Summary { return s.summary }

// Place is where it stands in the order of creation.
func (s *Session) Place() Place { return Place{s.summary.Created.UnixMilli(), s.ID} }

// Tells says that About tells of status, turn, prompts and requests what the log shows now. Where it does not, a change of the list follows.
func (s *Session) Tells() bool { return s.head.Tells(s.summary) }

// Wake has a bell rung once, when the session's log has come to a number; there is one such bell. A session that was not taken up since the daemon's start
// rings none: a change of the list comes first.
func (s *Session) Wake(seq uint64, b *ring.Bell) { s.head.Wake(seq, b) }

// Missing stands for a session of which it is only known that it is gone.
func Missing(id string) *Session {
	return &Session{ID: id, Gone: true, summary: &session.Summary{ID: id}}
}

// Roster has the sessions that are not being deleted. Make it with New.
type Roster struct {
	run    string
	mu     sync.RWMutex
	now    uint64 // revision of the newest change
	lost   uint64 // revision of the newest one that went without being known any more
	byID   map[string]*node
	sets   map[set]*order      // of those that are not gone; none is empty
	newest *node               // by its change
	gone   []*node             // in the order of their revisions
	bells  map[*ring.Bell]bool // true: of one who looks at all nodes
	hung   map[*node]struct{}  // those with bells of their own
	asking map[string]*node    // those that wait for an answer
	away   int                 // sessions that are not on this node
}

// node is one session in the order of changes, and in the sets that it is in.
type node struct {
	place        Place // in the sets
	session      *Session
	older, newer *node
	bells        map[*ring.Bell]struct{}
}

// New makes an empty roster, at a revision: who has seen that it is empty is told of a session that comes and goes again.
func New() *Roster {
	return &Roster{
		now: 1, run: rand.Text()[:10], byID: map[string]*node{}, sets: map[set]*order{}, bells: map[*ring.Bell]bool{}, asking: map[string]*node{},
		hung: map[*node]struct{}{},
	}
}

// Name is the text of a revision. It names the daemon's run as well: another one counts anew.
func (r *Roster) Name(revision uint64) string {
	return r.run + "." + strconv.FormatUint(revision, 10)
}

// Named reads the text of a revision; false: it is none of this run.
func (r *Roster) Named(text string) (revision uint64, ok bool) {
	run, number, _ := strings.Cut(text, ".")
	n, err := strconv.ParseUint(number, 10, 64)
	return n, run == r.run && err == nil && n > 0
}

// Put notes a session as it is now. The summary must not change any more; head may be nil.
func (r *Roster) Put(sum *session.Summary, head *session.Head, live bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.change(&Session{ID: sum.ID, Live: live, summary: sum, head: head})
}

// Remove notes that a session of this node is gone.
func (r *Roster) Remove(id string) { r.Hide(id, false) }

// Hide is Remove. stays: Core may have the session still, and then PutAway brings it back.
func (r *Roster) Hide(id string, stays bool) { r.remove(id, false, stays) }

func (r *Roster) remove(id string, isAway, stays bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	x := r.byID[id]
	if x == nil || x.session.Gone || x.session.Away != isAway {
		return
	}
	n := r.change(&Session{ID: id, Gone: true, Away: isAway, stays: stays, summary: x.session.summary})
	r.gone = append(r.gone, n)
	for len(r.gone) > maxGone {
		first := r.gone[0]
		r.gone[0], r.gone = nil, r.gone[1:]
		if id := first.session.ID; first.session.Gone && r.byID[id] == first { // it may have come back, and gone again
			r.lost = first.session.Revision
			r.unlink(first)
			delete(r.byID, id)
			delete(r.hung, first)
		}
	}
}

func (r *Roster) change(s *Session) *node {
	n := r.byID[s.ID]
	if n != nil && n.session.Away && !n.session.Gone {
		r.away--
	}
	if s.Away && !s.Gone {
		r.away++
	}
	if n == nil {
		n = new(node)
		r.byID[s.ID] = n
	} else {
		r.unlink(n)
	}
	r.now++
	s.Revision = r.now
	r.place(n, s)
	n.session = s
	if len(s.summary.Open) > 0 && !s.Gone {
		r.asking[s.ID] = n
	} else {
		delete(r.asking, s.ID)
	}
	n.older, n.newer = r.newest, nil
	if r.newest != nil {
		r.newest.newer = n
	}
	r.newest = n
	for b := range n.bells {
		b.Ring()
	}
	for b := range r.bells {
		b.Ring()
	}
	return n
}

func (r *Roster) unlink(n *node) {
	if n.older != nil {
		n.older.newer = n.newer
	}
	if n.newer != nil {
		n.newer.older = n.older
	} else {
		r.newest = n.older
	}
}

// Now is the revision of the newest change.
func (r *Roster) Now() uint64 {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.now
}

// Len counts the sessions.
func (r *Roster) Len() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.count()
}

func (r *Roster) count() int {
	if has := r.sets[all]; has != nil {
		return has.count
	}
	return 0
}

// Here counts those of this node.
func (r *Roster) Here() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.count() - r.away
}

// IsFollowed says that somebody has hung a bell into the list, and not for the sessions of this node alone, or on one of another node.
func (r *Roster) IsFollowed() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, looks := range r.bells {
		if looks {
			return true
		}
	}
	for n := range r.hung {
		if n.session.Away && !n.session.Gone {
			return true
		}
	}
	return false
}

// Find gives a session; nil: there is none.
func (r *Roster) Find(id string) *Session {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if n := r.byID[id]; n != nil && !n.session.Gone {
		return n.session
	}
	return nil
}

// Since gives the sessions that have changed after a revision, in the order of their newest changes, and the revision up to which that is. From revision
// 0 on that is the whole list, without those that are gone; what has changed while it was read may be newer than the revision, and is among the changes
// after it. ok is false where it is not known any more what is gone since: the reader lists again.
func (r *Roster) Since(revision uint64) (changed []*Session, now uint64, ok bool) {
	if revision == 0 {
		changed, now = r.whole()
		return changed, now, true
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if revision < r.lost || revision > r.now {
		return nil, r.now, false
	}
	var first *node
	for n := r.newest; n != nil && n.session.Revision > revision; n = n.older {
		first = n
	}
	for n := first; n != nil; n = n.newer {
		changed = append(changed, n.session)
	}
	return changed, r.now, true
}

// whole reads the list in pieces, so that who writes it waits for none but one of them.
func (r *Roster) whole() (all []*Session, now uint64) {
	const piece = 256
	look := r.Newest(&Choice{}, nil, piece)
	all, now = make([]*Session, 0, look.Of), look.Revision
	for {
		all = append(all, look.Sessions...)
		if len(look.Sessions) < piece {
			break
		}
		last := look.Sessions[piece-1].Place()
		look = r.Newest(&Choice{}, &last, piece)
	}
	slices.SortFunc(all, func(a, b *Session) int { return cmp.Compare(a.Revision, b.Revision) })
	return all, now
}

// Asking gives the sessions that wait for an answer, in no order, and the revision up to which that is.
func (r *Roster) Asking() (asking []*Session, now uint64) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, n := range r.asking {
		asking = append(asking, n.session)
	}
	return asking, r.now
}

// Hang has a bell rung at every change of any session.
func (r *Roster) Hang(b *ring.Bell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bells[b] = true
}

// HangHere is Hang for who needs the sessions of this node alone: for that one, other nodes' need not be looked for.
func (r *Roster) HangHere(b *ring.Bell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bells[b] = false
}

// Unhang takes it away.
func (r *Roster) Unhang(b *ring.Bell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.bells, b)
}

// HangOn has a bell rung at every change of one session; false: there is no such session.
func (r *Roster) HangOn(id string, b *ring.Bell) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.byID[id]
	if n == nil || n.session.Gone {
		return false
	}
	if n.bells == nil {
		n.bells = map[*ring.Bell]struct{}{}
	}
	n.bells[b] = struct{}{}
	r.hung[n] = struct{}{}
	return true
}

// UnhangFrom takes it away.
func (r *Roster) UnhangFrom(id string, b *ring.Bell) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := r.byID[id]; n != nil {
		if delete(n.bells, b); len(n.bells) == 0 {
			delete(r.hung, n)
		}
	}
}
