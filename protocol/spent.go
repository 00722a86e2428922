package protocol

import "math"

// Spent is what a session has used so far, as its log tells it (spec §4.12). All of it only grows, but for WorkingSince. It counts the session alone: a
// session that works for it has its own.
type Spent struct {
	TotalTokens           int64 `json:"totalTokens"`                     // of all model requests
	InputTokens           int64 `json:"inputTokens"`                     // all input, cached included
	CachedInputTokens     int64 `json:"cachedInputTokens"`               // the part of the input that came from the provider's cache
	OutputTokens          int64 `json:"outputTokens"`                    // all output, reasoning included
	ReasoningOutputTokens int64 `json:"reasoningOutputTokens,omitempty"` // the part of the output that was reasoning
	CostMicros            int64 `json:"costMicros"`                      // millionths of a US dollar
	EstimatedMicros       int64 `json:"estimatedMicros,omitempty"`       // the part of costMicros that the daemon worked out of a price file
	Turns                 int64 `json:"turns"`                           // that have ended
	ToolCalls             int64 `json:"toolCalls"`                       // that have ended
	Children              int64 `json:"children"`                        // sessions that were made to work for this one, its agent's sub-agents among them
	WorkMs                int64 `json:"workMs"`                          // milliseconds at work: a turn ran, and no person was waited for
	WorkingSince          int64 `json:"workingSince,omitempty"`          // Unix ms up to which workMs counts, while the session is at work; absent: it is not
}

// Apply counts an event. turn says that a turn runs before it, and fresh that a child_session names its session for the first time.
func (s *Spent) Apply(e *Event, turn, fresh bool) {
	switch p := e.Payload.(type) {
	case *TurnStart:
		s.work(e.Time)
		s.WorkingSince = e.Time
	case *TurnEnd:
		s.Turns = sum(s.Turns, 1)
		if p.Cause != CauseDaemon { // that daemon may have been gone for long before another one wrote this
			s.work(e.Time)
		}
		s.WorkingSince = 0
	case *Status:
		s.work(e.Time)
		switch {
		case p.State == StateAwaitingApproval, p.State == StateAwaitingInput:
			s.WorkingSince = 0
		case turn:
			s.WorkingSince = e.Time
		}
	case *EntryStart:
		s.work(e.Time)
	case *EntryEnd:
		if p.EntryType == EntryToolCall {
			s.ToolCalls = sum(s.ToolCalls, 1)
		}
		if !p.Incomplete {
			s.work(e.Time)
		}
	case *ChildSession:
		if fresh {
			s.Children = sum(s.Children, 1)
		}
	case *TokenUsage:
		s.work(e.Time)
		s.use(p)
	case *SessionEnd:
		s.WorkingSince = 0
	default:
	}
}

// work counts the time up to an event.
func (s *Spent) work(now int64) {
	if s.WorkingSince != 0 && now > s.WorkingSince {
		s.WorkMs, s.WorkingSince = sum(s.WorkMs, now-s.WorkingSince), now
	}
}

func (s *Spent) use(p *TokenUsage) {
	s.TotalTokens = sum(s.TotalTokens, p.Usage.TotalTokens)
	s.InputTokens = sum(s.InputTokens, p.Usage.InputTokens)
	s.CachedInputTokens = sum(s.CachedInputTokens, p.Usage.CachedInputTokens)
	s.OutputTokens = sum(s.OutputTokens, p.Usage.OutputTokens)
	s.ReasoningOutputTokens = sum(s.ReasoningOutputTokens, p.Usage.ReasoningOutputTokens)
	if p.Cost != nil {
		micros := p.Cost.Micros()
		s.CostMicros = sum(s.CostMicros, micros)
		if p.Cost.Estimated {
			s.EstimatedMicros = sum(s.EstimatedMicros, micros)
		}
	}
}

// Add adds what another session has used. Of time at work it adds what is counted; whether that session is at work now is told by its own WorkingSince.
func (s *Spent) Add(o *Spent) {
	s.TotalTokens = sum(s.TotalTokens, o.TotalTokens)
	s.InputTokens = sum(s.InputTokens, o.InputTokens)
	s.CachedInputTokens = sum(s.CachedInputTokens, o.CachedInputTokens)
	s.OutputTokens = sum(s.OutputTokens, o.OutputTokens)
	s.ReasoningOutputTokens = sum(s.ReasoningOutputTokens, o.ReasoningOutputTokens)
	s.CostMicros = sum(s.CostMicros, o.CostMicros)
	s.EstimatedMicros = sum(s.EstimatedMicros, o.EstimatedMicros)
	s.Turns = sum(s.Turns, o.Turns)
	s.ToolCalls = sum(s.ToolCalls, o.ToolCalls)
	s.Children = sum(s.Children, o.Children)
	s.WorkMs = sum(s.WorkMs, o.WorkMs)
}

// sum adds what is above zero, and stops at MaxSeq.
func sum(a, b int64) int64 { return min(a+min(max(b, 0), MaxSeq), MaxSeq) }

// Micros is the cost in all in millionths of a US dollar, rounded to the nearest: a half goes up. What is below zero counts as zero.
func (u *Cost) Micros() int64 {
	micros := float64(u.Total * 1e6) // the conversion keeps every machine from rounding once for both steps
	switch {
	case !(micros > 0):
		return 0
	case micros >= MaxSeq:
		return MaxSeq
	}
	return int64(math.Floor(micros + 0.5))
}

func (s *Spent) code(c *coder) {
	c.int64("totalTokens", &s.TotalTokens)
	c.int64("inputTokens", &s.InputTokens)
	c.int64("cachedInputTokens", &s.CachedInputTokens)
	c.int64("outputTokens", &s.OutputTokens)
	c.optInt64("reasoningOutputTokens", &s.ReasoningOutputTokens)
	c.int64("costMicros", &s.CostMicros)
	c.optInt64("estimatedMicros", &s.EstimatedMicros)
	c.int64("turns", &s.Turns)
	c.int64("toolCalls", &s.ToolCalls)
	c.int64("children", &s.Children)
	c.int64("workMs", &s.WorkMs)
	c.optInt64("workingSince", &s.WorkingSince)
}
