package session

import (
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/failpoint"
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/actors/ring"
	"github.com/ringmaster-agents/ringmaster/actors/session/core"
	"go.uber.org/zap"
)

// run carries out what the core decided, in order.
func (a *shell) run(effects []core.Effect) {
	if slices.Contains(effects, core.Effect(core.Announce{})) { // first, so that a client that has its answer finds the summary in the list
		a.cfg.Host.Announce(a.summary())
		if !a.core.Stands().Busy() {
			a.quiet.begin(a.self)
		}
	}
	for _, e := range effects {
		failpoint.Hit("session/midEffects")
		switch e := e.(type) {
		case core.Answer:
			a.owed.answer(e)
		case core.PassOn:
			a.cfg.Host.ToSession(e.SessionID, a.owed.passOn(e))
		case core.Confirm:
			toAdapter(e.To, &Confirm{Number: e.Number})
		case core.Tell:
			toAdapter(e.To, &Tell{Command: e.Command})
		case core.StopAgent:
			toAdapter(e.To, &StopAgent{Grace: e.Grace})
		case core.EndOrphans:
			toAdapter(e.To, &EndOrphans{Turn: e.Turn})
		case core.StartAgent:
			a.cfg.Host.StartAgent(a.cfg.ID, e)
		case core.CancelStart:
			a.cfg.Host.CancelStart(a.cfg.ID, e.Incarnation)
		case core.HastenStart:
			a.cfg.Host.HastenStart(a.cfg.ID)
		case core.WatchInterrupt:
			a.sayLater(core.InterruptGrace, &core.InterruptOverdue{TurnID: e.TurnID})
		case core.WatchStart:
			stopTimer(a.starting) // of the agent before
			a.starting = a.sayLater(core.StartGrace, &core.StartOverdue{Incarnation: e.Incarnation})
		case core.WatchStall:
			a.stalling = a.sayLater(e.After, &core.StallOverdue{})
		case core.WatchRequest:
			a.sayLater(e.After, &core.RequestOverdue{RequestID: e.RequestID})
		case core.WatchBudget:
			a.sayLater(e.After, &core.BudgetDue{})
		case core.WatchSetting:
			a.sayLater(core.SettingGrace, &core.SettingOverdue{ID: e.ID})
		case core.AdoptChild:
			a.cfg.Host.AdoptChild(a.cfg.ID, e)
		case core.ToRoot:
			a.cfg.Host.ToRoot(a.cfg.ID, e.Message)
		case core.ToSession:
			a.cfg.Host.ToSession(e.ID, Say(e.Message))
		case core.TellOffers:
			a.cfg.Host.Offers(a.cfg.ID, e.Offers)
		case core.Illegal:
			illegal(a.cfg, e)
		case core.Announce: // above
		case core.Overflow: // overflow
		case core.Over:
			if a.core.Ended() { // else the session was revived before this effect was released
				a.ring.Close(ring.Ended)
				if err := a.journal.Release(); err != nil {
					a.fail(err)
				}
			}
		}
	}
}

// overflow shows the readers what texts have beyond what the log keeps of them, each part behind the events before it: it comes before the events of
// the same step.
func (all readers) overflow(to *ring.Ring, effects []core.Effect) {
	if len(all) == 0 {
		return
	}
	for _, e := range effects {
		if o, is := e.(core.Overflow); is {
			to.Overflow(o.After, &o.Overflow)
		}
	}
}

// toAdapter sends to an adapter that the core has named; nil: there was none.
func toAdapter(to core.Adapter, m AdapterMessage) {
	if ref, ok := to.(AdapterRef); ok {
		ref.Send(m)
	}
}

// sayLater sends an input to this actor after a while. A stopped actor does not get it.
func (a *shell) sayLater(after time.Duration, in core.Input) *time.Timer {
	self := a.self
	return time.AfterFunc(after, func() { self.Send(Say(in)) })
}

func stopTimer(t *time.Timer) {
	if t != nil {
		t.Stop()
	}
}

// illegal counts and logs a change of the status that the table of states does not have. Tests in which it happens fail.
func illegal(cfg *Config, i core.Illegal) {
	if cfg.Gauges != nil {
		cfg.Gauges.Illegal.Add(1)
	}
	cfg.Log.Error(invariant.Transition, zap.String("session", cfg.ID), zap.String("from", string(i.From)), zap.String("to", string(i.To)))
	invariant.Broken(i.String())
}
