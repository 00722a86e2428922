package supervisor

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/checkout"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"go.uber.org/zap"
)

// create makes a session. Its own actor makes the folder, since a sync may take seconds; one that cannot be written must not exist. The
// answer comes with the first summary.
func (s *state) create(m *Create) {
	if s.repeated(&m.Session, m.Reply, m) {
		return
	}
	if err := s.refuseCreate(&m.Session, m.place); err != nil {
		m.Fail(err)
		return
	}
	a := s.agents[m.Session.Agent]
	if !usable(a.installation) && m.Session.Endpoint == nil {
		if !a.looked || s.cfg.Now().Sub(a.checked) > lookOnceMore { // it may have been installed since
			a.waiting = append(a.waiting, m)
			s.look(a)
			return
		}
		m.Fail(unavailable(m.Session.Agent, a.installation))
		return
	}
	id := s.cfg.NewID()
	if s.members[id] != nil {
		m.Fail(cannotWrite(fs.ErrExist))
		return
	}
	bound := make(chan error, 1)
	s.bind(&m.Session, id, false, func(err error) { bound <- err })
	meta := protocol.Metadata{
		Model: m.Session.Model, Cwd: m.Session.Cwd, Title: m.Session.Title, Labels: m.Session.Labels,
		ParentSessionID: m.Session.ParentID, Policy: m.Session.Policy,
		Owner: m.Session.Owner, Via: m.Session.Via, Spawned: m.Session.Spawned, MCP: m.Session.MCP,
	}
	now := s.cfg.Now().UTC().Truncate(time.Millisecond)
	x := &member{creating: m, making: true, boot: s.boot, durability: s.cfg.Durability, endpoint: m.Session.Endpoint, summary: session.Summary{
		ID: id, Agent: m.Session.Agent, Cwd: meta.Cwd, Title: meta.Title, Model: meta.Model, AskedModel: meta.Model, Labels: meta.Labels,
		ParentSessionID: meta.ParentSessionID, Policy: meta.Policy, NativeSessionID: m.Session.NativeSessionID,
		Owner: meta.Owner, Via: meta.Via, Spawned: meta.Spawned, MCP: meta.MCP,
		Created: now, Updated: now, Epoch: 1,
		Status: protocol.Status{State: protocol.StateStarting, AgentStatus: protocol.AgentQueued},
	}}
	s.join(x)
	s.health.sessions.Add(1)
	s.spawn(x, s.makes(id, bound), s.begins(session.Begin{
		Agent: m.Session.Agent, Metadata: meta, Start: true, NativeID: m.Session.NativeSessionID, Mode: m.Session.Mode,
	}))
}

// makes gives what a new session's actor opens: a folder that it makes, once its key is on the disk. A session that was made has its key,
// whenever the daemon ends.
func (s *state) makes(id string, bound <-chan error) func(func([]byte) error) (*journal.Journal, journal.Recovery, error) {
	dir, files, self := s.data.Session(id), s.cfg.Files, s.self
	return func(func([]byte) error) (j *journal.Journal, rec journal.Recovery, err error) {
		if bound != nil {
			err = <-bound
		}
		if err == nil {
			failpoint.Hit("supervisor/afterKeyBound")
			j, err = journal.Create(dir, journal.Options{FS: files})
		}
		if err != nil {
			self.Send(&unmade{id, err})
			return nil, rec, errors.Join(session.ErrUnmade, err)
		}
		failpoint.Hit("supervisor/afterJournalCreated")
		self.Send(&opened{id, false})
		return j, rec, nil
	}
}

// unmade takes a session back whose folder could not be made.
func (s *state) unmade(m *unmade) {
	x := s.members[m.id]
	if x == nil {
		return
	}
	s.cfg.Log.Warn("create session", zap.String("session", m.id), zap.Error(m.err))
	x.foreign = errors.Is(m.err, fs.ErrExist)
	x.answerCreate(cannotWrite(m.err))
	s.deletes(x, &Delete{ID: m.id})
	if x.pid != nil && !x.stopping {
		s.stopMember(x)
	}
}

// begins gives the first input of a new session. What is checked out in its folder, the session's own actor looks for: the folder's disk may
// be slow.
func (s *state) begins(b session.Begin) func(journal.Recovery) session.Input {
	roots := s.roots.All()
	return func(journal.Recovery) session.Input {
		head := checkout.Of(b.Metadata.Cwd, roots)
		b.Metadata.GitBranch, b.Metadata.GitCommit = head.Branch, head.Commit
		return &b
	}
}

// created answers Create once the session is in the journal: one that was answered for outlives the daemon.
func (s *state) created(x *member) {
	if x.creating == nil {
		return
	}
	if x.summary.ReadOnly {
		x.answerCreate(cannotWrite(nil))
		s.deletes(x, &Delete{ID: x.summary.ID})
		s.stopMember(x)
		return
	}
	if p := s.members[x.summary.ParentSessionID]; p != nil && !x.summary.SubAgent && len(p.deleting) == 0 {
		s.deliver(p, session.Say(&session.ChildSpawned{ChildID: x.summary.ID, Title: x.summary.Title}))
	}
	x.answerCreate(nil)
}

// checkMode refuses a mode of an agent that has none to choose.
func (s *state) checkMode(n *NewSession) error {
	if n.Mode != "" && !s.agents[n.Agent].agent.Capabilities().Modes {
		return &protocol.Problem{
			Code: protocol.CodeNotSupported, Detail: "The agent " + n.Agent + " has no modes to choose.",
			Hint: "Leave mode out; " + protocol.TermListAgents + " says which agents have some.",
		}
	}
	return checkName("mode", n.Mode)
}

// checkName refuses what an agent could take for something else on its command line than the name of a model or a mode.
func checkName(what, name string) error {
	if strings.HasPrefix(name, "-") || len(name) > 256 || strings.ContainsFunc(name, unicode.IsControl) {
		return &protocol.Problem{
			Code: protocol.CodeInvalidRequest, Detail: "This is no name of a " + what + ".",
			Hint: "Names have at most 256 bytes, no control characters, and do not begin with a hyphen.",
		}
	}
	return nil
}

func (s *state) refuseCreate(n *NewSession, w workdir.Place) error {
	if s.draining {
		return draining()
	}
	if s.agents[n.Agent] == nil {
		return &protocol.Problem{
			Code: protocol.CodeAgentNotFound, Detail: "There is no agent of this name.",
			Hint: protocol.TermListAgents + " lists the agents: " + agentNames(s.agents) + ".",
		}
	}
	if err := checkName("model", n.Model); err != nil {
		return err
	}
	if err := s.checkMode(n); err != nil {
		return err
	}
	if err := s.checkAttach(n); err != nil {
		return err
	}
	if err := s.checkParent(n); err != nil {
		return err
	}
	if err := s.checkMCP(n); err != nil {
		return err
	}
	if err := w.Settle(s.roots.All(), &n.Cwd); err != nil {
		return err
	}
	if err := s.checkFolder(n); err != nil {
		return err
	}
	if active := s.kin.active; active >= s.cfg.MaxSessions {
		return &protocol.Problem{
			Code: protocol.CodeOverloaded, Detail: fmt.Sprintf("%d sessions have not ended, which is the limit.", active),
			Hint: "End sessions with " + protocol.TermEndSession + ".",
		}
	}
	return nil
}

func draining() error {
	return &protocol.Problem{Code: protocol.CodeUnavailable, Detail: "The daemon is shutting down.", Hint: "Try again once it runs again."}
}

// cannotWrite says to a client what a new session, or a key, was refused for.
func cannotWrite(err error) error {
	if p, is := errors.AsType[*protocol.Problem](err); is {
		return p
	}
	detail, hint := "The data folder takes no new session.", "See the daemon's log."
	var w *journal.WriteError
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "Free space on the disk of the daemon's data folder, and ask again." // there is no session that goes on by itself
	case errors.As(err, &w) && w.Hint != "":
		hint = w.Hint
	}
	if errno, is := errors.AsType[syscall.Errno](err); is {
		detail = "The data folder takes no new session: " + errno.Error() + "."
	}
	return &protocol.Problem{Code: protocol.CodeReadOnly, Detail: detail, Hint: hint}
}

// find gives the session's actor, started where it was passive.
func (s *state) find(m *Find) {
	x := s.members[m.ID]
	switch {
	case x == nil || len(x.deleting) > 0:
		m.Fail(NotFound())
	case s.draining && x.pid == nil:
		m.Fail(draining())
	case x.pid != nil && !x.takes(s.draining):
		x.found = append(x.found, m)
	default:
		if x.pid == nil {
			if err := s.putAside(x); err != nil {
				m.Fail(err)
				return
			}
			s.activate(x)
		}
		m.Send(x.ref)
	}
}

// answerFound goes on with those who asked for a session while it was being put away.
func (s *state) answerFound(x *member) {
	if s.answerListed(x) {
		return
	}
	waiting := x.found
	x.found = nil
	for _, m := range waiting {
		s.find(m)
	}
	s.deliverLetters(x)
}

// NotFound is what is answered about a session that is not there, and about one that the asker may not know of.
func NotFound() error {
	return &protocol.Problem{Code: protocol.CodeSessionNotFound, Detail: "No session has this id.", Hint: protocol.TermListSessions + " lists the sessions."}
}
