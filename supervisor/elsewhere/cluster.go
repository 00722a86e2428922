package elsewhere

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/store"
)

// Cluster is the side of an Elsewhere for what concerns the nodes themselves, and sessions that move between them.
type Cluster struct {
	of *Elsewhere
	// Drain has this node give its sessions away; Draining tells how far it is. nil: it cannot.
	Drain    func(wait time.Duration)
	Draining func() (left int, is bool)
	Join     func() // has it take sessions again
	Shelf    Shelf  // of what was set aside; nil: nothing is
}

// NewCluster makes it.
func NewCluster(e *Elsewhere) *Cluster { return &Cluster{of: e} }

// Shelf has the logs of sessions that this node has set aside.
type Shelf interface {
	// Asides are the names of those of a session, in their order.
	Asides(id string) ([]string, error)
	// Aside gives one of them.
	Aside(id, name string) (store.Log, error)
}
