package core

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Step decides: it takes one input at a time, changes the state, and returns the events to append, in order, and the effects to carry out once
// the journal has taken them, in order. Both are valid until the next Step. now is the clock's time, Unix ms; up are the ms that have passed since
// some instant, however the clock was set meanwhile.
func (s *State) Step(now, up int64, in Input) ([]protocol.Event, []Effect) {
	s.now, s.up, s.out, s.todo = now, up, s.out[:0], s.todo[:0]
	changed, counted := s.changed, s.counted
	switch in := in.(type) {
	case *Begin:
		s.begin(in)
	case *Recover:
		s.recover(in)
	case *Rejoin:
		s.rejoin(in)
	case *AgentStarted:
		s.agentStarted(in)
	case *Batch:
		s.batch(in)
	case *SendPrompt:
		s.sendPrompt(in)
	case *CancelPrompt:
		s.queue.cancel(&s.writer, in)
	case *Interrupt:
		s.interrupt(in)
	case *InterruptOverdue:
		s.interruptOverdue(in)
	case *GoOn:
		s.goOn(false)
	case *StartOverdue:
		s.startOverdue(in)
	case *StallOverdue:
		s.link.silence.overdue(s.up, s.speaks(), s.limits.StallAfter)
	case *RequestOverdue:
		s.requestOverdue(in)
	case *MovePrompt:
		s.queue.move(&s.writer, in)
	case *Choose:
		s.choose(in)
	case *SettingOverdue:
		s.settings.overdue(&s.writer, in)
	case *Resolve:
		s.resolve(in)
	case *CallTool:
		s.callTool(in)
	case *CancelCall:
		s.closeRequests(s.requests.callCancelled(in)...)
	case *Change:
		s.change(in)
	case *SetBudget:
		s.setBudget(in)
	case *BudgetMarks:
		s.above.heard, s.above.said = true, *in
	case *BudgetDue:
		s.above.watching = false
	case *End:
		s.endSession(in)
	case *Park:
		s.park(in)
	case *Adopt:
		s.adopt()
	case *TellRoot:
		s.requests.report(&s.writer, &s.about)
		s.family.ask(&s.writer)
	case *ChildAsks:
		s.childAsks(in.ChildID, in.Request, in.Apart)
	case *ChildResolved:
		s.closeRequests(s.requests.childResolved(in.ChildID, in.Resolved)...)
	case *ChildReport:
		s.childReport(in)
	case *ChildSpawned:
		if s.end == nil {
			s.family.note(&s.writer, in)
		}
	case *ChildGone:
		s.closeRequests(s.requests.childGone(in.ChildID, nil)...)
	case *ChildNews:
		if s.end == nil {
			s.family.rests(&s.writer, in)
		}
	case *PromptSettled:
		s.promptSettled(in)
	case *TellNews:
		s.news.again()
	case *Waive:
		s.waive(in)
	}
	s.judge()
	s.dispatch()
	s.link.silence.watch(&s.writer, s.speaks(), s.limits.StallAfter)
	s.settle()
	s.news.tell(&s.writer, s.id, s.meta.Title, s.told())
	if s.changed != changed || s.counted != counted {
		s.do(Announce{})
	}
	return s.out, s.todo
}

// batch takes what the agent said. It is confirmed whatever it was, so that the adapter's window moves on.
func (s *State) batch(b *Batch) {
	if b.Incarnation != s.link.incarnation || s.link.phase == linkNone || (b.Number > s.link.batch+1 && !s.link.rejoined) {
		s.link.dropped += uint64(len(b.Drafts))
		return // a straggler of a replaced agent; or a gap, which Attach mends
	}
	adapter := s.link.adapter
	if b.Number > s.link.batch {
		s.link.batch, s.link.rejoined = b.Number, false
		if s.link.silence.broken(s.up) {
			s.settle()
		}
		for _, d := range b.Drafts {
			s.draft(d)
		}
		if b.Exit != nil {
			s.agentExited(*b.Exit)
		}
	}
	s.do(Confirm{To: adapter, Number: b.Number})
}

func (s *State) draft(d adapters.Draft) {
	switch d := d.(type) {
	case adapters.Ready:
		s.ready(d)
	case adapters.TurnBegan:
		s.turnBegan(d)
	case adapters.TurnEnded:
		s.turnEnded(d)
	case adapters.EntryOpened:
		s.entryOpened(d)
	case adapters.EntryChanged:
		s.entries.change(&s.writer, &s.link, d)
	case adapters.EntryOverflow:
		s.entries.overflow(&s.writer, &s.link, d)
	case adapters.EntryClosed:
		s.entries.end(&s.writer, &s.link, d)
	case adapters.EntryBound:
		s.link.bound(&s.writer, &s.ids, d)
	case adapters.PhaseChanged:
		s.link.phaseChanged(d, s.now, s.turn != nil)
	case adapters.RequestOpened:
		s.requestOpened(d)
	case adapters.RequestClosed:
		s.closeRequests(s.requests.withdrawn(&s.link, d)...)
	case adapters.Used:
		u := d.Usage
		u.TurnID = s.turn.ID()
		s.above.unpriced.Used(&u)
		s.emit(&u)
		s.tellUnpriced()
	case adapters.MetaChanged:
		s.metaChanged(s.ofAgent(d.Meta))
	case adapters.SessionLeft: // the log goes on: what counts is the id that follows
	case adapters.ChildBegan:
		s.childBegan(d)
	case adapters.Offered:
		s.takeOffer(d)
	case adapters.SettingAnswered:
		s.settings.answered(&s.writer, s.turn.ID(), d)
	case adapters.NativeQueue:
		s.queue.agentHas(&s.writer, d)
	case adapters.PromptAnswered:
		s.promptAnswered(d)
	case adapters.Notice:
		s.above.unpriced.Told(d.Kind)
		s.notice(s.turn.ID(), &protocol.SystemData{Text: d.Text, Level: d.Level, Kind: d.Kind})
	case adapters.Native:
		s.notice(s.turn.ID(), &protocol.SystemData{Kind: d.Kind, Raw: d.Raw})
	}
	if mayChangeStatus(d) {
		s.settle()
	}
}

// mayChangeStatus says that the status is to be looked at. Of deltas, which are the hot path, only one that says so can change it.
func mayChangeStatus(d adapters.Draft) bool {
	switch d := d.(type) {
	case adapters.EntryChanged:
		_, of := d.Delta.(*protocol.StatusChange)
		return of
	case adapters.EntryOverflow:
		return false
	default:
		return true
	}
}
