package opencode

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// usage is what a session used, as the agent counts it.
type usage struct{ total protocol.Usage }

// sum takes the agent's own sum.
func (s *usage) sum(u *tokens) {
	if u != nil {
		s.total = u.canonical()
	}
}

// used reports what one model request used.
func (s *usage) used(u *tokens, cost float64, model string, out *adapters.Output) {
	if u == nil {
		return
	}
	usage := u.canonical()
	if usage.TotalTokens == 0 {
		return
	}
	sum := &s.total
	sum.InputTokens += usage.InputTokens
	sum.CachedInputTokens += usage.CachedInputTokens
	sum.OutputTokens += usage.OutputTokens
	sum.ReasoningOutputTokens += usage.ReasoningOutputTokens
	sum.TotalTokens += usage.TotalTokens
	total := *sum
	draft := adapters.Used{Usage: protocol.TokenUsage{Usage: usage, SessionTotal: &total, Model: model}}
	if cost > 0 {
		draft.Usage.Cost = &protocol.Cost{Total: cost}
	}
	out.Draft(draft)
}

// canonical makes tokens of the agent canonical. 1.18 counts reasoning beside the output, 1.1 in it: there the total tells.
func (u *tokens) canonical() protocol.Usage {
	in := u.Input + u.Cache.Read + u.Cache.Write
	output := u.Output + u.Reasoning
	if u.Total > 0 && u.Reasoning > 0 && u.Total == in+u.Output {
		output = u.Output
	}
	return protocol.Usage{
		InputTokens: count(in), CachedInputTokens: count(u.Cache.Read), OutputTokens: count(output),
		ReasoningOutputTokens: count(u.Reasoning), TotalTokens: count(in + output),
	}
}

// count makes a number of tokens of whatever the agent says.
func count(n float64) int64 {
	if !(n > 0) || n > 1<<50 {
		return 0
	}
	return int64(n)
}
