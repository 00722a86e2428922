package session

import (
	"errors"
	"fmt"
	"math/bits"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

const retryJournal = time.Second

// step has the core decide about one input, and makes what it decides real in this order: events into the ring, unpublished; into the journal;
// published; effects. Where the journal or, with SyncFirst, the sync is not done yet, the rest waits in commits and happens in release, in the
// order of the steps. So no answer, confirmation or command is ever ahead of the log that it rests on (I3).
func (a *shell) step(in core.Input) {
	now := a.cfg.Now()
	dropped := a.core.Dropped()
	failpoint.Hit("session/beforeStep")
	events, effects := a.core.Step(now.UnixMilli(), now.Sub(a.born).Milliseconds(), in)
	failpoint.Hit("session/afterStep")
	if n := a.core.Dropped(); bits.Len64(n) > bits.Len64(dropped) { // at 1, 2, 4, 8 …: a broken agent must not flood the log
		a.cfg.Log.Warn("the agent said what fits nothing", zap.String("session", a.cfg.ID), zap.Uint64("times", n))
	}
	if len(events) == 0 {
		a.after(effects)
		return
	}
	if a.ring.State() == ring.Ended && !a.core.Ended() { // the session was revived: readers of the earlier life have been let go
		a.ring = ring.New(a.core.Epochs().Newest(), a.core.Seq()-uint64(len(events)), a.cfg.RingBytes)
	}
	c := commit{seq: a.core.Seq(), changed: a.core.Changed(), count: len(events), time: a.core.Time()}
	if b, ok := in.(*core.Batch); ok {
		c.source = store.Source{Incarnation: b.Incarnation, Batch: b.Number}
	}
	a.buf = a.ring.Append(a.buf[:0], events)
	c.lines = a.buf
	a.append(&c)
	if c.written && !a.cfg.SyncFirst && len(a.commits) == 0 {
		a.readers.overflow(a.ring, effects)
		a.publish(&c)
		a.run(effects)
		a.kept.keep(a, a.cfg.CheckpointBytes)
		a.trims.look(a)
	} else {
		c.lines = append([]byte(nil), c.lines...)
		c.effects = append([]core.Effect(nil), effects...)
		a.commits = append(a.commits, c)
		a.sync()
	}
	if cap(a.buf) > 1<<20 {
		a.buf = nil
	}
}

// after runs the effects of a step without events: behind those of the steps before it.
func (a *shell) after(effects []core.Effect) {
	if len(effects) == 0 {
		return
	}
	if n := len(a.commits); n > 0 {
		a.commits[n-1].effects = append(a.commits[n-1].effects, effects...)
		return
	}
	a.readers.overflow(a.ring, effects)
	a.run(effects)
}

func (a *shell) append(c *commit) {
	if a.broken != nil {
		return
	}
	failpoint.Hit("session/beforeAppend")
	err := a.journal.Append(store.Batch{
		First: c.seq - uint64(c.count) + 1, Count: c.count, Lines: c.lines, Time: c.time, Source: c.source,
	})
	a.cfg.Host.Appended(a.cfg.ID, a.journal, a.self, c.count, err)
	c.written = err == nil
	if err != nil {
		a.fail(err)
		return
	}
	a.kept.grow(len(c.lines))
}

// fail makes the session read-only and has mend called later. Events that could not be written stay in commits: they were never shown.
func (a *shell) fail(err error) {
	var w *store.WriteError
	if !errors.As(err, &w) { // the batch is wrong, a mistake of ours that no disk mends: the panic has the actor start again from the journal
		panic(fmt.Sprintf("session: the journal refused a batch: %v", err))
	}
	if a.broken == nil {
		a.cfg.Log.Error("journal", zap.String("session", a.cfg.ID), zap.Error(err))
	}
	a.broken = err
	a.cfg.Host.Announce(a.summary())
	if !a.retrying {
		a.retrying = true
		self := a.self
		time.AfterFunc(retryJournal, func() { self.Send(&JournalBack{}) })
	}
}

// mend goes on in a new segment, after everything that readers have seen (the ring's head): first it writes the commits that could not be
// written, then it takes the messages that were held, in their order.
func (a *shell) mend() {
	a.retrying = false
	if a.broken == nil || a.journal == nil {
		return
	}
	if a.tries++; a.tries > 1 {
		a.despair()
	}
	if err := a.journal.Recover(a.ring.Head()); err != nil {
		a.fail(err)
		return
	}
	a.broken = nil
	if a.first != nil {
		if a.begin(); a.broken != nil {
			return
		}
	}
	_, newest := a.journal.Log().Bounds() // commits up to there are written: Recover has kept them
	for i := range a.commits {
		c := &a.commits[i]
		if c.written = c.seq <= newest; c.written {
			continue
		}
		if a.append(c); a.broken != nil {
			return
		}
	}
	if !a.cfg.SyncFirst {
		a.release(a.core.Seq())
	}
	a.sync()
	a.cfg.Host.Announce(a.summary())
	held := a.held
	a.held = nil
	for _, m := range held {
		a.receive(m)
	}
}

// despair answers questions from before the journal failed with an error, so that their callers need not wait. Their effects stay held. A core.Park
// gets no answer: the supervisor stops a session that does not answer it, and would take a "no" for a session that works.
func (a *shell) despair() {
	err := &protocol.Problem{
		Code: protocol.CodeUnavailable, Hint: journalHint(a.broken),
		Detail: "The session's journal takes no events: " + cause(a.broken) + ". What was asked is done when it does again; " +
			"a prompt with the same Idempotency-Key can be sent once more.",
	}
	for _, c := range a.commits {
		for _, e := range c.effects {
			a.owed.fail(e, err)
		}
		for _, l := range c.looks {
			l.fail(err)
		}
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
	switch {
	case errors.Is(m.Err, store.ErrForgotten), errors.Is(m.Err, store.ErrClosed): // not known whether the events are safe: sync again
	case m.Err != nil:
		a.fail(m.Err)
		return
	default:
		a.release(m.Seq)
	}
	a.sync()
}

// release shows the commits up to seq and runs their effects.
func (a *shell) release(seq uint64) {
	a.tries = 0
	n := 0
	for n < len(a.commits) && a.commits[n].seq <= seq {
		n++
	}
	if n == 0 {
		return
	}
	for _, c := range a.commits[:n] {
		a.readers.overflow(a.ring, c.effects)
	}
	a.publish(&a.commits[n-1])
	for _, c := range a.commits[:n] {
		a.run(c.effects)
		for _, l := range c.looks {
			l.give()
		}
	}
	a.commits = append([]commit(nil), a.commits[n:]...)
	a.kept.keep(a, a.cfg.CheckpointBytes)
	a.trims.look(a)
}

// publish shows the events up to a commit's last. The ring comes before the head, which lists read: a cursor that a list gives can be read at once.
func (a *shell) publish(c *commit) {
	failpoint.Hit("session/beforePublish")
	a.ring.Publish(c.seq)
	failpoint.Hit("session/afterPublish")
	a.cfg.Head.set(c.seq, c.changed, c.time)
	a.cfg.Host.Shown(a.cfg.ID, a.journal.Log(), c.seq, AtWork(a.core.Stands()))
	a.cfg.Gauges.contribute(&a.share, loadOf(a.core))
}
