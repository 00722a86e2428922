package core

import (
	"fmt"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/supervisor/keep"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
)

// create makes a session. Its own actor makes the folder, since a sync may take seconds and the supervisor waits for no disk. The answer comes with
// the first summary, when the session is in the journal: a session that cannot be written is taken back (unmade).
func (s *State) create(in *Create) {
	n := &in.Session
	known, parent := s.members.get(in.Bound.Session), s.members.get(n.ParentID)
	if s.proofs.await(in.Ticket, known) || s.proofs.await(in.Ticket, parent) || s.repeated(n, in.Bound, in.Ticket) {
		return
	}
	if err := s.refuses(n, in.Place); err != nil {
		s.out.fail(in.Ticket, err)
		return
	}
	a := s.agents.known[n.Agent]
	if !a.usable() && n.Endpoint == nil {
		if !s.agents.await(a, in.Ticket, s.now, &s.out) {
			s.out.fail(in.Ticket, a.unavailable())
		}
		return
	}
	id := s.cfg.NewID()
	if s.members.byID[id] != nil {
		s.out.fail(in.Ticket, CannotWrite())
		return
	}
	meta := protocol.Metadata{
		Model: n.Model, Cwd: n.Cwd, Title: n.Title, Labels: n.Labels, ParentSessionID: n.ParentID, Policy: n.Policy,
		Owner: n.Owner, Via: n.Via, Spawned: n.Spawned, MCP: n.MCP, Budget: n.Budget,
	}
	x := newMember(nil)
	x.stir().creating, x.endpoint = in.Ticket, n.Endpoint
	s.birth(id, n.Agent, &meta, n.Key, session.Begin{
		Agent: n.Agent, Metadata: meta, Start: true, NativeID: n.NativeSessionID, Mode: n.Mode,
	}, x)
}

// refuses says why a session is not made; nil: it is.
func (s *State) refuses(n *NewSession, place workdir.Place) error {
	if s.draining {
		return draining()
	}
	return s.admission().refuse(n, place)
}

func (s *State) admission() *admission {
	return &admission{cfg: &s.cfg, members: &s.members, agents: &s.agents, budgets: &s.budgets, roots: s.roots}
}

// repeated answers a creation, or a claim, whose key is known; false: it is not. The session may be in the making still, and the key on its
// way to the disk: then the question is asked again.
func (s *State) repeated(n *NewSession, k Bound, t Ticket) bool {
	x := s.members.get(k.Session)
	if n.Key.Name == "" || x == nil {
		return false // it was deleted, and its key with it
	}
	switch {
	case k.Sum != n.Key.sum:
		s.out.fail(t, &protocol.Problem{
			Code: protocol.CodeConflict, Detail: "The " + protocol.TermIdempotencyKey + " was used for something else, in session " + k.Session + ".",
			Hint: "Give each session that you want a key of its own, and repeat a call as it was.",
		})
	case x.creating != 0:
		x.repeats = append(x.repeats, t)
	case !k.Safe:
		s.out.add(AskOnceSafe{t})
	default:
		s.out.add(Made{t, Created{Summary: *s.current(x), Repeated: true, Found: k.Found}})
	}
	return true
}

func (s *State) claim(in *Claim) {
	switch x := s.members.get(in.ID); {
	case s.proofs.await(in.Ticket, s.members.get(in.Bound.Session)), s.proofs.await(in.Ticket, x):
	case s.repeated(&in.Session, in.Bound, in.Ticket):
	case x == nil:
		s.out.fail(in.Ticket, NotFound())
	default:
		s.out.add(Bind{in.Ticket, Created{Summary: *s.current(x), Found: true}})
	}
}

// created answers Create once the session is in the journal: a session that a client was told of survives the daemon.
func (s *State) created(x *member) {
	if x.creating == 0 {
		return
	}
	if x.summary.ReadOnly {
		s.answerCreate(x, CannotWrite())
		s.deletes(x, 0)
		s.stop(x)
		return
	}
	if p := s.members.get(x.summary.ParentSessionID); p != nil && !x.summary.SubAgent {
		s.deliver(p, Letter{Input: &session.ChildSpawned{ChildID: x.summary.ID, Title: x.summary.Title}})
	}
	s.answerCreate(x, nil)
}

// unmade takes a session back whose folder could not be made.
func (s *State) unmade(in *Unmade) {
	x := s.members.byID[in.ID]
	if x == nil {
		return
	}
	x.foreign = in.Foreign
	s.answerCreate(x, in.Err)
	s.deletes(x, 0)
	if x.live && !x.stopping {
		s.stop(x)
	}
}

// opened takes the result of opening the journal. A damaged session takes nothing from its agent any more.
func (s *State) opened(in *Opened) {
	x := s.members.byID[in.ID]
	if x == nil {
		return
	}
	s.recovered(x)
	if x.making {
		x.making = false
		s.note(x)
	}
	s.damage(x, in.Damaged)
	if in.Damaged {
		s.dropAgent(x)
	}
}

// announced takes a new summary. Where the journal could not be read as a whole, members that only the earlier summary has stay.
func (s *State) announced(sum *session.Summary) {
	x := s.members.byID[sum.ID]
	if x == nil {
		return
	}
	ended := x.ended()
	if sum.ReadOnly && sum.Seq < x.summary.Seq {
		damaged := *x.summary
		damaged.ReadOnly, damaged.Damage = true, sum.Damage
		x.summary = &damaged
		s.show(x)
	} else {
		s.told(x, *sum)
	}
	if !x.summary.ReadOnly { // taken up: its log tells of lost events by now
		x.open, x.boot, x.durability = false, s.cfg.Boot, s.cfg.Durability
	}
	if !ended && x.ended() {
		s.endChildren(x)
		s.letGo()
	}
	s.created(x)
	if x.deleted() {
		return // there may be no folder
	}
	s.note(x)
}

// sessionEnded takes the end of an actor: one that was told to stop, or one that failed.
func (s *State) sessionEnded(in *ActorEnded) {
	s.actors--
	x := s.members.byID[in.ID]
	if x == nil || !x.live || x.life != in.Life {
		return
	}
	asked, reopens := x.stopping, x.reopens
	s.actorEnded(x, in.Settled)
	s.recovered(x)
	switch {
	case x.deleted():
		s.removeFolder(x)
		s.awakened(x, false) // somebody deleted what retention was putting away
		return
	case x.creating != 0:
		s.answerCreate(x, CannotWrite())
		s.deletes(x, 0) // no question finds it any more
		s.removeFolder(x)
		return
	case reopens && !s.draining && !x.isSealed():
		s.activate(x)
	case asked, s.draining:
		s.dropAgent(x)
		s.note(x)
	default:
		s.failed(x)
	}
	s.answerFound(x)
	s.awakened(x, true)
	s.sealing(x)
}

// wakeFreed starts the actors of sessions that are to look whether their prompts still wait for room in a budget.
func (s *State) wakeFreed() {
	list := s.freed
	s.freed = nil
	for _, id := range list {
		if x := s.members.get(id); x != nil && !x.live && !s.draining && !x.isSealed() && s.putAside(x) == nil && !s.proofs.lack(x) { // else when it is proven
			s.activate(x)
		}
	}
}

// open begins.
func (s *State) open(hold bool) {
	if s.budgets.stale { // no session that has left comes back to what is written there
		s.out.add(Keep{})
	}
	for _, id := range s.budgets.ledger.Pasts() {
		outlives(&s.world, id)
	}
	s.lookAtBudgets(s.budgets.ledger.Bounded(), s.budgets.ledger.Tenants())
	s.agents.lookForAll(&s.out)
	s.out.add(SweepLater{min(sweepEvery, s.cfg.PassiveAge)})
	if s.cfg.Keep != (keep.Rule{}) {
		s.out.add(RetainLater{retainSoon})
	}
	if !hold {
		s.recoverOpen()
	}
}

// sweepEvery is how often the supervisor looks for idle sessions, or the passive age, if that is shorter.
const sweepEvery = time.Minute

// sweep has idle sessions give back memory (Rest), and asks those that have had no event for PassiveAge to park; one that has readers declines.
func (s *State) sweep() {
	if s.draining {
		return
	}
	s.lookAgain()
	every, families := min(sweepEvery, s.cfg.PassiveAge), s.members.busyFamilies()
	for _, x := range s.members.alive() {
		if x.stopping || x.parking || families[x] || (x.summary.Status.State.Busy() && !x.damaged) {
			continue
		}
		if seq := s.current(x).Seq; seq != x.swept { // not by the time of its newest event: clocks are set
			x.swept, x.quiet = seq, s.now
		}
		quiet := s.now.Sub(x.quiet)
		if quiet < every {
			continue
		}
		s.out.add(Rest{x.summary.ID})
		if quiet >= s.cfg.PassiveAge {
			s.park(x)
		}
	}
	s.out.add(SweepLater{every})
}

// maxRoots are the folders that a daemon has to look through for each session.
const maxRoots = 64

func (s *State) addRoot(in *AddRoot) {
	added := slices.DeleteFunc(in.Folder, func(path string) bool { return workdir.Inside(s.roots, path) })
	if len(s.roots)+len(added) > maxRoots && len(added) > 0 {
		s.out.fail(in.Ticket, &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("The daemon has %d roots, which is the limit.", len(s.roots)),
			Hint: "Start a daemon with a folder above them as its root.",
		})
		return
	}
	if len(added) > 0 {
		s.roots = append(s.roots, added...)
		s.out.add(Roots{added})
		for _, x := range s.members.inOrder() {
			s.goOn(x)
		}
	}
	s.out.done(in.Ticket)
}
