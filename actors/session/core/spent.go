package core

import "github.com/ringmaster-agents/ringmaster/protocol"

// spent is the part of a state that counts what the agent has used, over all its starts.
type spent struct {
	usage protocol.Usage
	cost  float64
}

func (u *spent) applyUsage(p *protocol.TokenUsage) {
	u.usage.InputTokens += p.Usage.InputTokens
	u.usage.CachedInputTokens += p.Usage.CachedInputTokens
	u.usage.OutputTokens += p.Usage.OutputTokens
	u.usage.ReasoningOutputTokens += p.Usage.ReasoningOutputTokens
	u.usage.TotalTokens += p.Usage.TotalTokens
	if p.Cost != nil {
		u.cost += p.Cost.Total
	}
}
