package protocol

import (
	"maps"
	"math"
	"slices"
)

// MaxSummaries bounds the summary parts of one thinking entry; a delta for a part beyond it changes nothing.
const MaxSummaries = 1024

// Apply folds the next event into the state (spec §10.1). It is total: it tolerates missing starts, deltas and ends,
// unknown types and unknown deltas, and never fails. An event whose seq is not above Seq changes nothing, so that an
// event received twice counts once. It keeps parts of e, which must not change afterwards, and changes none of them.
func (s *SessionState) Apply(e *Event) {
	if e.Seq <= s.Seq {
		return
	}
	s.Seq, s.Ts, s.Epoch = e.Seq, e.Time, max(s.Epoch, 1)
	if _, delta := e.Payload.(*EntryDelta); !delta { // the most frequent of all, and of no account
		s.count(e)
	}
	switch p := e.Payload.(type) {
	case *SessionStart:
		s.begin(p)
	case *SessionEnd:
		s.end(p)
	case *SessionMeta:
		s.meta(p)
	case *ChildSession:
		s.child(e, p)
	case *Epoch:
		s.Epoch = max(s.Epoch, p.Epoch)
	case *TurnStart:
		t := s.turn(e, p.TurnID)
		t.Prompt = p.Prompt
	case *TurnEnd:
		t := s.turn(e, p.TurnID)
		t.Status, t.Cause, t.Error, t.Hint, t.EndSeq, t.EndTs = p.Status, p.Cause, p.Error, p.Hint, e.Seq, e.Time
	case *EntryStart:
		s.startEntry(e, p)
	case *EntryDelta:
		if x := s.entries[p.EntryID]; x != nil && x.Open {
			x.apply(p.Delta)
		}
	case *EntryEnd:
		s.endEntry(e, p)
	case *EntryMeta:
		if x := s.entries[p.EntryID]; x != nil {
			x.PersistentID = p.PersistentID
		}
	case *RequestOpened:
		s.openRequest(e, p)
	case *RequestResolved:
		s.resolveRequest(e, p)
	case *PromptQueued:
		s.dequeue(p.PromptID)
		s.Queue = append(s.Queue, &QueuedPrompt{*p, e.Seq, e.Time})
	case *PromptMoved:
		s.requeue(p)
	case *PromptRemoved:
		s.dequeue(p.PromptID)
	case *TokenUsage:
		s.use(p)
	case *Status:
		s.Status = p
		if !p.State.Ended() {
			s.End = nil
		}
	case *BudgetMark:
		s.mark(p)
	case *Unknown, nil:
	}
}

func (s *SessionState) begin(p *SessionStart) {
	s.SessionID, s.AgentBackend, s.Metadata = p.SessionID, p.AgentBackend, p.Metadata
	s.Title, s.Model, s.Labels = p.Metadata.Title, p.Metadata.Model, maps.Clone(p.Metadata.Labels)
	s.Policy, s.Budget = p.Metadata.Policy, p.Metadata.Budget
}

// end also marks open entries as incomplete: no event closes them, unless the session is revived.
func (s *SessionState) end(p *SessionEnd) {
	s.End = p
	for _, x := range s.Entries {
		if x.Open {
			x.Incomplete = true
		}
	}
}

func (s *SessionState) meta(p *SessionMeta) {
	set := func(to, from *string) {
		if from != nil {
			*to = *from
		}
	}
	set(&s.Title, p.Title)
	set(&s.Model, p.Model)
	set(&s.Mode, p.Mode)
	set(&s.PendingModel, p.PendingModel)
	set(&s.PendingMode, p.PendingMode)
	set(&s.NativeSessionID, p.NativeSessionID)
	set(&s.AgentVersion, p.AgentVersion)
	if p.Labels != nil {
		s.Labels = maps.Clone(p.Labels)
	}
	if p.Capabilities != nil {
		s.Capabilities = slices.Clone(p.Capabilities)
	}
	if p.Policy != nil {
		s.Policy = p.Policy
	}
	if p.Budget != nil {
		s.Budget = p.Budget
	}
}

// count adds to what the session has used. It comes before the rest of the fold, which has the event's turn and child by then.
func (s *SessionState) count(e *Event) {
	fresh := false
	if p, is := e.Payload.(*ChildSession); is {
		fresh = !slices.ContainsFunc(s.Children, func(c *ChildState) bool { return c.ChildSessionID == p.ChildSessionID })
	}
	var now Spent
	if s.Spent != nil {
		now = *s.Spent
	}
	was, turns := now, len(s.Turns)
	if now.Apply(e, turns > 0 && s.Turns[turns-1].EndSeq == 0, fresh); now != was {
		s.Spent = &now
	}
}

func (s *SessionState) child(e *Event, p *ChildSession) {
	for _, c := range s.Children {
		if c.ChildSessionID == p.ChildSessionID {
			c.ChildSession = *p
			return
		}
	}
	s.Children = append(s.Children, &ChildState{*p, e.Seq, e.Time})
}

// turn finds a turn, or opens it: its start may be missing.
func (s *SessionState) turn(e *Event, id string) *TurnState {
	t := s.turns[id]
	if t == nil {
		t = &TurnState{TurnID: id, StartSeq: e.Seq, StartTs: e.Time}
		put(&s.turns, id, t)
		s.Turns = append(s.Turns, t)
	}
	return t
}

// entry finds an entry, or makes it, at the end of its turn and of the session.
func (s *SessionState) entry(e *Event, id, turnID string) *EntryState {
	x := s.entries[id]
	if x == nil {
		x = &EntryState{EntryID: id, TurnID: turnID, StartSeq: e.Seq, StartTs: e.Time}
		put(&s.entries, id, x)
		s.Entries = append(s.Entries, x)
		if turnID != "" {
			t := s.turn(e, turnID)
			t.Entries = append(t.Entries, id)
		}
	}
	return x
}

func (s *SessionState) startEntry(e *Event, p *EntryStart) {
	x := s.entry(e, p.EntryID, p.TurnID)
	x.set(p.EntryType, p.Data, p.PersistentID)
	x.Open, x.Incomplete, x.Reason, x.Round, x.EndSeq, x.EndTs = true, false, "", p.Round, 0, 0
}

func (s *SessionState) endEntry(e *Event, p *EntryEnd) {
	x := s.entry(e, p.EntryID, p.TurnID)
	x.set(p.EntryType, p.Data, p.PersistentID)
	x.Open, x.Incomplete, x.Reason, x.EndSeq, x.EndTs = false, p.Incomplete, p.Reason, e.Seq, e.Time
}

func (s *SessionState) openRequest(e *Event, p *RequestOpened) {
	r := &RequestState{RequestOpened: *p, OpenedSeq: e.Seq, OpenedTs: e.Time}
	if old := s.requests[p.RequestID]; old != nil {
		*old = *r
		return
	}
	put(&s.requests, p.RequestID, r)
	s.Requests = append(s.Requests, r)
}

// resolveRequest keeps the first answer. An answer whose request was never seen is of no use to a client, and is dropped.
func (s *SessionState) resolveRequest(e *Event, p *RequestResolved) {
	if r := s.requests[p.RequestID]; r != nil && r.Resolved == nil {
		r.Resolved, r.ResolvedSeq, r.ResolvedTs = p, e.Seq, e.Time
	}
}

// mark keeps what was said last of each limit, unless there is nothing to say of it any more.
func (s *SessionState) mark(p *BudgetMark) {
	at := slices.IndexFunc(s.Marks, p.About)
	switch {
	case p.State == BudgetLifted && at >= 0:
		s.Marks = slices.Delete(slices.Clone(s.Marks), at, at+1)
	case p.State == BudgetLifted:
	case at >= 0:
		s.Marks = slices.Clone(s.Marks)
		s.Marks[at] = p
	default:
		s.Marks = append(s.Marks, p)
	}
}

func (s *SessionState) dequeue(id string) {
	s.Queue = slices.DeleteFunc(s.Queue, func(q *QueuedPrompt) bool { return q.PromptID == id })
}

// requeue moves a prompt before another one; to the end where that one does not wait.
func (s *SessionState) requeue(p *PromptMoved) {
	at := func(id string) int {
		return slices.IndexFunc(s.Queue, func(q *QueuedPrompt) bool { return q.PromptID == id })
	}
	from := at(p.PromptID)
	if from < 0 || p.PromptID == p.Before {
		return
	}
	moved := s.Queue[from]
	s.Queue = slices.Delete(s.Queue, from, from+1)
	to := at(p.Before)
	if to < 0 {
		to = len(s.Queue)
	}
	s.Queue = slices.Insert(s.Queue, to, moved)
}

func (s *SessionState) use(p *TokenUsage) {
	s.Usage.Sum.add(&p.Usage)
	if p.SessionTotal != nil {
		s.Usage.Reported = p.SessionTotal
	}
	if p.Cost != nil {
		if s.Usage.Cost == nil {
			s.Usage.Cost = new(Cost)
		}
		s.Usage.Cost.add(p.Cost)
	}
	if t := s.turns[p.TurnID]; t != nil {
		if t.Usage == nil {
			t.Usage = new(Usage)
		}
		t.Usage.add(&p.Usage)
	}
}

// add adds the members that this build knows, up to MaxSeq either way.
func (u *Usage) add(v *Usage) {
	within := func(n int64) int64 { return max(min(n, MaxSeq), -MaxSeq) }
	add := func(to *int64, n int64) { *to = within(within(*to) + within(n)) }
	add(&u.InputTokens, v.InputTokens)
	add(&u.CachedInputTokens, v.CachedInputTokens)
	add(&u.OutputTokens, v.OutputTokens)
	add(&u.ReasoningOutputTokens, v.ReasoningOutputTokens)
	add(&u.TotalTokens, v.TotalTokens)
}

// add leaves a sum as it was where it would be no number any more.
func (u *Cost) add(v *Cost) {
	add := func(to *float64, x float64) {
		if sum := *to + x; !math.IsInf(sum, 0) && !math.IsNaN(sum) {
			*to = sum
		}
	}
	add(&u.Input, v.Input)
	add(&u.Output, v.Output)
	add(&u.CacheRead, v.CacheRead)
	add(&u.Total, v.Total)
	u.Estimated = u.Estimated || v.Estimated
}
