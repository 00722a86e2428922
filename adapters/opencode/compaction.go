package opencode

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// compaction is one that is going on: from the message of the user's that has its part, to session.compacted. Its summary is
// a message of the agent.
type compaction struct {
	on      bool
	trigger string // manual, auto, overflow
}

// compaction takes the part that begins one.
func (t *Translator) compaction(p *partWire, out *adapters.Output) {
	t.seen.add(p.ID)
	t.compact = compaction{on: true, trigger: "manual"}
	switch {
	case p.Overflow:
		t.compact.trigger = "overflow"
	case p.Auto:
		t.compact.trigger = "auto"
	}
	if t.run.on && !t.run.idle {
		t.phase(protocol.StateCompacting, out)
	}
}

// compacted ends it.
func (t *Translator) compacted(out *adapters.Output) {
	t.compact.on = false
	if t.run.on && t.run.phase == protocol.StateCompacting {
		t.phase(protocol.StateResponding, out)
	}
}

// repeats says that a text is the prompt that did not fit, which OpenCode gives itself once more, as if the user had.
func (c *compaction) repeats(text string, said []string) bool {
	return c.on && c.trigger == "overflow" && slices.Contains(said, text)
}
