package session

import (
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/journal"
	"github.com/ringmaster-agents/ringmaster/actors/mailbox"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// Host is what a session actor needs of the tree above it. No method blocks; all are called from the actor's goroutine.
type Host interface {
	StartAgent(id string, e StartAgent)
	CancelStart(id string, incarnation uint32)
	// Announce takes a new summary. It is called for changes of state and properties, not for every event.
	Announce(s Summary)
	// Sync brings the journal to the disk and then sends Synced. At most one call per session is under way.
	Sync(id string, j *journal.Journal, seq uint64, to Ref)
	// Appended tells of events written, or of a failed write.
	Appended(id string, j *journal.Journal, to Ref, events int, err error)
}

// Config is one session's actor.
type Config struct {
	ID   string
	Host Host
	// Open opens the journal and replays it; called once, in the actor's own goroutine.
	Open func(visit func(line []byte) error) (*journal.Journal, journal.Recovery, error)
	// First gives the first input after the replay: *Begin, *Recover, *Rejoin, or nil for a session that was left in order.
	First     func(journal.Recovery) Input
	Limits    Limits
	RingBytes int
	SyncFirst bool // show events only once they are on disk
	Now       func() time.Time
	Log       *zap.Logger
}

// Props makes the actor of one session.
func Props(cfg Config) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return &shell{cfg: cfg} }, actor.WithMailbox(mailbox.New))
}

// shell runs the core: journal, ring, effects, in this order. It waits for nobody.
type shell struct {
	cfg     Config
	self    Ref
	core    *State
	journal *journal.Journal
	ring    *ring.Ring
	readers map[*Reader]struct{}

	buf     []byte   // lines of the step at work, used again
	commits []commit // appended, not shown: waiting for a sync, or for the journal to work again
	syncing bool
	broken  error   // the journal takes nothing: commits wait, questions are refused
	held    []Input // while broken, in order
	damage  error   // the journal is damaged: read-only for good
}

// commit is one step's events on their way, and what to do after.
type commit struct {
	seq     uint64 // of its last event
	count   int
	lines   []byte // kept until the commit is safe
	time    int64
	source  journal.Source
	written bool
	effects []Effect
}

const retryJournal = time.Second

// Receive runs the actor.
func (a *shell) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		a.start(ctx)
	case *actor.Stopping:
		a.stop()
	case Message:
		a.receive(m)
	}
}

func (a *shell) start(ctx actor.Context) {
	a.self = ask.NewRef[Message](ctx.ActorSystem().Root, ctx.Self())
	a.readers = map[*Reader]struct{}{}
	a.core = New(a.cfg.Limits)
	a.core.id = a.cfg.ID
	j, rec, err := a.cfg.Open(func(line []byte) error {
		e, err := protocol.Decode(line)
		if err == nil {
			a.core.Replay(&e)
		}
		return err
	})
	if err != nil {
		a.damage = err
		a.cfg.Log.Error("journal", zap.String("session", a.cfg.ID), zap.Error(err))
	}
	a.journal = j
	var first Input
	if a.damage == nil {
		first = a.cfg.First(rec)
	}
	epoch := a.core.epoch
	if r, ok := first.(*Recover); ok && r.Epoch > epoch {
		if err := j.NewEpoch(r.Epoch); err != nil { // cannot say that events are lost: nothing may follow
			a.damage, first = err, nil
		} else {
			epoch = r.Epoch
		}
	}
	a.ring = ring.New(epoch, a.core.seq, a.cfg.RingBytes)
	if a.core.end != nil {
		a.ring.Close(ring.Ended)
	}
	if first != nil {
		a.step(first)
	}
	if r, ok := first.(*Rejoin); ok {
		r.Adapter.Send(&Attach{Session: a.self, Confirmed: a.core.link.batch})
	}
	a.cfg.Host.Announce(a.summary())
}

func (a *shell) stop() {
	for _, m := range a.held {
		ask.Undelivered(m)
	}
	if a.ring != nil {
		a.ring.Close(max(a.ring.State(), ring.Retired))
	}
	if a.journal != nil {
		if err := a.journal.Close(); err != nil {
			a.cfg.Log.Warn("close journal", zap.String("session", a.cfg.ID), zap.Error(err))
		}
	}
}

func (a *shell) receive(m Message) {
	switch m := m.(type) {
	case *Describe:
		m.Send(a.describe())
	case *Join:
		m.Done(a.join(m.Name))
	case *Leave:
		delete(a.readers, m.Reader)
	case *Synced:
		a.synced(m)
	case *JournalBack:
		a.mend()
	case *Rest:
		a.rest()
	case *Park:
		a.parkOrStep(m)
	case Input:
		a.input(m)
	}
}

// input steps the core, unless nothing can be written: then questions are refused and the agent's batches wait, unconfirmed.
func (a *shell) input(in Input) {
	if err := a.refusal(); err != nil {
		if u, ok := in.(interface{ Fail(error) }); ok {
			u.Fail(err)
		} else if a.damage == nil {
			a.held = append(a.held, in)
		}
		return
	}
	a.step(in)
}

func (a *shell) refusal() error {
	problem := a.damage
	if problem == nil {
		problem = a.broken
	}
	if problem == nil {
		return nil
	}
	return &protocol.Problem{
		Code: protocol.CodeReadOnly, Detail: "The session's journal takes no events: " + problem.Error(),
		Hint: journalHint(problem),
	}
}

func journalHint(err error) string {
	var w *journal.WriteError
	if errors.As(err, &w) {
		return w.Hint
	}
	return "The log can still be read. Restore the session's folder from a backup, or create a new session."
}

// parkOrStep lets the daemon end also when the journal does not work.
func (a *shell) parkOrStep(m *Park) {
	if a.refusal() == nil && (len(a.readers) == 0 || m.Drain) {
		a.step(m)
		return
	}
	if m.Drain {
		a.core.link.adapter.Send(&StopAgent{Grace: stopGrace})
	}
	m.Send(Parked{Parked: m.Drain})
}

func (a *shell) step(in Input) {
	now := a.cfg.Now().UnixMilli()
	events, effects := a.core.Step(now, in)
	if len(events) == 0 {
		a.after(effects)
		return
	}
	c := commit{seq: a.core.seq, count: len(events), time: a.core.time}
	if b, ok := in.(*Batch); ok {
		c.source = journal.Source{Incarnation: b.Incarnation, Batch: b.Number}
	}
	a.buf = a.ring.Append(a.buf[:0], events)
	c.lines = a.buf
	a.append(&c)
	if c.written && !a.cfg.SyncFirst && len(a.commits) == 0 {
		a.ring.Publish(c.seq)
		a.run(effects)
	} else {
		c.lines = append([]byte(nil), c.lines...)
		c.effects = append([]Effect(nil), effects...)
		a.commits = append(a.commits, c)
		a.sync()
	}
	if cap(a.buf) > 1<<20 {
		a.buf = nil
	}
}

// after runs the effects of a step without events: behind those of the steps before it.
func (a *shell) after(effects []Effect) {
	if len(effects) == 0 {
		return
	}
	if n := len(a.commits); n > 0 {
		a.commits[n-1].effects = append(a.commits[n-1].effects, effects...)
		return
	}
	a.run(effects)
}

func (a *shell) append(c *commit) {
	if a.broken != nil {
		return
	}
	err := a.journal.Append(journal.Batch{
		First: c.seq - uint64(c.count) + 1, Count: c.count, Lines: c.lines, Time: c.time, Source: c.source,
	})
	a.cfg.Host.Appended(a.cfg.ID, a.journal, a.self, c.count, err)
	c.written = err == nil
	if err != nil {
		a.fail(err)
	}
}

// fail makes the session read-only and comes back later. What could not be written stays in commits: it was never shown.
func (a *shell) fail(err error) {
	if a.broken == nil {
		a.cfg.Log.Error("journal", zap.String("session", a.cfg.ID), zap.Error(err))
	}
	a.broken = err
	a.cfg.Host.Announce(a.summary())
	self := a.self
	time.AfterFunc(retryJournal, func() { self.Send(&JournalBack{}) })
}

// mend goes on in a new segment, first with what could not be written before.
func (a *shell) mend() {
	if a.broken == nil || a.journal == nil {
		return
	}
	if err := a.journal.Recover(a.ring.Head()); err != nil {
		a.fail(err)
		return
	}
	a.broken = nil
	for i := range a.commits {
		c := &a.commits[i]
		c.written = false
		if c.count == 0 {
			continue
		}
		a.append(c)
		if a.broken != nil {
			return
		}
	}
	if !a.cfg.SyncFirst {
		a.release(a.core.seq)
	}
	a.sync()
	a.cfg.Host.Announce(a.summary())
	held := a.held
	a.held = nil
	for _, m := range held {
		a.input(m)
	}
}

func (a *shell) sync() {
	if a.syncing || a.broken != nil || len(a.commits) == 0 || !a.cfg.SyncFirst {
		return
	}
	a.syncing = true
	a.cfg.Host.Sync(a.cfg.ID, a.journal, a.commits[len(a.commits)-1].seq, a.self)
}

func (a *shell) synced(m *Synced) {
	a.syncing = false
	if m.Err != nil {
		a.fail(m.Err)
		return
	}
	a.release(m.Seq)
	a.sync()
}

// release shows the commits up to seq and runs their effects.
func (a *shell) release(seq uint64) {
	n := 0
	for n < len(a.commits) && a.commits[n].seq <= seq {
		n++
	}
	if n == 0 {
		return
	}
	done := a.commits[:n]
	a.commits = append([]commit(nil), a.commits[n:]...)
	a.ring.Publish(done[n-1].seq)
	for _, c := range done {
		a.run(c.effects)
	}
}

func (a *shell) run(effects []Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case Answer:
			e.Do()
		case ToAdapter:
			e.To.Send(e.Message)
		case StartAgent:
			a.cfg.Host.StartAgent(a.cfg.ID, e)
		case CancelStart:
			a.cfg.Host.CancelStart(a.cfg.ID, e.Incarnation)
		case WatchInterrupt:
			self := a.self
			time.AfterFunc(interruptGrace, func() { self.Send(&InterruptOverdue{e.TurnID}) })
		case Announce:
			a.cfg.Host.Announce(a.summary())
		case Over:
			a.ring.Close(ring.Ended)
		}
	}
}

// rest gives back what only a session at work needs; readers that come later begin with the journal.
func (a *shell) rest() {
	if len(a.readers) > 0 || len(a.commits) > 0 || a.core.status.State.Busy() || a.journal == nil {
		return
	}
	a.ring.Release()
	a.buf, a.core.out, a.core.todo = nil, nil, nil
	if err := a.journal.Release(); err != nil {
		a.fail(err)
	}
}

func (a *shell) join(name string) (*Reader, error) {
	if a.journal == nil {
		return nil, a.refusal()
	}
	r := &Reader{SessionID: a.cfg.ID, Name: name, Ring: a.ring, Log: a.journal.Log(), joined: a.cfg.Now(), ref: a.self}
	a.readers[r] = struct{}{}
	return r, nil
}
