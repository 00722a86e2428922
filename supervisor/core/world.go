package core

import (
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// effects are what a step has decided, in order.
type effects struct{ list []Effect }

func (e *effects) add(x Effect) { e.list = append(e.list, x) }

// fail answers with an error. Nobody waits for ticket 0.
func (e *effects) fail(t Ticket, err error) {
	if t != 0 {
		e.add(Failed{t, err})
	}
}

func (e *effects) done(t Ticket) {
	if t != 0 {
		e.add(Done{t})
	}
}

// world has the members, the agents and the roots. Each change of a member goes to the directory (show), and what must survive the daemon to
// session.json (note).
type world struct {
	cfg       Config
	now       time.Time
	out       effects
	members   members
	agents    agents
	roots     []string
	budgets   budgets
	freed     []string // passive sessions with prompts that may go on waiting no more
	draining  bool
	unsure    bool // another node may have the sessions that may move
	damaged   int  // members
	retention retention
	proofs    proofs
}

// join and leave are the only ways into the members and out; told is how a summary changes.
func (s *world) join(x *member) {
	s.members.join(x)
	s.budgets.ledger.Back(x.summary.ID)
	s.show(x)
	s.spent(x)
}

func (s *world) leave(x *member) {
	s.members.leave(x)
	remove, heir := s.budgets.ledger.Remove, s.budgets.ledger.Heir(x.summary.ID)
	if x.isWithdrawn() {
		remove = s.budgets.ledger.Depart
	}
	if line, changed := remove(x.summary.ID); changed {
		s.out.add(Keep{line})
	}
	s.show(x)
	s.out.add(Gone{x.summary.ID})
	outlives(s, heir)
}

func (s *world) told(x *member, sum session.Summary) {
	sum.Pinned = x.summary.Pinned // which the session does not know
	x.summary = &sum
	s.members.told(x)
	s.show(x)
	s.spent(x)
}

// Copied says that a copy alone tells of a session, so that a question about it waits (OnceProven).
func (s *world) Copied(id string) bool {
	x := s.members.get(id)
	return x != nil && x.copied && !s.proofs.over
}

// current is the summary with the newest event, which the session does not announce unless its state has changed.
func (s *world) current(x *member) *session.Summary {
	if s.cfg.Refresh != nil {
		was := x.summary
		if x.summary = s.cfg.Refresh(was); x.placed == was { // its place is the same
			x.placed = x.summary
		}
	}
	return x.summary
}

// show brings the directory up to date with a session. It must be called after every change of the summary and of the members that takes reads.
func (s *world) show(x *member) {
	if id := x.summary.ID; s.members.byID[id] == x && !x.deleted() {
		s.out.add(Show{id, x.entry(s.draining)})
	} else if x.isWithdrawn() {
		s.out.add(Depart{id})
	} else {
		s.out.add(Hide{id, x.shelf.why != ""})
	}
	if s.members.byID[x.summary.ID] == x {
		s.retention.shelve(x, s.cfg.Keep.Sizes())
	} else {
		s.retention.unshelve(x)
	}
}

// note has session.json written, unless the one that is there stays.
func (s *world) note(x *member) {
	if !x.unread {
		s.out.add(Note{ID: x.summary.ID, Kept: x.kept()})
	}
}

// weaken notes, before a session's journal is written with a weaker durability than before, the weaker one in session.json. Otherwise a start after a
// loss of power would take lost events for ones that nobody has seen. safely says that the session's actor must wait for the note.
func (s *world) weaken(x *member) (safely bool) {
	if x.durability != DurableAlways || s.cfg.Durability == DurableAlways || x.unread {
		return false
	}
	x.durability = s.cfg.Durability
	s.out.add(Note{ID: x.summary.ID, Kept: x.kept(), Safely: true})
	return true
}

// deletes notes a deletion of a session, which from now on does not exist for any other question.
func (s *world) deletes(x *member, t Ticket) {
	x.stir()
	x.deleting = append(x.deleting, t)
	s.show(x)
}

// tell sends to a session that has an actor.
func (s *world) tell(x *member, in session.Input) { s.out.add(Send{x.summary.ID, Letter{Input: in}}) }

// damage notes whether a session's journal can be read as a whole.
func (s *world) damage(x *member, is bool) {
	if x.damaged == is {
		return
	}
	x.damaged = is
	if is {
		s.damaged++
	} else {
		s.damaged--
	}
}

// answerCreate answers all questions that wait for a new session.
func (s *world) answerCreate(x *member, err error) {
	t, repeats := x.creating, x.repeats
	if t == 0 {
		return
	}
	x.creating, x.repeats = 0, nil
	s.made(t, Created{Summary: *x.summary}, err)
	for _, r := range repeats {
		s.made(r, Created{Summary: *x.summary, Repeated: true}, err)
	}
}

func (s *world) made(t Ticket, c Created, err error) {
	if err != nil {
		s.out.fail(t, err)
		return
	}
	s.out.add(Made{t, c})
}

// NotFound is the answer about a session that does not exist, and about one that the caller may not know of.
func NotFound() error {
	return &protocol.Problem{Code: protocol.CodeSessionNotFound, Detail: "No session has this id.", Hint: protocol.TermListSessions + " lists the sessions."}
}

func unpinnable() error {
	return &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "A newer build of the daemon wrote what is kept of the session, and this one leaves it as it is.",
		Hint: "Such a session is not removed by itself. Start the newer build to change it.",
	}
}

func draining() error {
	return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The daemon is shutting down.", Hint: "Try again once it runs again."}
}

// CannotWrite is the answer to a client whose new session cannot be stored, where the reason is not known.
func CannotWrite() error {
	return &protocol.Problem{Code: protocol.CodeReadOnly, Detail: "The data folder takes no new session.", Hint: "See the daemon's log."}
}
