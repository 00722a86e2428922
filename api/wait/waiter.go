package wait

import (
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/selection"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// waiter is one call. The desk's lock guards it while it is at the desk.
type waiter struct {
	list     *access.Roster
	until    *until
	any      bool
	here     bool                 // another node waits, for sessions of this one
	selected *selection.Selection // nil: by their ids alone
	members  map[string]*member
	order    []*member // as they were named, or have come
	holding  int       // members of which it holds
	lost     int       // members that are gone and of which it can never hold
	far      int       // members that are not on this node
	done     chan struct{}
	over     bool          // done is closed
	turned   chan struct{} // one slot: a member has come, or has left
}

// member is a session that is waited for.
type member struct {
	id       string
	named    bool
	at       *roster.Session // as it was last looked at
	because  resource.WaitReason
	deleted  bool
	isFar    bool
	unproved uint64 // revision at which the log said that the prompt is not settled; it is looked at again after that
}

// name adds a session that the call names; false: it is not within reach.
func (w *waiter) name(id string) bool {
	x := w.list.Find(id)
	if x == nil || !w.list.Within(x) {
		return false
	}
	w.join(id, true)
	return true
}

func (w *waiter) join(id string, named bool) *member {
	m := &member{id: id, named: named}
	w.members[id] = m
	w.order = append(w.order, m)
	return m
}

// see takes a session as it is now. A session that has come to match is waited for from then on.
func (w *waiter) see(x *roster.Session) {
	m := w.members[x.ID]
	if m == nil {
		if x.Gone || w.selected == nil || !w.list.Within(x) || !w.selected.Has(w.list, x) {
			return
		}
		m = w.join(x.ID, false)
	}
	switch {
	case m.deleted:
		return
	case m.isFar != x.Away:
		w.turn(m)
	}
	switch {
	case x.Gone:
		w.gone(m)
	default:
		m.at = x
		w.set(m, w.until.holds(x))
		if m.because == resource.BecausePrompt && m.unproved == x.Revision {
			w.set(m, "")
		}
	}
	w.decide()
}

// turn takes note that a session has come to this node, or has left it.
func (w *waiter) turn(m *member) {
	if m.isFar = !m.isFar; m.isFar {
		w.far++
	} else {
		w.far--
	}
	select {
	case w.turned <- struct{}{}:
	default:
	}
}

// hasLeft says that another node waits for a session that has left this one.
func (w *waiter) hasLeft() bool { return w.here && w.far > 0 }

// gone takes note that a session was deleted: what has ended, or is at rest, it is from then on.
func (w *waiter) gone(m *member) {
	m.deleted = true
	switch {
	case w.until.ended:
		w.set(m, resource.BecauseEnded)
	case w.until.rest:
		w.set(m, resource.BecauseRest)
	default:
		w.set(m, "")
		if m.named {
			w.lost++
		} else {
			w.forget(m)
		}
	}
}

func (w *waiter) set(m *member, because resource.WaitReason) {
	if m.because != "" {
		w.holding--
	}
	if because != "" {
		w.holding++
	}
	m.because = because
}

// forget takes a session out that was selected.
func (w *waiter) forget(m *member) {
	delete(w.members, m.id)
	for i, x := range w.order {
		if x == m {
			w.order = append(w.order[:i:i], w.order[i+1:]...)
			return
		}
	}
}

// held says that what is waited for has come. Of no session at all nothing holds.
func (w *waiter) held() bool {
	return w.holding > 0 && (w.any || w.holding == len(w.order))
}

// hopeless says that it cannot come any more.
func (w *waiter) hopeless() bool {
	return w.lost > 0 && !w.any || w.lost == len(w.order) && w.lost > 0 && w.selected == nil
}

// decide ends the wait where it is over.
func (w *waiter) decide() {
	if !w.over && (w.held() || w.hopeless() || w.hasLeft()) {
		w.over = true
		close(w.done)
	}
}

// again goes on after all: the log does not prove what a session's summary says.
func (w *waiter) again(m *member) {
	m.unproved = m.at.Revision
	w.set(m, "")
	w.over, w.done = false, make(chan struct{})
}

// maxRows bounds the sessions of an answer.
const maxRows = 1000

// answer is what is told.
func (w *waiter) answer() resource.WaitAnswer {
	a := resource.WaitAnswer{Held: w.held(), Never: w.hopeless(), Sessions: []resource.WaitedSession{}}
	for _, m := range w.order {
		if w.any && a.Held && m.because == "" {
			continue
		}
		if len(a.Sessions) == maxRows {
			a.LeftOut++
			continue
		}
		row := resource.WaitedSession{SessionID: m.id, Because: m.because, Deleted: m.deleted, Turn: w.until.turnID()}
		if m.at != nil && !m.deleted {
			row.Cursor, row.State = m.at.Cursor().String(), m.at.About().Status.State
		}
		a.Sessions = append(a.Sessions, row)
	}
	return a
}
