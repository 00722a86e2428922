package session

import (
	"errors"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/ringmaster-agents/ringmaster/actors/ask"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"go.uber.org/zap"
)

// start reads the journal. The session's first input then waits until the journal can be written (begin).
func (a *shell) start(ctx actor.Context) {
	a.self = ask.NewRef[Message](ctx.ActorSystem().Root, ctx.Self())
	a.readers = readers{}
	a.core = core.New(a.cfg.ID, &a.cfg.Limits)
	a.born = a.cfg.Now()
	var saved *core.State
	j, rec, err := a.cfg.Open(Replay{
		Start: func(snapshot []byte) (uint64, error) {
			s, err := restored(a.cfg.ID, &a.cfg.Limits, snapshot)
			if err == nil {
				a.core = s
			}
			return s.Seq(), err
		},
		Load: func(state []byte) error {
			saved = core.New(a.cfg.ID, &a.cfg.Limits)
			return saved.Restore(state)
		},
		Use: func() { a.core = saved },
		Visit: func(line []byte) error {
			e, err := protocol.Decode(line)
			if err != nil {
				return err
			}
			a.kept.grow(len(line) + 1)
			switch at := a.core.Seq(); {
			case e.Seq == 1 && at > 0: // nothing was dropped
				a.core = core.New(a.cfg.ID, &a.cfg.Limits)
			case e.Seq <= at: // the snapshot tells it
				return nil
			case e.Seq > at+1:
				return store.Untold(e.Seq, at)
			}
			a.core.Replay(&e)
			return nil
		},
	})
	a.journal = j
	a.renew(a.core.Epochs().Newest())
	switch {
	case j == nil || Damaged(err):
		a.damage = err
		if !errors.Is(err, ErrUnmade) {
			a.cfg.Log.Error("journal", zap.String("session", a.cfg.ID), zap.Error(err))
		}
		a.cfg.Host.Announce(a.summary())
	default:
		a.first = a.cfg.First(rec)
		if err != nil {
			a.fail(err)
		} else {
			a.begin()
		}
	}
	a.cfg.Open, a.cfg.First = nil, nil // so that the memory which they hold is freed
}

// Damaged says of an error of Config.Open that the log is not as it was written. It is false where the disk refuses the repair: then the session
// waits until the disk takes it.
func Damaged(err error) bool {
	var refused *store.WriteError
	return err != nil && !errors.As(err, &refused)
}

// renew gives the session another ring; readers of the one before join again.
func (a *shell) renew(epoch uint64) {
	if a.ring != nil {
		a.ring.Close(ring.Retired)
	}
	a.ring = ring.New(epoch, a.core.Seq(), a.cfg.RingBytes)
	if a.core.Ended() {
		a.ring.Close(ring.Ended)
	}
}

// begin takes the session's first input, once the journal can be written. A new epoch comes before everything else: while the journal cannot say
// that events are lost, no event may follow that reuses their numbers.
func (a *shell) begin() {
	epoch := a.core.Epochs().Newest()
	if r, ok := a.first.(*Recover); ok {
		switch written := a.journal.Log().Epoch(); {
		case r.Epoch > written:
			if err := a.journal.NewEpoch(r.Epoch); err != nil {
				a.fail(err)
				return
			}
		case written > epoch: // an earlier start has begun the epoch in the journal, and ended before its event was written
			r.Epoch = written
		}
		epoch = max(epoch, r.Epoch)
	}
	if a.ring.Epoch() != epoch {
		a.renew(epoch)
	}
	first := a.first
	a.first = nil
	if first != nil {
		a.step(first)
	}
	a.cfg.Gauges.contribute(&a.share, loadOf(a.core))
	if r, ok := first.(*Rejoin); ok {
		toAdapter(r.Adapter, &Attach{
			Session: a.self, Incarnation: r.Incarnation, Confirmed: a.core.Batch(), Quarantine: r.Quarantine,
		})
	}
	if len(a.commits) == 0 {
		a.cfg.Head.set(a.core.Seq(), a.core.Changed(), a.core.Time())
		a.cfg.Host.Shown(a.cfg.ID, a.journal.Log(), a.core.Seq(), AtWork(a.core.Stands()))
	}
	a.after([]core.Effect{core.Announce{}}) // behind the events that are not shown yet
	a.trims.look(a)
}
