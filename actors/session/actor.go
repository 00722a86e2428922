package session

import (
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"go.uber.org/zap"
)

// Props makes the actor of one session.
func Props(cfg Config) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return &shell{cfg: &cfg} }, actor.WithMailbox(mailbox.New))
}

// Receive runs the actor.
func (a *shell) Receive(ctx actor.Context) {
	defer a.fall(ctx.Message())
	switch m := ctx.Message().(type) {
	case *actor.Started:
		a.start(ctx)
	case *actor.Stopping:
		a.stop()
	case Message:
		a.receive(m)
	}
}

// fall tells the sender of a question that the actor fails at it. The supervisor then starts another from the journal.
func (a *shell) fall(m any) {
	r := recover()
	if r == nil {
		return
	}
	a.failing = true
	a.cfg.Log.Error("session actor panic", zap.String("session", a.cfg.ID), zap.ByteString("stack", debug.Stack()))
	if u, ok := m.(ask.Undeliverable); ok {
		u.Undelivered(errUnanswered())
	}
	panic(r)
}

func (a *shell) stop() {
	unanswered := errUnanswered()
	for _, c := range a.commits {
		for _, l := range c.looks {
			l.to.Fail(unanswered)
		}
	}
	a.owed.failAll(unanswered)
	stopTimer(a.starting)
	stopTimer(a.stalling)
	if a.ring != nil {
		a.ring.Close(max(a.ring.State(), ring.Retired))
	}
	a.closeJournal()
	a.cfg.Gauges.contribute(&a.share, share{})
	if a.core != nil && a.core.Seq() > 0 && !a.failing && len(a.commits) == 0 {
		a.cfg.Host.Announce(a.summary())
	}
}

func (a *shell) closeJournal() {
	if a.journal == nil {
		return
	}
	end := a.journal.Close
	if a.failing { // perhaps in the middle of a write
		end = a.journal.CloseUnclean
	}
	if err := end(); err != nil {
		a.cfg.Log.Warn("close journal", zap.String("session", a.cfg.ID), zap.Error(err))
	}
	if a.cfg.Head != nil && !a.failing {
		a.cfg.Head.settled.Store(a.journal.Settled())
	}
}

func (a *shell) receive(m Message) {
	switch m := m.(type) {
	case *Said:
		a.said(m)
	case asked:
		a.asked(m)
	case *Describe:
		a.look(m)
	case *Choices:
		m.Send(a.core.Offers())
	case *Join:
		m.Done(a.join(m.Name))
	case *Leave:
		delete(a.readers, m.Reader)
	case *Doubt:
		a.doubt(m)
	case *Synced:
		a.synced(m)
	case *JournalBack:
		a.mend()
	case *Rest:
		a.rest()
	}
}

// said steps the core, unless nothing can be written: then the agent's batches wait, unconfirmed, and so does all else that is said.
func (a *shell) said(m *Said) {
	switch {
	case a.core.Parked(): // about to be stopped: it is said again where it matters
	case a.refusal() == nil:
		a.step(m.Input)
	case a.damage == nil:
		a.held = append(a.held, m)
	}
}

// asked steps the core, unless nothing can be written: then questions are refused.
func (a *shell) asked(q asked) {
	if p, is := q.(*Asked[core.Parked]); is {
		a.park(p)
		return
	}
	if a.core.Parked() { // the actor is about to be stopped: the sender asks again, and finds the next one
		ask.Undelivered(q)
		return
	}
	if err := a.refusal(); err != nil {
		q.Fail(err)
		return
	}
	a.step(a.owed.take(q))
}

// park lets the daemon end also when the journal does not work.
func (a *shell) park(q *Asked[core.Parked]) {
	in, _ := q.Question.(*core.Park)
	unread := len(a.readers) == 0
	switch {
	case a.core.Parked():
		q.Send(core.Parked{Parked: true})
	case a.refusal() == nil && (unread || in.Drain):
		a.step(a.owed.take(q))
	case in.Drain:
		toAdapter(a.core.Adapter(), &StopAgent{Grace: a.cfg.Limits.StopGrace})
		q.Send(core.Parked{Parked: true})
	default:
		q.Send(core.Parked{Parked: unread && a.damage != nil})
	}
}

// rest gives back what only a session at work needs; readers that come later begin with the journal.
func (a *shell) rest() {
	if len(a.readers) > 0 || len(a.commits) > 0 || a.core.Busy() || a.journal == nil {
		return
	}
	a.ring.Release()
	a.buf = nil
	if !a.core.Connecting() {
		stopTimer(a.starting)
		a.starting = nil
	}
	stopTimer(a.stalling)
	a.stalling = nil
	a.core.Rest()
	if err := a.journal.Release(); err != nil {
		a.fail(err)
	}
}

func (a *shell) join(name string) (*Reader, error) {
	if a.journal == nil {
		return nil, a.refusal()
	}
	r := &Reader{
		SessionID: a.cfg.ID, Name: name, Ring: a.ring, Log: a.journal.Log(), Damage: DamageOf(a.damage), joined: a.cfg.Now(), ref: a.self,
	}
	a.readers[r] = struct{}{}
	return r, nil
}
