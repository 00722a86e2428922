package codex

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// usage tells model requests from the rest of what thread/tokenUsage/updated says. The total of a thread is repeated after a
// resume, a fork and a revert, and while a compaction begins; it falls with a revert. After a compaction the request
// shown is an estimate without parts, and where the context overflowed the total is that of the window, also without parts.
type usage struct {
	repeats bool // the next one repeats what was before, unless something of a turn comes first
	known   bool // total is that of the thread
	missed  bool // requests may have been made that nobody heard of
	total   tokens
}

// tokens counts tokens; input includes what was cached, output what was reasoning.
type tokens struct {
	Total     int64 `json:"totalTokens"`
	Input     int64 `json:"inputTokens"`
	Cached    int64 `json:"cachedInputTokens"`
	Output    int64 `json:"outputTokens"`
	Reasoning int64 `json:"reasoningOutputTokens"`
}

func (k *tokens) empty() bool { return k.Input <= 0 && k.Output <= 0 }

func (k *tokens) usage() protocol.Usage {
	return protocol.Usage{
		InputTokens: k.Input, CachedInputTokens: k.Cached, OutputTokens: k.Output, ReasoningOutputTokens: k.Reasoning,
		TotalTokens: k.Total,
	}
}

// settled notes that a turn goes on: no repetition will come any more.
func (u *usage) settled(method string) {
	if strings.HasPrefix(method, "item/") || strings.HasPrefix(method, "turn/") {
		u.repeats = false
	}
}

// request takes a total and the last request as told, and gives the request that was made since; ok is false where there
// was none.
func (u *usage) request(total, last tokens) (used tokens, ok bool) {
	before, known, repeats, missed := u.total, u.known, u.repeats, u.missed
	u.total, u.known, u.repeats, u.missed = total, true, false, false
	if repeats || known && total.Input == before.Input && total.Output == before.Output {
		return tokens{}, false
	}
	used = last
	if (used.empty() || missed && !total.empty()) && known { // an answer that was cut off has a total only
		used = tokens{
			Input: total.Input - before.Input, Cached: max(0, total.Cached-before.Cached),
			Output: total.Output - before.Output, Reasoning: max(0, total.Reasoning-before.Reasoning),
		}
		used.Total = used.Input + used.Output
	}
	return used, used.Input >= 0 && used.Output >= 0 && !used.empty()
}

// ofTokens are the parameters of thread/tokenUsage/updated.
type ofTokens struct {
	Usage struct {
		Total tokens `json:"total"`
		Last  tokens `json:"last"`
	} `json:"tokenUsage"`
}

// told takes a total and the last request as told, and says what was used since.
func (u *usage) told(total, last tokens, model string, out *adapters.Output) {
	used, ok := u.request(total, last)
	if !ok {
		return
	}
	sum := total.usage()
	out.Draft(adapters.Used{Usage: protocol.TokenUsage{Usage: used.usage(), SessionTotal: &sum, Model: model}})
}
