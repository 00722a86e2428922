package session

import (
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Import makes the log of a recorded session: the same core, fed with drafts, without actor, journal or agent. Times are
// Unix ms; the events are valid until the next call.
type Import struct{ core *State }

// NewImport begins a log.
func NewImport(now int64, id, agent string, meta protocol.Metadata) (*Import, []protocol.Event) {
	i := &Import{core: New(Limits{Queue: 1 << 20, Remembered: 1})}
	i.core.id = id
	i.core.link.phase = linkStarting // Connect follows
	events, _ := i.core.Step(now, &Begin{Agent: agent, Metadata: meta})
	return i, events
}

// Connect says that the agent was started, for the first time or again.
func (i *Import) Connect(now int64) []protocol.Event {
	i.core.link.incarnation++
	i.core.link.batch, i.core.link.last = 0, nil
	events, _ := i.core.Step(now, &AgentStarted{Incarnation: i.core.link.incarnation})
	return events
}

// Drafts takes what a translator said.
func (i *Import) Drafts(now int64, drafts []adapters.Draft) []protocol.Event {
	return i.batch(now, &Batch{Drafts: drafts})
}

// Exit says that the agent ended.
func (i *Import) Exit(now int64, exit adapters.Exit) []protocol.Event {
	return i.batch(now, &Batch{Exit: &exit})
}

func (i *Import) batch(now int64, b *Batch) []protocol.Event {
	b.Incarnation, b.Number = i.core.link.incarnation, i.core.link.batch+1
	events, _ := i.core.Step(now, b)
	return events
}
