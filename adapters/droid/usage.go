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

// changed reports what was used outside of turns; on: a turn is.
func (u *usage) changed(raw json.RawMessage, on bool, about *native.Told, out *adapters.Output) {
	var n struct {
		SessionID string `json:"sessionId"`
		Total     tokens `json:"tokenUsage"`
	}
	_ = native.Decode(raw, &n)
	if on || n.SessionID != "" && about.Session != "" && n.SessionID != about.Session {
		return
	}
	more := n.Total.less(u.counted)
	if u.known && more.some() {
		used(more, n.Total, about.Model, out)
	}
	if !u.known || more.some() {
		u.begin(n.Total)
	}
}

// ofTurn reports what a turn used.
func (u *usage) ofTurn(turn, total tokens, model string, out *adapters.Output) {
	if turn.some() {
		used(turn, total, model, out)
	}
	if total.some() {
		u.begin(total)
	}
}

func used(n, total tokens, model string, out *adapters.Output) {
	u := protocol.TokenUsage{Model: model, Usage: n.canonical()}
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
