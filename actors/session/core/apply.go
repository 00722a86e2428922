package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// Replay applies one event of the journal.
func (s *logged) Replay(e *protocol.Event) {
	s.seq, s.time = e.Seq, e.Time
	if e.Seq == 1 {
		s.created = e.Time
	}
	s.apply(e)
}

// apply changes the state as an event says. It decides nothing and is total: a journal that another build wrote must not
// break it.
func (s *logged) apply(e *protocol.Event) {
	if shows(e.Payload) {
		s.changed = e.Seq
	}
	s.frame.Apply(e)
	s.applySpent(e, s.turn != nil, s.family.names(e.Payload))
	switch p := e.Payload.(type) {
	case *protocol.SessionStart:
		s.applyStart(p)
		s.settings.asked = p.Metadata.Model
		s.own = p.Metadata.Budget
	case *protocol.SessionEnd:
		s.end = p
		s.undone.settle()
		if s.told() != "" {
			noted(&s.news).turn.end = p.Reason
		}
	case *protocol.SessionMeta:
		s.applyMeta(p, s.status.State != "")
		s.settings.apply(p)
		if p.Budget != nil {
			s.own = p.Budget
		}
	case *protocol.Epoch:
		s.epochs = s.epochs.Begin(p.Epoch, e.Seq)
	case *protocol.TurnStart:
		s.turns++
		s.turn = &turn{id: p.TurnID, prompt: p.Prompt}
		if p.Prompt != nil {
			s.undone.take(p.Prompt.PromptID)
			s.called(p.Prompt.Text)
		}
		s.end, s.family.fresh = nil, nil
		if s.news != nil {
			s.news.begin()
		}
	case *protocol.TurnEnd:
		if s.news != nil || s.told() != "" {
			noted(&s.news).turnEnded(p)
		}
		s.turn, s.requests.answered = nil, nil
		s.last = protocol.LastTurnOf(p)
		s.undone.settle()
	case *protocol.EntryStart:
		s.entries.applyStart(p, e.Seq)
		if inc, key, ok := protocol.ParseEntryID(p.EntryID); ok {
			s.ids.seen(inc, key, 0)
		}
	case *protocol.EntryDelta:
		s.entries.applyDelta(p)
	case *protocol.EntryEnd:
		s.entries.applyEnd(p)
		if m, is := p.Data.(*protocol.MessageData); is && p.EntryType == protocol.EntryUserMessage {
			s.called(m.Text)
		}
		if s.news != nil {
			s.news.said(p)
		}
	case *protocol.RequestOpened:
		s.requests.applyOpened(p, e.Seq, e.Time, p.SessionID != "" && s.family.spawned(p.SessionID))
		if inc, key, ok := protocol.ParseRequestID(p.RequestID); ok {
			s.ids.seen(inc, 0, key)
		} else if n, ok := protocol.ParseCallID(p.RequestID); ok {
			s.ids.call = max(s.ids.call, n)
		}
	case *protocol.RequestResolved:
		answered := s.requests.applyResolved(p, s.limits.Remembered)
		if answered && s.turn != nil && p.Outcome == protocol.OutcomeDenied && p.Option != protocol.DenyContinue {
			s.turn.denied = true
		}
	case *protocol.PromptQueued:
		if p.Origin == "" {
			s.called(p.Text)
		}
		s.queue.applyQueued(p, protocol.Cursor{Epoch: s.epochs.Newest(), Seq: e.Seq - 1}, e.Time, s.limits.Remembered)
		s.undone.touch()
	case *protocol.PromptMoved:
		s.queue.applyMoved(p)
		s.undone.touch() // they are told in order
	case *protocol.PromptRemoved:
		q, waited := s.queue.applyRemoved(p)
		if p.Reason == protocol.RemovedDispatched {
			s.undone.take(p.PromptID)
		}
		s.undone.touch()
		if waited && q.Notify != "" {
			noted(&s.news).left(&q, p, s.limits.Queue)
		}
	case *protocol.Status:
		s.status = *p
		if !p.State.Ended() { // revived
			s.end = nil
		}
	case *protocol.ChildSession:
		s.family.apply(p)
	case *protocol.BudgetMark:
		s.applyMark(p)
	case *protocol.EntryMeta, *protocol.TokenUsage, *protocol.Unknown:
	}
}

// shows says of an event that summaries tell what it changes: the status, the turn, the prompts or the requests.
func shows(p protocol.Payload) bool {
	switch p.(type) {
	case *protocol.Status, *protocol.TurnStart, *protocol.TurnEnd, *protocol.PromptQueued, *protocol.PromptRemoved,
		*protocol.RequestOpened, *protocol.RequestResolved, *protocol.SessionEnd:
		return true
	default:
		return false
	}
}
