package supervisor

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// deletes notes who deletes a session, which from now on is not there for anybody else.
func (s *state) deletes(x *member, m *Delete) {
	x.deleting = append(x.deleting, m)
	s.show(x)
}

// delete ends a session, stops its actor and then removes its folder; so it does with its sub-agents and what its agent made.
func (s *state) delete(m *Delete) {
	x := s.members[m.ID]
	if x == nil || len(x.deleting) > 0 {
		m.Fail(NotFound())
		return
	}
	if s.draining {
		m.Fail(draining())
		return
	}
	if m.Listed != nil {
		s.deleteListed(x, m)
		return
	}
	s.deletes(x, m)
	for _, c := range s.childrenOf(m.ID) {
		s.delete(&Delete{ID: c.summary.ID})
	}
	switch {
	case x.pid == nil:
		s.remove(x)
	case x.stopping:
	default:
		id, ref, self := m.ID, x.ref, s.self
		go func() { // ends with the session's answer, or the actor's end
			ctx, cancel := contextWithTimeout(s.cfg.StopGrace * 4)
			defer cancel()
			_, err := session.Ask(ctx, ref, &session.End{})
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
	if x.pid == nil {
		s.remove(x)
		return
	}
	s.stopMember(x)
}

// removeFolder says whether it did; the log says why not.
func (s *state) removeFolder(id string) (removed bool) {
	err := journal.Remove(s.data.Session(id), journal.Options{FS: s.cfg.Files})
	if err != nil {
		s.cfg.Log.Error("remove session", zap.String("session", id), zap.Error(err))
	}
	return err == nil
}

// remove takes a session away that has no actor any more: first its folder, in a goroutine, then what is known of it.
func (s *state) remove(x *member) {
	if x.removing {
		return
	}
	x.removing = true
	s.removing++
	s.dropAgent(x)
	s.cancelStarting(x)
	x.revokeToken()
	id, self, archive, foreign, forget := x.summary.ID, s.self, x.archive, x.foreign, s.forgets(x)
	x.archive = nil
	go func() { // ends with the removal, for which the drain waits
		s.recorder.Forget(id)
		if archive != nil {
			archive.Close()
		}
		done := foreign || forget() && s.removeFolder(id)
		if done { // last: as long as something of the session is there, its keys stand for it
			s.dropKeys(id)
		}
		self.Send(&removed{id, done})
	}()
}

// removed forgets a session whose folder has gone.
func (s *state) removed(m *removed) {
	s.removing--
	defer s.drained()
	x := s.members[m.id]
	if x == nil {
		return
	}
	x.removing = false
	if !m.done && x.current().Seq > 0 { // it may go when it is asked for again, and not come back with the next start until then
		s.stay(x)
		return
	}
	s.childGone(x)
	s.leave(x)
	s.health.sessions.Add(-1)
	if x.damaged {
		s.health.damaged.Add(-1)
	}
	for _, m := range x.deleting {
		m.Send(session.Done{})
	}
	x.answerCreate(NotFound())
	for _, m := range x.found {
		m.Fail(NotFound())
	}
	for _, m := range x.listed {
		m.Fail(NotFound())
	}
	for _, m := range x.letters {
		ask.Undelivered(m)
	}
}

// stay keeps a session, which has ended, whose folder could not be removed.
func (s *state) stay(x *member) {
	for _, m := range x.deleting {
		m.Fail(&protocol.Problem{
			Code: protocol.CodeInternal, Detail: "The session's folder could not be removed.", Hint: "The daemon's log says why. Ask again.",
		})
	}
	x.deleting = nil
	s.show(x)
	s.answerFound(x)
}

// dropKeys waits until no key stands for a session any more, on the disk either.
func (s *state) dropKeys(id string) {
	keys := make(chan error, 1)
	s.keys.Forget(id, func(err error) { keys <- err })
	if err := <-keys; err != nil { // a line whose session is gone counts for nothing, and a full disk must let one delete
		s.cfg.Log.Warn("idempotency keys", zap.String("session", id), zap.Error(err))
	}
}

// forgets gives what removes what a session's agent keeps of it in the daemon's data folder, unless another session goes on with it. It waits
// for the disk, and is called elsewhere than in the actor.
func (s *state) forgets(x *member) func() (done bool) {
	sum, log := x.summary, s.cfg.Log
	forgetter := s.agents[sum.Agent].forgetter(&sum, &s.kin)
	return func() bool {
		if forgetter == nil {
			return true
		}
		err := forgetter.Forget(sum.NativeSessionID)
		if err != nil {
			log.Error("remove session", zap.String("session", sum.ID), zap.Error(err))
		}
		return err == nil
	}
}

// forgetter is a session's agent, where that has something to forget of it. The agent may be one that this daemon does not have.
func (a *known) forgetter(sum *session.Summary, kin *kin) adapters.Forgetter {
	if a == nil || sum.NativeSessionID == "" {
		return nil
	}
	k, is := a.agent.(adapters.Forgetter)
	if !is {
		return nil
	}
	if slices.ContainsFunc(kin.native[nativeKey{sum.Agent, sum.NativeSessionID}], func(x *member) bool { return x.summary.ID != sum.ID }) {
		return nil
	}
	return k
}
