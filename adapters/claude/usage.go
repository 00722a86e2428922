package claude

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// modelUse is what one model used. Input excludes both caches; output includes thinking.
type modelUse struct {
	Input      int64   `json:"inputTokens"`
	Output     int64   `json:"outputTokens"`
	CacheRead  int64   `json:"cacheReadInputTokens"`
	CacheWrite int64   `json:"cacheCreationInputTokens"`
	Thinking   int64   `json:"thinkingTokens"`
	Cost       float64 `json:"costUSD"`
}

// requestUse is the usage of a result: that of the turn's own model requests, zero after an interruption.
type requestUse struct {
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
}

// resultUse are the members of a result that tell what was used.
type resultUse struct {
	Usage     requestUse          `json:"usage"`
	Models    map[string]modelUse `json:"modelUsage"`
	SinceLast map[string]modelUse `json:"model_usage_since_last_result"`
}

// usage is what was used until the last result.
type usage struct {
	totals map[string]modelUse // its modelUsage
}

// report reports what was used since the last result, sub-agents and the tools' own model requests included. modelUsage is
// cumulative for the session, over a resume too, unless the program was killed: then it begins again. model is the session's.
func (u *usage) report(r *resultUse, model string, out *adapters.Output) {
	since, model := u.since(r, model)
	total := sum(r.Models)
	u.totals = r.Models
	used := since.usage()
	if used.TotalTokens <= 0 {
		return
	}
	d := protocol.TokenUsage{Model: model, Usage: used}
	if total.usage().TotalTokens > 0 {
		session := total.usage()
		d.SessionTotal = &session
	}
	if since.Cost > 0 {
		d.Cost = &protocol.Cost{Total: since.Cost}
	}
	out.Draft(adapters.Used{Usage: d})
}

// since is what was used since the last result, and the model where it was only one. Versions that do not say it say the
// totals, or at least what the turn used, which was the session's model.
func (u *usage) since(r *resultUse, session string) (since modelUse, model string) {
	models := r.SinceLast
	if models == nil && u.totals != nil && r.Models != nil {
		models = map[string]modelUse{}
		for name, now := range r.Models {
			if d := now.minus(u.totals[name]); d != (modelUse{}) {
				models[name] = d
			}
		}
	}
	if models == nil {
		of := r.Usage
		return sum(map[string]modelUse{"": {Input: of.Input, Output: of.Output, CacheRead: of.CacheRead, CacheWrite: of.CacheWrite}}), session
	}
	if len(models) == 1 {
		for name := range models {
			model = name
		}
	}
	return sum(models), model
}

// sum adds in one order: costs are fractions.
func sum(models map[string]modelUse) (all modelUse) {
	for _, name := range slices.Sorted(maps.Keys(models)) {
		u := models[name]
		all.Input += count(u.Input)
		all.Output += count(u.Output)
		all.CacheRead += count(u.CacheRead)
		all.CacheWrite += count(u.CacheWrite)
		all.Thinking += count(u.Thinking)
		all.Cost += max(0, u.Cost)
	}
	return all
}

// count keeps a number of tokens within what clients can add up.
func count(n int64) int64 { return min(max(0, n), 1<<40) }

func (u modelUse) minus(v modelUse) modelUse {
	return modelUse{
		u.Input - v.Input, u.Output - v.Output, u.CacheRead - v.CacheRead, u.CacheWrite - v.CacheWrite,
		u.Thinking - v.Thinking, u.Cost - v.Cost,
	}
}

func (u modelUse) usage() protocol.Usage {
	input := u.Input + u.CacheRead + u.CacheWrite
	return protocol.Usage{
		InputTokens: input, CachedInputTokens: u.CacheRead, OutputTokens: u.Output,
		ReasoningOutputTokens: u.Thinking, TotalTokens: input + u.Output,
	}
}
