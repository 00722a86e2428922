package supervisor

import (
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/raw"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/resume"
	"go.uber.org/zap"
)

// member is what the supervisor knows of one session.
type member struct {
	summary    session.Summary // changed by told
	place      place           // that it has among its kin
	open       bool            // as found at boot: an earlier daemon left it at work
	stale      bool            // as found at boot: the summary is older than the journal, or the journal is to be looked at
	refuse     error           // as found at boot: why its files are left as they are; a *journal.VersionError or a *journal.DamageError
	boot       string          // of the machine, in which the journal was written
	durability Durability      // the least that was in force then; empty: not known

	pid      *actor.PID // nil: passive
	ref      session.Ref
	head     *session.Head // of the actor; nil: there was none yet
	spawned  time.Time
	swept    uint64               // newest event as of the sweep before
	quiet    time.Time            // since then there was no other
	crashes  int                  // of the actor, without a minute's life between
	crashed  time.Time            // the last time
	stopping bool                 // the actor was told to stop
	parking  bool                 // it was asked whether it can be
	reopens  bool                 // once it has stopped it is started again
	least    uint64               // event that is known to be in the journal
	found    []*Find              // who asks for it meanwhile
	letters  []session.Message    // for it, meanwhile
	endpoint *adapters.Endpoint   // where its agent runs already; nil: it is started
	opening  bool                 // counts as one of those that are being recovered
	damaged  bool                 // the journal cannot be read as a whole
	making   bool                 // its actor may still be making the folder
	removing bool                 // its folder is going
	foreign  bool                 // the folder was there before it, and stays
	creating *Create              // nil: it is in the journal, and the client has been told
	repeats  []ask.Reply[Created] // of those who have asked for it again meanwhile
	deleting []*Delete
	listed   []*Delete    // wait for its actor to be put away, with those who delete it only as it was listed
	archive  *raw.Archive // nil: no agent has run in this daemon's life

	link        *link       // the newest adapter; nil: none
	incarnation uint32      // the newest that was ever asked for
	untold      bool        // others are to be told what became of it: they could not be, in the end
	wanted      uint32      // incarnation that is being started; 0: none
	starting    *time.Timer // its delay
	process     bool        // a process of an agent is there, or may be: a second one must not
	next        *startAgent // waits for its end
	revoke      func()      // of the token that the process has; nil: it has none
	held        bool        // the newest start was held back: its folder may not be worked in
	given       string      // name of the MCP server that the newest process has; empty: none
}

func (x *member) revokeToken() {
	if x.revoke != nil {
		x.revoke()
		x.revoke = nil
	}
}

// link is a running adapter.
type link struct {
	incarnation uint32
	pid         *actor.PID
	conn        adapters.Conn
	ref         session.AdapterRef
}

// child is an actor below the supervisor.
type child struct {
	session string
	adapter bool // of the session's agent; else it is the session's own
}

const (
	maxActorCrashes = 5
	// quarantineAfter crashes the batch that the journal does not have is taken for the cause.
	quarantineAfter = 3
	// crashMemory is how long an actor must live for its earlier crashes to be forgotten, and how long one that fails for
	// ever is left alone.
	crashMemory = time.Minute
)

// activate starts the actor of a passive session from its journal.
func (s *state) activate(x *member) {
	id, wasOpen, durability, incarnation := x.summary.ID, x.open, x.durability, x.incarnation
	powerLoss, least := wasOpen && s.rebooted[id], x.least
	x.stale = false
	safe := s.weaken(x)
	defer s.tellChildren(x)
	self, refuse := s.self, x.refuse
	open := func(visit func([]byte) error) (*journal.Journal, journal.Recovery, error) {
		safe()
		j, rec, err := journal.Open(s.data.Session(id), journal.Options{FS: s.cfg.Files, PowerLoss: powerLoss, ReadOnly: refuse != nil, Least: least}, visit)
		if refuse != nil {
			err = errors.Join(refuse, err)
		}
		s.health.tornBytes.Add(uint64(max(0, rec.TornBytes)))
		self.Send(&opened{id, session.Damaged(err)})
		return j, rec, err
	}
	if l := x.link; l != nil { // the agent still runs: only the actor was lost
		quarantine := x.crashes >= quarantineAfter
		s.spawn(x, open, func(rec journal.Recovery) session.Input {
			r := &session.Rejoin{Incarnation: l.incarnation, Adapter: l.ref, Quarantine: quarantine}
			if rec.Last.Incarnation == l.incarnation {
				r.Batch = rec.Last.Batch
			}
			return r
		})
		if quarantine { // what it said is not whole any more: end it, and go on with another
			l.ref.Send(&session.StopAgent{Grace: s.cfg.StopGrace})
		}
		return
	}
	reason, told := resume.SessionRestarted, !wasOpen && !x.untold && x.crashes == 0
	x.untold = false
	if wasOpen {
		reason = resume.DaemonRestarted
	}
	s.spawn(x, open, func(rec journal.Recovery) session.Input {
		in := &session.Recover{Reason: reason, Resume: wasOpen, Told: told, Incarnation: max(incarnation, rec.Last.Incarnation)}
		// With DurableAlways, what was not synced had not been shown.
		if lost := rec.Lost > 0 || powerLoss; lost && !(powerLoss && durability == DurableAlways) {
			in.Epoch = rec.Epoch + 1
		}
		return in
	})
}

func (s *state) spawn(
	x *member, open func(func([]byte) error) (*journal.Journal, journal.Recovery, error), first func(journal.Recovery) session.Input,
) {
	x.head = new(session.Head)
	a := s.agents[x.summary.Agent]
	var capabilities adapters.Capabilities
	var lost protocol.TurnStatus
	if a != nil {
		capabilities = a.agent.Capabilities()
		lost = adapters.LostTurn(a.agent)
	}
	resumable := capabilities.Resume
	props := session.Props(session.Config{
		ID: x.summary.ID, Host: s.host, Open: open, First: first,
		Limits: session.Limits{
			Tokens: s.cfg.Tokens,
			Queue:  s.cfg.MaxQueue, Restarts: s.cfg.MaxRestarts, Remembered: 10_000, Resumable: resumable, Restartable: a != nil,
			StopGrace: s.cfg.StopGrace, StallAfter: s.cfg.StallAfter, Capabilities: capabilities,
			LostTurn: lost, MaxText: s.cfg.MaxText,
		},
		RingBytes: s.cfg.RingBytes, Head: x.head, Gauges: &s.health.gauges, SyncFirst: s.cfg.Durability == DurableAlways, Now: s.cfg.Now, Log: s.cfg.Log,
	})
	x.pid = s.ctx.Spawn(props)
	x.ref = ask.NewRef[session.Message](s.ctx.ActorSystem().Root, x.pid)
	x.spawned, x.stopping, x.parking = s.cfg.Now(), false, false
	s.show(x)
	x.swept, x.quiet = x.current().Seq, x.spawned
	s.children[x.pid.Id] = child{session: x.summary.ID}
	s.health.live.Add(1)
	if !x.making { // else there is no folder yet
		s.note(x)
	}
}

// opened says how the journal was found. What is damaged takes nothing from its agent any more.
func (s *state) opened(m *opened) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	s.recovered(x)
	if x.making {
		x.making = false
		s.note(x)
	}
	if x.damaged != m.damaged {
		x.damaged = m.damaged
		if m.damaged {
			s.health.damaged.Add(1)
		} else {
			s.health.damaged.Add(-1)
		}
	}
	if m.damaged {
		s.dropAgent(x)
	}
}

// announced takes a new summary. Of a journal that could not be read as a whole, what the list knew stays.
func (s *state) announced(m *announced) {
	x := s.members[m.summary.ID]
	if x == nil {
		return
	}
	ended := x.summary.Status.State.Ended()
	if m.summary.ReadOnly && m.summary.Seq < x.summary.Seq {
		x.summary.ReadOnly, x.summary.Damage = true, m.summary.Damage
	} else {
		s.told(x, m.summary)
	}
	if !x.summary.ReadOnly { // taken up: what was lost has been told
		x.open, x.boot, x.durability = false, s.boot, s.cfg.Durability
	}
	if !ended && x.summary.Status.State.Ended() {
		s.endChildren(x)
	}
	s.created(x)
	if len(x.deleting) > 0 {
		return // there may be no folder
	}
	s.note(x)
}

// current is the summary with the newest event, which the session does not announce unless its state has changed.
func (x *member) current() *session.Summary {
	if x.head != nil {
		x.head.Refresh(&x.summary)
	}
	return &x.summary
}

// childEnded takes the end of an actor: one that was told to stop, or one that failed.
func (s *state) childEnded(m *childEnded) {
	c, known := s.children[m.pid.Id]
	if !known {
		return
	}
	delete(s.children, m.pid.Id)
	x := s.members[c.session]
	switch {
	case c.adapter:
		s.health.agents.Add(-1)
		if x != nil && x.link != nil && x.link.pid.Equal(m.pid) {
			x.link = nil
			s.note(x)
			s.takeUpAgain(x)
		}
	default:
		s.health.live.Add(-1)
		if x != nil && x.pid != nil && x.pid.Equal(m.pid) {
			s.sessionEnded(x)
		}
	}
	s.drained()
}

func (s *state) sessionEnded(x *member) {
	asked, reopens := x.stopping, x.reopens
	if x.head != nil {
		x.least = max(x.least, x.head.Settled())
	}
	x.pid, x.ref, x.stopping, x.parking, x.reopens = nil, session.Ref{}, false, false, false
	s.show(x)
	s.cancelStarting(x)
	s.recovered(x)
	switch {
	case len(x.deleting) > 0:
		s.remove(x)
		return
	case x.creating != nil:
		x.answerCreate(cannotWrite(nil))
		s.deletes(x, &Delete{ID: x.summary.ID}) // nobody finds it any more
		s.remove(x)
		return
	case reopens && !s.draining:
		s.activate(x)
	case asked, s.draining:
		s.dropAgent(x)
		s.note(x)
	default:
		s.failed(x)
	}
	s.answerFound(x)
}

// failed starts the actor of a session again, later and later; one that fails for ever stays passive for a while.
func (s *state) failed(x *member) {
	now := s.cfg.Now()
	if now.Sub(x.spawned) > crashMemory {
		x.crashes = 0
	}
	x.crashes++
	x.crashed = now
	s.health.actorRestarts.Add(1)
	s.cfg.Log.Error("session actor failed", zap.String("session", x.summary.ID), zap.Int("times", x.crashes))
	if x.crashes > maxActorCrashes {
		s.dropAgent(x)
		s.childGone(x)
		s.note(x)
		return
	}
	id, self := x.summary.ID, s.self
	time.AfterFunc(s.cfg.jitter(50*time.Millisecond<<x.crashes), func() { self.Send(&revive{id}) })
}

// putAside says that a session failed so often, just now, that it is not started again yet.
func (s *state) putAside(x *member) error {
	if x.crashes <= maxActorCrashes || s.cfg.Now().Sub(x.crashed) > crashMemory {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: fmt.Sprintf("The session failed %d times in a row and was put aside.", x.crashes),
		Hint: "The daemon's log says why. Try again in a minute.",
	}
}

func (s *state) revive(m *revive) {
	if x := s.members[m.id]; x != nil && x.pid == nil && !s.draining {
		s.activate(x)
	}
}

// stopMember stops the session's actor; childEnded goes on from there.
func (s *state) stopMember(x *member) {
	x.stopping = true
	s.show(x)
	s.cancelStarting(x)
	s.ctx.Stop(x.pid)
}

// dropAgent ends an agent whose session takes nothing from it any more.
func (s *state) dropAgent(x *member) {
	if x.link != nil {
		s.ctx.Stop(x.link.pid)
		x.link = nil
	}
}
