package claude

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// compaction is one whose boundary was seen and whose summary was not.
type compaction struct {
	open    bool
	trigger string
	before  int64 // tokens
	after   int64
}

// begin takes a compact_boundary: the conversation was compacted. The summary is the next synthetic user message.
func (c *compaction) begin(line []byte) {
	var e struct {
		Meta struct {
			Trigger string `json:"trigger"` // manual or auto
			Before  int64  `json:"pre_tokens"`
			After   int64  `json:"post_tokens"`
		} `json:"compact_metadata"`
	}
	_ = native.Decode(line, &e)
	*c = compaction{open: true, trigger: native.Head(e.Meta.Trigger, maxTitle), before: count(e.Meta.Before), after: count(e.Meta.After)}
}

// end ends the compaction and gives its data; nil: none was open. limit is that of a text, in bytes.
func (c *compaction) end(summary string, limit int) *protocol.CompactionData {
	if !c.open {
		return nil
	}
	data := &protocol.CompactionData{Trigger: c.trigger, TokensBefore: c.before}
	data.Summary, data.Cut = native.Cut(summary, limit)
	if c.after > 0 {
		data.Extra = []protocol.Member{{Key: "tokensAfter", Value: strconv.AppendInt(nil, c.after, 10)}}
	}
	*c = compaction{}
	return data
}
