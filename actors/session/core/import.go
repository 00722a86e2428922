package core

import (
	"github.com/ringmaster-agents/ringmaster/actors/invariant"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Import makes the log of a recorded session: the same core, fed with drafts, without actor, journal or agent. Times are
// Unix ms; the events are valid until the next call. The log of a sub-agent has the id that ChildID gives, and metadata that
// says SubAgent and ParentSessionID.
type Import struct {
	core *State
	up   []ChildMessage
}

// NewImport begins a log.
func NewImport(now int64, id string, agent adapters.Agent, meta protocol.Metadata) (*Import, []protocol.Event) {
	i := &Import{core: New(id, &Limits{Queue: 1 << 20, Remembered: 1, LostTurn: adapters.LostTurn(agent)})}
	i.core.link.phase = linkStarting // Connect follows
	return i, i.step(now, &Begin{Agent: agent.Name(), Metadata: meta})
}

// Connect says that the agent was started, for the first time or again.
func (i *Import) Connect(now int64) []protocol.Event {
	i.core.link.incarnation++
	i.core.link.batch, i.core.entries.last = 0, nil
	i.core.end = nil // a sub-agent that was done and is taken up again
	return i.step(now, &AgentStarted{Incarnation: i.core.link.incarnation})
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
	return i.step(now, b)
}

// FromChild takes what a sub-agent's log has for its root's, which is this one.
func (i *Import) FromChild(now int64, m ChildMessage) []protocol.Event { return i.step(now, m) }

// ToRoot gives what this sub-agent's log has for its root's since the last call, in order.
func (i *Import) ToRoot() []ChildMessage {
	up := i.up
	i.up = nil
	return up
}

func (i *Import) step(now int64, in Input) []protocol.Event {
	events, effects := i.core.Step(now, now, in)
	for _, e := range effects {
		switch e := e.(type) {
		case ToRoot:
			i.up = append(i.up, e.Message)
		case Illegal:
			invariant.Broken(e.String())
		default: // there is neither an agent nor anybody who waits
		}
	}
	return events
}
