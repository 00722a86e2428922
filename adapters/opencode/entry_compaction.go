package opencode

import "slices"

// compaction is one that is going on: from the message of the user's that has its part, to session.compacted. Its summary is
// a message of the agent.
type compaction struct {
	on      bool
	trigger string // manual, auto, overflow
}

// begin takes the part that begins one.
func (c *compaction) begin(p *partWire) {
	*c = compaction{on: true, trigger: "manual"}
	switch {
	case p.Overflow:
		c.trigger = "overflow"
	case p.Auto:
		c.trigger = "auto"
	}
}

// repeats says that a text is the prompt that did not fit, which OpenCode gives itself once more, as if the user had.
func (c *compaction) repeats(text string, said []string) bool {
	return c.on && c.trigger == "overflow" && slices.Contains(said, text)
}
