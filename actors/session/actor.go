package session

import (
	"runtime/debug"
	"time"

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

// fall answers the question at which the actor panics, and panics on: the supervisor then starts another actor from the journal. The core may
// have taken a part of the message, so nothing more is stepped (failing).
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
	if _, stops := m.(*actor.Stopping); stops {
		return // it ends as it is: an actor that fails at its end would never be told as ended, and the daemon's drain waits for that
	}
	panic(r)
}

func (a *shell) stop() {
	unanswered := errUnanswered()
	for _, c := range a.commits {
		for _, l := range c.looks {
			l.fail(unanswered)
		}
	}
	a.owed.failAll(unanswered)
	stopTimer(a.starting)
	stopTimer(a.stalling)
	stopTimer(a.quiet.timer)
	if a.ring != nil {
		a.ring.Close(max(a.ring.State(), ring.Retired))
	}
	defer a.cfg.Gauges.contribute(&a.share, share{}) // also where a write fails at this
	a.closeJournal()
	if a.journal != nil {
		a.kept.keep(a, a.cfg.CheckpointBytes/leftEarlier)
	}
	if a.core != nil && a.core.Seq() > 0 && !a.failing && len(a.commits) == 0 {
		a.cfg.Host.Announce(a.summary())
	}
}

func (a *shell) closeJournal() {
	if a.journal == nil {
		return
	}
	end := a.journal.Close
	if a.failing { // a write may be half done
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
		a.join(m)
	case *Leave:
		delete(a.readers, m.Reader)
	case *Doubt:
		a.doubt(m)
	case *Synced:
		a.synced(m)
	case *Trimmed:
		a.trims.trimmed(a, m)
	case *JournalBack:
		a.mend()
	case *Rest:
		a.rest(m)
	}
}

// said steps the core, unless nothing can be written: then the input is held, in order. A held batch is not confirmed, so the adapter's window
// fills and the agent blocks on its own pipe.
func (a *shell) said(m *Said) {
	switch {
	case a.core.Parked(): // the actor is about to be stopped; inputs that must not be lost are sent again to the next one (Said.Lost)
	case a.refusal() == nil:
		a.step(m.Input)
	case a.damage == nil:
		a.held = append(a.held, m)
	}
}

// asked steps the core, unless nothing can be written: then the question is refused at once, since its caller waits.
func (a *shell) asked(q asked) {
	if p, is := q.(*Asked[core.Parked]); is {
		a.park(p)
		return
	}
	if a.core.Parked() { // the actor is about to be stopped: the caller asks again, and finds the next one
		ask.Undelivered(q)
		return
	}
	if err := a.refusal(); err != nil {
		if !repeats(a, q) {
			q.Fail(err)
		}
		return
	}
	a.step(a.owed.take(q))
}

// park answers the supervisor's request to let the agent go. With Drain the answer is yes even while the journal does not work: otherwise the
// daemon could not end.
func (a *shell) park(q *Asked[core.Parked]) {
	in, _ := q.Question.(*core.Park)
	unread := a.readers.done(a.ring)
	switch {
	case a.core.Parked():
		q.Send(core.Parked{Parked: true})
	case a.refusal() == nil && (unread || in.Drain):
		a.step(a.owed.take(q))
	case in.Drain:
		toAdapter(a.core.Adapter(), &StopAgent{Grace: a.cfg.Limits.Grace()})
		q.Send(core.Parked{Parked: true})
	default:
		q.Send(core.Parked{Parked: unread && a.damage != nil})
	}
}

// rest gives back memory and files that only a session at work needs; readers that come later begin with the journal.
func (a *shell) rest(m *Rest) {
	if len(a.commits) > 0 || a.core.Stands().Busy() || a.journal == nil || !m.Soon && !a.readers.done(a.ring) {
		return
	}
	a.buf = nil
	if !m.Soon {
		a.ring.Release()
		if !a.core.Connecting() {
			stopTimer(a.starting)
			a.starting = nil
		}
		stopTimer(a.stalling)
		a.stalling = nil
		a.core.Rest()
	}
	if err := a.journal.Release(); err != nil {
		a.fail(err)
	}
}

// quiet has a session rest that has nothing to do. What comes meanwhile makes it busy, or is written to files that are opened again.
type quiet struct{ timer *time.Timer }

// restAfter is how long a session that has nothing to do keeps its files open.
const restAfter = 5 * time.Second

func (q *quiet) begin(self Ref) {
	stopTimer(q.timer)
	q.timer = time.AfterFunc(restAfter, func() { self.Send(&Rest{Soon: true}) })
}
