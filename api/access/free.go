package access

import "github.com/ringmaster-agents/ringmaster/supervisor"

// free is the part of a gate that needs no principal.
type free struct{ inner Tree }

// AgentNames are in the schemas of tools, which are made before the first request.
func (f free) AgentNames() []string { return f.inner.AgentNames() }

// Health is what probes ask for, which have no token; the route of the metrics checks its own.
func (f free) Health() supervisor.Health { return f.inner.Health() }
