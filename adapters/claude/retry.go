package claude

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// retry reports that a model request failed and will be made again.
func (t *Translator) retry(line []byte, out *adapters.Output) {
	var e struct {
		Attempt    int             `json:"attempt"`
		Max        int             `json:"max_retries"`
		DelayMs    float64         `json:"retry_delay_ms"`
		HTTPStatus int             `json:"error_status"`
		Error      json.RawMessage `json:"error"`
	}
	_ = native.Decode(line, &e)
	t.begin(out)
	t.abandon(0, out)
	delay := int64(min(max(0, e.DelayMs), maxDelay))
	t.turn.phase = protocol.StateRetrying
	out.Draft(adapters.PhaseChanged{State: protocol.StateRetrying, RetryAt: delay})
	var why []string
	if e.HTTPStatus > 0 {
		why = append(why, fmt.Sprintf("HTTP %d", e.HTTPStatus))
	}
	if word := native.Text(e.Error); word != "" {
		why = append(why, strings.ReplaceAll(word, "_", " "))
	}
	t.notice("warning", "retry",
		fmt.Sprintf("Attempt %d of %d in %d ms: %s", e.Attempt, e.Max, delay, strings.Join(why, ", ")), out)
}

// maxDelay is the longest wait for another attempt that is believed, in ms: a day.
const maxDelay = 24 * 60 * 60 * 1000

// compaction is one whose boundary was seen and whose summary was not.
type compaction struct {
	open    bool
	trigger string
	before  int64 // tokens
	after   int64
}

// compactBoundary tells that the conversation was compacted. The summary is the next synthetic user message.
func (t *Translator) compactBoundary(line []byte, out *adapters.Output) {
	var e struct {
		Meta struct {
			Trigger string `json:"trigger"` // manual or auto
			Before  int64  `json:"pre_tokens"`
			After   int64  `json:"post_tokens"`
		} `json:"compact_metadata"`
	}
	_ = native.Decode(line, &e)
	t.endCompaction("", out)
	t.compact = compaction{open: true, trigger: native.Head(e.Meta.Trigger, maxTitle), before: count(e.Meta.Before), after: count(e.Meta.After)}
}

// endCompaction makes the entry of a compaction.
func (t *Translator) endCompaction(summary string, out *adapters.Output) {
	c := t.compact
	if !c.open {
		return
	}
	t.compact = compaction{}
	data := &protocol.CompactionData{Trigger: c.trigger, TokensBefore: c.before}
	data.Summary, data.Cut = native.Cut(summary, t.spec.TextLimit())
	if c.after > 0 {
		data.Extra = []protocol.Member{{Key: "tokensAfter", Value: fmt.Appendf(nil, "%d", c.after)}}
	}
	t.whole(protocol.EntryCompaction, data, "", out)
}
