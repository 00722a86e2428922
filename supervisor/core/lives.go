package core

import (
	"fmt"
	"time"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	maxActorCrashes = 5
	// quarantineAfter is the number of crashes after which the oldest batch that was never journaled is taken for their cause.
	quarantineAfter = 3
	// crashMemory is how long an actor must live for its earlier crashes to be forgotten, and how long one that fails for
	// ever is left alone.
	crashMemory = time.Minute
	// leastRevival is the least delay before the first restart. It is doubled with each restart, and jitter adds at most as much again.
	leastRevival = 50 * time.Millisecond
)

// The reasons with which open entries and turns of a log are closed.
const (
	SessionRestarted = "session restarted"
	DaemonRestarted  = "daemon restarted"
	NodeLost         = "node lost"
)

// lives are those of the members' actors and agents.
type lives struct {
	world
	lives     uint64 // actors of sessions that were ever started
	actors    int    // of sessions, that have not ended
	adapters  int    // that have not ended
	processes int    // of agents, started or being started, that are not gone
}

// activate starts the actor of a passive session from its journal.
func (s *lives) activate(x *member) {
	w := Wake{
		ID: x.summary.ID, Agent: x.summary.Agent, PowerLoss: x.open && x.rebooted, Always: x.durability == DurableAlways, Least: x.least, Left: x.opening,
	}
	w.Whole, w.Safely = w.PowerLoss || x.crashes > 0 || x.doubted || x.summary.Damage != nil, s.weaken(x)
	x.stale, x.doubted = false, false
	defer s.tellChildren(x)
	if x.linked != 0 { // the agent still runs: only the actor was lost
		w.Rejoin, w.Recover.Incarnation, w.Poisoned = true, x.linked, x.crashes >= quarantineAfter
		w.Life = s.begin(x)
		s.out.add(w)
		s.begun(x)
		if w.Poisoned { // a batch of the agent is left out of the log, so the agent and the log differ: another start replaces it
			s.out.add(StopAgent{x.summary.ID})
		}
		return
	}
	w.Recover = session.Recover{
		Reason: SessionRestarted, Resume: x.open, Told: !x.open && !x.untold && x.crashes == 0, Incarnation: x.incarnation,
	}
	if x.open {
		w.Recover.Reason = DaemonRestarted
	}
	if x.lost {
		w.Recover.Reason = NodeLost
	}
	x.untold, x.lost = false, false
	w.Life = s.begin(x)
	s.out.add(w)
	s.begun(x)
}

// begin and begun go before and behind the start of an actor.
func (s *lives) begin(x *member) (life uint64) {
	s.lives++
	s.actors++
	s.members.lives(x, true)
	x.stir()
	x.life, x.spawned, x.stopping, x.parking, x.closed = s.lives, s.now, false, false, 0
	return x.life
}

func (s *lives) begun(x *member) {
	s.begunUnder(x)
	s.show(x)
	x.swept, x.quiet = x.summary.Seq, s.now
	if !x.making { // else there is no folder yet
		s.note(x)
	}
}

// actorEnded takes the end of a session's actor.
func (s *lives) actorEnded(x *member, settled uint64) {
	x.least = max(x.least, settled)
	x.closed = settled
	s.members.lives(x, false)
	x.stopping, x.parking, x.reopens = false, false, false
	s.show(x)
	s.cancelStarting(x)
}

// failed starts the actor of a session again, with a growing delay; after maxActorCrashes the session stays passive for crashMemory.
func (s *lives) failed(x *member) {
	if x.isSealed() {
		s.dropAgent(x)
		return
	}
	if s.now.Sub(x.spawned) > crashMemory {
		x.crashes = 0
	}
	x.crashes++
	x.crashed = s.now
	if x.crashes > maxActorCrashes {
		s.out.add(Aside{x.summary.ID, x.crashes})
		s.dropAgent(x)
		s.childGone(x)
		s.note(x)
		return
	}
	s.out.add(ReviveLater{x.summary.ID, x.crashes, s.cfg.jitter(leastRevival << x.crashes)})
}

// putAside says that a session failed so often, just now, that it is not started again yet.
func (s *lives) putAside(x *member) error {
	if x.crashes <= maxActorCrashes || s.now.Sub(x.crashed) > crashMemory {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: fmt.Sprintf("The session failed %d times in a row and was put aside.", x.crashes),
		Hint: "The daemon's log says why. Try again in a minute.",
	}
}

func (s *lives) revive(id string) {
	if x := s.members.byID[id]; x != nil && !x.live && !s.draining && !x.isSealed() {
		s.activate(x)
	}
}

// stop stops the session's actor; sessionEnded goes on at the actor's end.
func (s *lives) stop(x *member) {
	x.stopping = true
	s.show(x)
	s.cancelStarting(x)
	s.out.add(Stop{x.summary.ID})
}

// reopen has another actor look at a session's journal.
func (s *lives) reopen(in *Reopen) {
	if x := s.members.byID[in.ID]; x != nil && x.live && !x.stopping && !s.draining {
		x.reopens, x.doubted, x.least = true, true, max(x.least, in.Newest)
		s.stop(x)
	}
}

// deliver sends to a session's actor, started where it was passive. While the actor is being stopped the letter waits for the next one.
func (s *lives) deliver(x *member, l Letter) {
	switch {
	case s.draining && (!x.live || x.stopping), !x.live && s.putAside(x) != nil, x.isSealed():
		s.out.add(Lose{l})
	case x.live && !x.takes(s.draining), !x.live && s.proofs.lack(x):
		x.stir()
		x.letters = append(x.letters, l)
	default:
		if !x.live {
			s.activate(x)
		}
		s.out.add(Send{x.summary.ID, l})
	}
}

// tellChildren tells a session's new actor of the sessions that work for it: the actor before may have missed it. Sessions with agents of
// their own may also have asked something, or have ended, while the session had no actor: they send their open requests and their news again.
func (s *lives) tellChildren(x *member) {
	for _, c := range s.members.kin.all(x) {
		if c.summary.ParentSessionID == x.summary.ID && !c.summary.SubAgent && c.creating == 0 {
			s.tell(x, &session.ChildSpawned{ChildID: c.summary.ID, Title: c.summary.Title})
		}
		if c != x && c.live && !c.stopping && s.members.root(c) == x && s.members.connected(c) != x {
			s.tell(c, &session.TellRoot{})
		}
		if c.live && !c.stopping && s.members.worksFor(c, x) {
			s.tell(c, &session.TellNews{})
		}
	}
}

// childGone tells the root that a session below it reports nothing any more.
func (s *lives) childGone(x *member) {
	if root := s.members.root(x); dependent(x) && root != x && root.live {
		s.tell(root, &session.ChildGone{ChildID: x.summary.ID})
	}
}

// orphaned says that the session with which this one ends has ended, or was deleted. Where there is a Core, one that is not here may be on another node, or on
// its way: then what is not known to be over is not.
func (s *lives) orphaned(x *member) bool {
	if !dependent(x) || x.ended() {
		return false
	}
	if p := s.members.parent(x); p != nil {
		return p.ended()
	}
	return s.cfg.Over == nil || s.cfg.Over(x.summary.ParentSessionID)
}

// endChildren ends the sub-agents and spawned sessions of a session that has ended.
func (s *lives) endChildren(x *member) {
	for _, c := range s.members.childrenOf(x.summary.ID) {
		s.endChild(c)
	}
}

func (s *lives) endChild(x *member) {
	if !x.ended() && !s.draining {
		s.deliver(x, Letter{Input: &session.End{Reason: "the session that it works for has ended", By: session.ByParent}})
	}
}
