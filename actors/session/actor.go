package session

import (
	"errors"
	"runtime/debug"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// Host is what a session actor needs of the tree above it. No method blocks; all are called from the actor's goroutine.
type Host interface {
	StartAgent(id string, e StartAgent)
	CancelStart(id string, incarnation uint32)
	// AdoptChild makes the session of a sub-agent of parent, or takes it up again.
	AdoptChild(parent string, c AdoptChild)
	// ToRoot sends to the root session of the sub-agent's session id: the nearest of its ancestors that is no sub-agent. Where
	// that one has no actor, the message is dropped.
	ToRoot(id string, m ChildMessage)
	// ToSession sends to another session, whose actor is started where it was passive (not for a TellRoot without Wake). What
	// cannot be delivered is ask.Undelivered, or dropped where it is no question.
	ToSession(id string, m Message)
	// Announce takes a new summary. It is called for changes of state and properties, not for every event.
	Announce(s Summary)
	// Offers takes what the session's agent lets one choose.
	Offers(id string, o Offers)
	// Sync brings the journal to the disk and then sends Synced. At most one call per session is under way.
	Sync(id string, j *journal.Journal, seq uint64, to Ref)
	// Reopen stops the session's actor and starts another from the journal, which had events up to newest; the agent goes on.
	Reopen(id string, newest uint64)
	// Appended tells of events written, or of a failed write.
	Appended(id string, j *journal.Journal, to Ref, events int, err error)
}

// Config is one session's actor.
type Config struct {
	ID   string
	Host Host
	// Open opens the journal and replays it; called once, in the actor's own goroutine. ErrUnmade: there is no session, and whoever has made
	// the actor knows.
	Open func(visit func(line []byte) error) (*journal.Journal, journal.Recovery, error)
	// First gives the first input after the replay: *Begin, *Recover, *Rejoin, or nil for a session that was left in order.
	First     func(journal.Recovery) core.Input
	Limits    Limits
	RingBytes int
	Head      *Head   // nil: nobody looks
	Gauges    *Gauges // nil: nobody counts
	SyncFirst bool    // show events only once they are on disk
	Now       func() time.Time
	Log       *zap.Logger
}

// ErrUnmade is in what Config.Open gives for a new session whose journal could not be made.
var ErrUnmade = errors.New("session: it was not made")

// Props makes the actor of one session.
func Props(cfg Config) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return &shell{cfg: &cfg} }, actor.WithMailbox(mailbox.New))
}

// shell runs the core: journal, ring, effects, in this order. It waits for nobody.
type shell struct {
	cfg     *Config // the producer's: a copy would cost each of many sessions its size
	self    Ref
	core    *core.State
	born    time.Time
	journal *journal.Journal
	ring    *ring.Ring
	readers map[*Reader]struct{}
	owed    owed
	share   share // of the gauges

	buf      []byte   // lines of the step at work, used again
	commits  []commit // appended, not shown: waiting for a sync, or for the journal to work again
	syncing  bool
	retrying bool       // JournalBack is on its way
	tries    int        // to go on since the journal failed
	broken   error      // the journal takes nothing: commits wait, questions are refused
	held     []Message  // while broken, in order
	damage   error      // the journal is damaged: read-only for good
	first    core.Input // not done yet: it waits for the journal; nil: it is done, or there was none
	failing  bool       // a message made it panic: what it knows is no longer the journal's

	starting, stalling *time.Timer // of the newest WatchStart and WatchStall; nil: there was none
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

// fall tells whoever asked that the actor fails at the question. The supervisor then starts another from the journal.
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

// errUnanswered answers a question that may have been taken: it must not be asked again without a look.
func errUnanswered() error {
	return &protocol.Problem{
		Code: protocol.CodeUnavailable, Detail: "The session stopped before it could answer; it may have taken what was asked.",
		Hint: "Look at the session first. A prompt with the same " + protocol.TermIdempotencyKey + " can be sent again.",
	}
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
	if a.core.Parked() { // about to be stopped: whoever asks finds the next one
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
