package budget

import "github.com/ringmaster-agents/ringmaster/protocol"

// Sum is what several sessions use together.
type Sum struct {
	use     Use
	working int64 // sessions that are at work
	since   int64 // the sum of their WorkingSince
}

// Use is what is used together as of a time, Unix ms, and how many sessions are at work.
func (s *Sum) Use(now int64) (u Use, working int64) {
	u = s.use
	u.WorkMs += max(0, s.working*now-s.since)
	return u, s.working
}

// count adds what a session uses, and since when it is at work, 0: it is not. times is 1, or -1 to take it away.
func (s *Sum) count(u *Use, since, times int64) {
	s.use.add(u, times)
	if since != 0 {
		s.working += times
		s.since += times * since
	}
}

func (s *Sum) merge(o *Sum, times int64) {
	s.use.add(&o.use, times)
	s.working += times * o.working
	s.since += times * o.since
}

// counted is what a session has used, without the time at work that is not counted yet.
func counted(p *protocol.Spent) Use {
	return Use{p.TotalTokens, p.CostMicros, p.WorkMs, p.Turns, p.ToolCalls, p.Children}
}

func (u *Use) add(o *Use, times int64) {
	u.Tokens += times * o.Tokens
	u.CostMicros += times * o.CostMicros
	u.WorkMs += times * o.WorkMs
	u.Turns += times * o.Turns
	u.ToolCalls += times * o.ToolCalls
	u.Children += times * o.Children
}

// without is what is left of a use when another one is taken away.
func (u Use) without(o Use) Use {
	u.add(&o, -1)
	return u
}

// upTo is the lesser of each of two.
func (u Use) upTo(o Use) Use {
	return Use{
		min(u.Tokens, o.Tokens), min(u.CostMicros, o.CostMicros), min(u.WorkMs, o.WorkMs),
		min(u.Turns, o.Turns), min(u.ToolCalls, o.ToolCalls), min(u.Children, o.Children),
	}
}
