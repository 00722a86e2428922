package supervisor

import (
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// member is what the supervisor knows of one session.
type member struct {
	summary session.Summary
	open    bool // as found at boot: an earlier daemon left it at work

	pid      *actor.PID // nil: passive
	ref      session.Ref
	crashes  int  // of the actor, since it last took anything
	stopping bool // the actor was told to stop; who asks for it meanwhile waits in found
	found    []*Find

	link     *link // the newest adapter; nil: none
	starting *time.Timer
	wanted   uint32 // incarnation that is being started

	parking  bool
	deleting []*Delete
}

// link is a running adapter.
type link struct {
	incarnation uint32
	pid         *actor.PID
	ref         session.AdapterRef
}

const maxActorCrashes = 5

// create makes a session. The folder is made here: it is small, and a session that cannot be written must not exist.
func (s *state) create(m *Create) {
	if err := s.refuseCreate(&m.Session); err != nil {
		m.Fail(err)
		return
	}
	a := s.agents[m.Session.Agent]
	if a.installation.Program == "" {
		if !a.looked {
			a.waiting = append(a.waiting, m)
			s.look(a)
			return
		}
		s.look(a) // the next one may find it
		m.Fail(unavailable(m.Session.Agent, a.installation))
		return
	}
	id := s.cfg.NewID()
	opt := journal.Options{FS: s.cfg.Files}
	j, err := journal.Create(s.data.session(id), opt)
	if err != nil {
		m.Fail(cannotWrite(err))
		return
	}
	meta := protocol.Metadata{
		Model: m.Session.Model, Cwd: m.Session.Cwd, Title: m.Session.Title, Labels: m.Session.Labels,
		ParentSessionID: m.Session.ParentID,
	}
	now := s.cfg.Now().UTC().Truncate(time.Millisecond)
	x := &member{summary: session.Summary{
		ID: id, Agent: m.Session.Agent, Cwd: meta.Cwd, Title: meta.Title, Model: meta.Model, Labels: meta.Labels,
		ParentSessionID: meta.ParentSessionID, Created: now, Updated: now, Epoch: 1,
		Status: protocol.Status{State: protocol.StateStarting, AgentStatus: protocol.AgentQueued},
	}}
	s.members[id] = x
	s.health.sessions.Add(1)
	s.spawn(x, func(func([]byte) error) (*journal.Journal, journal.Recovery, error) {
		return j, journal.Recovery{}, nil
	},
		func(journal.Recovery) session.Input {
			return &session.Begin{Agent: m.Session.Agent, Metadata: meta, Start: true}
		})
	m.Send(x.summary)
}

func (s *state) refuseCreate(n *NewSession) error {
	if s.draining {
		return draining()
	}
	if s.agents[n.Agent] == nil {
		return &protocol.Problem{
			Code: protocol.CodeAgentNotFound, Detail: "There is no agent of this name.",
			Hint: "GET /agents lists the agents: " + s.agentNames() + ".",
		}
	}
	cwd, err := resolveCwd(s.roots, n.Cwd)
	if err != nil {
		return err
	}
	n.Cwd = cwd
	active := 0
	for _, x := range s.members {
		if !x.summary.Status.State.Ended() {
			active++
		}
	}
	if active >= s.cfg.MaxSessions {
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d sessions have not ended, which is the limit.", active),
			Hint: "End sessions with POST /sessions/{id}/end.",
		}
	}
	return nil
}

func draining() error {
	return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The daemon is shutting down.", Hint: "Try again once it runs again."}
}

func cannotWrite(err error) error {
	hint := "See the daemon's log."
	var w *journal.WriteError
	if errors.As(err, &w) {
		hint = w.Hint
	}
	return &protocol.Problem{Code: protocol.CodeReadOnly, Detail: "The data folder takes no new session.", Hint: hint}
}

// activate starts the actor of a passive session from its journal.
func (s *state) activate(x *member, reason string) {
	id, wasOpen := x.summary.ID, x.open
	powerLoss := wasOpen && s.rebooted[id]
	x.open = false
	open := func(visit func([]byte) error) (*journal.Journal, journal.Recovery, error) {
		j, rec, err := journal.Open(s.data.session(id), journal.Options{FS: s.cfg.Files, PowerLoss: powerLoss}, visit)
		s.health.tornBytes.Add(uint64(max(0, rec.TornBytes)))
		if err != nil {
			s.health.damaged.Add(1)
		}
		return j, rec, err
	}
	if l := x.link; l != nil { // the agent still runs: only the actor was lost
		s.spawn(x, open, func(rec journal.Recovery) session.Input {
			r := &session.Rejoin{Incarnation: l.incarnation, Adapter: l.ref}
			if rec.Last.Incarnation == l.incarnation {
				r.Batch = rec.Last.Batch
			}
			return r
		})
		return
	}
	durability := s.cfg.Durability
	s.spawn(x, open, func(rec journal.Recovery) session.Input {
		in := &session.Recover{Reason: reason, Resume: wasOpen}
		if rec.LostSynced || rec.Lost > 0 || (powerLoss && durability != DurableAlways) {
			in.Epoch = rec.Epoch + 1
		}
		return in
	})
}

func (s *state) spawn(
	x *member, open func(func([]byte) error) (*journal.Journal, journal.Recovery, error), first func(journal.Recovery) session.Input,
) {
	a := s.agents[x.summary.Agent]
	resumable := a != nil && a.agent.Capabilities().Resume
	props := session.Props(session.Config{
		ID: x.summary.ID, Host: s.host, Open: open, First: first,
		Limits: session.Limits{
			Queue: s.cfg.MaxQueue, Restarts: s.cfg.MaxRestarts, Remembered: 10_000, Resumable: resumable, Restartable: a != nil,
		},
		RingBytes: s.cfg.RingBytes, SyncFirst: s.cfg.Durability == DurableAlways, Now: s.cfg.Now, Log: s.cfg.Log,
	})
	x.pid = s.ctx.Spawn(props)
	x.ref = ask.NewRef[session.Message](s.ctx.ActorSystem().Root, x.pid)
	x.stopping = false
	s.pids[x.pid.Id] = x.summary.ID
	s.health.live.Add(1)
	s.note(x)
}

// find gives the session's actor, started where it was passive.
func (s *state) find(m *Find) {
	x := s.members[m.ID]
	switch {
	case x == nil || len(x.deleting) > 0:
		m.Fail(notFound())
	case s.draining && x.pid == nil:
		m.Fail(draining())
	case x.stopping:
		x.found = append(x.found, m)
	default:
		if x.pid == nil {
			s.activate(x, "daemon restarted")
		}
		m.Send(x.ref)
	}
}

func notFound() error {
	return &protocol.Problem{Code: protocol.CodeSessionNotFound, Detail: "No session has this id.", Hint: "GET /sessions lists the sessions."}
}

// terminated takes the end of a child: an actor that was told to stop, or one that failed.
func (s *state) terminated(pid *actor.PID) {
	id, ok := s.pids[pid.Id]
	if !ok {
		return
	}
	delete(s.pids, pid.Id)
	x := s.members[id]
	if x == nil {
		return
	}
	if x.link != nil && x.link.pid.Equal(pid) {
		x.link = nil
		s.health.agents.Add(-1)
		s.drained()
		return
	}
	if x.pid == nil || !x.pid.Equal(pid) {
		return
	}
	x.pid, x.ref = nil, session.Ref{}
	s.health.live.Add(-1)
	switch {
	case x.stopping:
		x.stopping = false
		s.note(x)
		if len(x.deleting) > 0 {
			s.remove(x)
			return
		}
		waiting := x.found
		x.found = nil
		for _, m := range waiting {
			s.find(m)
		}
	case !s.draining:
		s.crashed(x)
	}
	s.drained()
}

// crashed starts the actor of a session again, later and later; one that fails for ever stays passive until it is asked for.
func (s *state) crashed(x *member) {
	x.crashes++
	s.health.actorRestarts.Add(1)
	s.cfg.Log.Error("session actor failed", zap.String("session", x.summary.ID), zap.Int("times", x.crashes))
	if x.crashes > maxActorCrashes {
		if x.link != nil {
			x.link.ref.Send(&session.StopAgent{})
		}
		return
	}
	delay := s.jitter(50 * time.Millisecond << x.crashes)
	id, self := x.summary.ID, s.self
	time.AfterFunc(delay, func() { self.Send(&revive{id}) })
}

func (s *state) revive(m *revive) {
	if x := s.members[m.id]; x != nil && x.pid == nil && !s.draining {
		s.activate(x, "session restarted")
	}
}

// jitter takes a random part, at least half.
func (s *state) jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return d/2 + time.Duration(s.cfg.Rand(int64(d/2+1)))
}

func (s *state) announced(m *announced) {
	x := s.members[m.summary.ID]
	if x == nil {
		return
	}
	x.summary = m.summary
	if m.summary.Seq > 0 {
		x.crashes = 0
	}
	s.note(x)
}

// note has session.json written.
func (s *state) note(x *member) {
	s.recorder.put(x.summary.ID, record{
		Version: recordVersion, Summary: x.summary, Boot: s.boot, Durability: s.cfg.Durability, Incarnation: x.wanted,
		Open: x.pid != nil && !x.summary.Status.State.Ended() && (x.link != nil || x.wanted > 0 || x.summary.Status.State.Busy()),
	})
}

// delete ends a session, stops its actor and then removes its folder.
func (s *state) delete(m *Delete) {
	x := s.members[m.ID]
	if x == nil || len(x.deleting) > 0 {
		m.Fail(notFound())
		return
	}
	if s.draining {
		m.Fail(draining())
		return
	}
	x.deleting = append(x.deleting, m)
	switch {
	case x.pid == nil:
		s.remove(x)
	case x.stopping:
	default:
		id, ref, self := m.ID, x.ref, s.self
		go func() { // ends with the session's answer, or the actor's end
			ctx, cancel := contextWithTimeout(s.cfg.StopGrace * 4)
			defer cancel()
			_, err := ask.Ask(ctx, ref, func(r ask.Reply[session.Done]) session.Message { return &session.End{Reply: r} })
			self.Send(&removeNow{id, err})
		}()
	}
}

func (s *state) removeNow(m *removeNow) {
	x := s.members[m.id]
	if x == nil || len(x.deleting) == 0 {
		return
	}
	if m.err != nil {
		s.cfg.Log.Warn("session did not end before its removal", zap.String("session", m.id), zap.Error(m.err))
	}
	if x.link != nil {
		s.ctx.Stop(x.link.pid)
	}
	if x.pid == nil {
		s.remove(x)
		return
	}
	s.stopMember(x)
}

func (s *state) stopMember(x *member) {
	x.stopping = true
	s.ctx.Stop(x.pid)
}

func (s *state) remove(x *member) {
	id := x.summary.ID
	s.recorder.forget(id)
	err := journal.Remove(s.data.session(id), journal.Options{FS: s.cfg.Files})
	delete(s.members, id)
	s.health.sessions.Add(-1)
	for _, m := range x.deleting {
		if err != nil {
			m.Fail(&protocol.Problem{
				Code: protocol.CodeInternal, Detail: "The session's folder could not be removed.", Hint: "See the daemon's log.",
			})
			s.cfg.Log.Error("remove session", zap.String("session", id), zap.Error(err))
			continue
		}
		m.Send(session.Done{})
	}
	for _, m := range x.found {
		m.Fail(notFound())
	}
}

// sweep puts idle sessions to rest, and parks those that nobody has asked for since long.
func (s *state) sweep() {
	now := s.cfg.Now()
	for _, x := range s.members {
		if x.pid == nil || x.stopping || x.parking || x.summary.Status.State.Busy() {
			continue
		}
		if now.Sub(x.summary.Updated) < sweepEvery {
			continue
		}
		x.ref.Send(&session.Rest{})
		if now.Sub(x.summary.Updated) < s.cfg.PassiveAge {
			continue
		}
		x.parking = true
		s.park(x, false)
	}
	s.sweeper.Reset(sweepEvery)
}

// park asks the session to let its agent go; the answer comes as parked.
func (s *state) park(x *member, drain bool) {
	id, ref, self := x.summary.ID, x.ref, s.self
	timeout := s.cfg.StopGrace + 3*time.Second
	go func() { // ends with the session's answer or the timeout
		ctx, cancel := contextWithTimeout(timeout)
		defer cancel()
		p, err := ask.Ask(ctx, ref, func(r ask.Reply[session.Parked]) session.Message { return &session.Park{Reply: r, Drain: drain} })
		self.Send(&parked{id, err == nil && p.Parked})
	}()
}

func (s *state) parked(m *parked) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	x.parking = false
	if x.pid == nil || x.stopping || (!m.yes && !s.draining) {
		return
	}
	x.wanted = 0
	s.stopMember(x)
}
