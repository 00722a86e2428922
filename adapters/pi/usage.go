package pi

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// usage is what one model request used. Input excludes both caches, output includes reasoning.
type usage struct {
	Input       int64 `json:"input"`
	Output      int64 `json:"output"`
	CacheRead   int64 `json:"cacheRead"`
	CacheWrite  int64 `json:"cacheWrite"`
	Reasoning   int64 `json:"reasoning"`
	TotalTokens int64 `json:"totalTokens"`
	Cost        struct {
		Input     float64 `json:"input"`
		Output    float64 `json:"output"`
		CacheRead float64 `json:"cacheRead"`
		Total     float64 `json:"total"`
	} `json:"cost"`
}

// report reports the tokens of one request; u may be nil. Failed and aborted requests report zeros: nothing.
func (u *usage) report(model string, out *adapters.Output) {
	if u == nil || u.Input|u.Output|u.CacheRead|u.CacheWrite == 0 {
		return
	}
	usage := protocol.TokenUsage{Model: model, Usage: protocol.Usage{
		InputTokens:           u.Input + u.CacheRead + u.CacheWrite,
		CachedInputTokens:     u.CacheRead,
		OutputTokens:          u.Output,
		ReasoningOutputTokens: u.Reasoning,
		TotalTokens:           u.TotalTokens,
	}}
	if c := u.Cost; c.Total != 0 {
		usage.Cost = &protocol.Cost{Input: c.Input, Output: c.Output, CacheRead: c.CacheRead, Total: c.Total}
	}
	out.Draft(adapters.Used{Usage: usage})
}
