package desk

import "github.com/ringmaster-agents/ringmaster/protocol/resource"

// ListNodes wants to know which daemons are on the same Core.
type ListNodes struct{}

// Nodes are the daemons on the same Core; none: there is no Core.
type Nodes struct {
	List []resource.NodeInfo
	Err  string // why they could not be read; empty: they could
}

func (ListNodes) wish() {}
func (Nodes) news()     {}
