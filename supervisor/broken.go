package supervisor

import (
	"errors"
	"time"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/supervisor/core"
)

var errFailed = errors.New("the daemon failed at this: see its log")

// broken makes the core's input for an effect that panicked, where the core waits for a result; nil: it does not. Without it the core would count
// an actor or a process that never began as running, and the drain would wait for its end. roots is the number of roots.
func (all homes) broken(e core.Effect, roots int, now time.Time) core.Input {
	switch e := e.(type) {
	case core.Make:
		return all.unborn(e.ID, e.Life)
	case core.Wake:
		return all.unborn(e.ID, e.Life)
	case core.Attach:
		if h := all[e.ID]; h != nil && h.link == nil { // the failed message's connection was discarded by its Undelivered
			return &core.AdapterEnded{ID: e.ID, Incarnation: e.Incarnation}
		}
		return nil
	case core.Launch:
		return &core.Launched{ID: e.ID, Incarnation: e.Start.Incarnation, Err: errFailed, Roots: roots}
	case core.LaunchChild:
		return &core.Launched{ID: e.ID, Incarnation: e.Start.Incarnation, Err: errFailed, Roots: roots}
	case core.Look:
		return &core.AgentFound{Agent: e.Agent, Installation: adapters.Installation{Problem: errFailed.Error()}, At: now}
	case core.Measure:
		return &core.Measured{}
	case core.DropArchive:
		return &core.Dropped{ID: e.ID}
	case core.Remove:
		return &core.Removed{ID: e.ID}
	case core.End:
		return &core.Ended{ID: e.ID, Err: errFailed}
	default:
		return nil
	}
}

// unborn gives the end of an actor whose start failed; nil: the actor was started.
func (all homes) unborn(id string, life uint64) core.Input {
	if h := all[id]; h != nil && h.pid != nil && h.life == life {
		return nil
	}
	return &core.ActorEnded{ID: id, Life: life}
}
