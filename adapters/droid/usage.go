package droid

import (
	"encoding/json"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// usage is how much of the session's running total was reported.
//
// A turn's tokens come with its end, the hidden request that makes the title among them. session_token_usage_changed
// repeats the running total after each request, also late, behind the end of the turn; only what it adds outside of a turn, as a
// compaction does, is not in any turn.
type usage struct {
	counted tokens
	known   bool
}

// begin takes the total of a session that was made or loaded. A copy may have fallen to nothing.
func (u *usage) begin(total tokens) { u.counted, u.known = total, true }

// usageChanged reports what was used outside of turns.
func (t *Translator) usageChanged(raw json.RawMessage, out *adapters.Output) {
	var n struct {
		SessionID string `json:"sessionId"`
		Total     tokens `json:"tokenUsage"`
	}
	_ = native.Decode(raw, &n)
	if t.run.on || n.SessionID != "" && t.told.Session != "" && n.SessionID != t.told.Session {
		return
	}
	u := &t.usage
	more := n.Total.less(u.counted)
	if u.known && more.some() {
		t.used(more, n.Total, out)
	}
	if !u.known || more.some() {
		u.begin(n.Total)
	}
}

// turnUsage reports what a turn used.
func (t *Translator) turnUsage(turn, total tokens, out *adapters.Output) {
	if turn.some() {
		t.used(turn, total, out)
	}
	if total.some() {
		t.usage.begin(total)
	}
}

func (t *Translator) used(n, total tokens, out *adapters.Output) {
	u := protocol.TokenUsage{Model: t.told.Model, Usage: n.canonical()}
	if total.some() {
		c := total.canonical()
		u.SessionTotal = &c
	}
	out.Draft(adapters.Used{Usage: u})
}

// less is what n has more than m; nothing where any part has fallen.
func (n tokens) less(m tokens) tokens {
	d := tokens{n.Input - m.Input, n.Output - m.Output, n.CacheWrite - m.CacheWrite, n.CacheRead - m.CacheRead, n.Thinking - m.Thinking}
	if min(d.Input, d.Output, d.CacheWrite, d.CacheRead, d.Thinking) < 0 {
		return tokens{}
	}
	return d
}

func (n tokens) some() bool { return n.Input+n.Output+n.CacheWrite+n.CacheRead > 0 }

// canonical counts the cached tokens as input (spec §4.7).
func (n tokens) canonical() protocol.Usage {
	input := n.Input + n.CacheRead + n.CacheWrite
	return protocol.Usage{
		InputTokens: input, CachedInputTokens: n.CacheRead, OutputTokens: n.Output,
		ReasoningOutputTokens: n.Thinking, TotalTokens: input + n.Output,
	}
}
