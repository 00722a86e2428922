package placement

import (
	"context"

	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/folder"
)

// Sessions is what moving sessions asks of a supervisor. Its errors but for those of ctx say that the session is not as it was thought to be.
type Sessions interface {
	// Arrive takes in a session of which the folder has come; lost: its node was lost.
	Arrive(ctx context.Context, id string, lost bool) error
	// Seal ends all that runs of a session, and keeps it from being woken.
	Seal(ctx context.Context, id string) error
	// Unseal takes that back.
	Unseal(id string)
	// Withdraw sets a sealed session's folder aside, and forgets the session.
	Withdraw(ctx context.Context, id, name string) error
	// Confirm says whether this node is sure of its sessions. It must not wait.
	Confirm(sure bool)
}

// Node is what a Placement works with of a node whose sessions move.
type Node struct {
	Sessions Sessions
	// Here gives the node's sessions.
	Here func() []Here
	// Newest is the cursor of the newest event that a session of the node has shown; the zero value: the node does not have it.
	Newest func(id string) protocol.Cursor
	// Knows says that a session is here, or is being removed here.
	Knows func(id string) bool
	// InCore waits until Core has a session's log up to an event, and says whether it has.
	InCore func(ctx context.Context, id string, seq uint64) bool
	// IsRetired says that retention has taken a session from this node, which Core has as it was then, up to a cursor: it comes back when somebody asks.
	IsRetired func(id string, newest protocol.Cursor) bool
	// MayReturn says of such a session that nothing is left of it here: before that it does not come back.
	MayReturn func(id string, newest protocol.Cursor) bool
	// KeepRetired is told which sessions Core has for this node: of the others nothing needs to be known.
	KeepRetired func(is func(id string) bool)
	// Returned says that a session has come: it is not retired any more.
	Returned func(id string)
	// Archived waits until what is kept beside a session's log is where other nodes find it, as long as that can be had before ctx is done. nil: there is no
	// such place.
	Archived func(ctx context.Context, id string)
	// Moved says that a session has come, or has gone.
	Moved      func(id string)
	Workspaces func() []string // of the node
	Agents     func() []string // that can be started here

	Logs  store.Carrier
	Files disk.FS
	Data  folder.Data
	Boot  string // of the machine
}

// Here is a session of this node.
type Here struct {
	ID, Parent string
	Busy       bool // a turn runs, or a prompt waits
	Placed     bool // it is in a named workspace: another node may have it
}
