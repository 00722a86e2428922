package elsewhere

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"go.uber.org/zap"
)

// Config is what an Elsewhere works with.
type Config struct {
	// Connect opens a way to Core that readers have for themselves: they hold up nothing that is sent there.
	Connect func(ctx context.Context) (core.Core, error)
	// Removing says that a session of this node is being removed, and may be in Core still.
	Removing func(id string) bool
	// Retired says that retention has taken a session of this node from it, which Core has as it was then, up to a cursor, and that its folder is gone; nil: of
	// none.
	Retired func(id string, newest protocol.Cursor) bool
	// Pictured is told of sessions of this node that have a new picture; nil: nobody wants to know.
	Pictured func(id string)
	// Take has a session go on at this node; revive: also one that stays with its node, where that has left for good. nil: none does.
	Take       func(ctx context.Context, id string, revive bool) error
	Drains     func() bool // says that this node takes no session; nil: it does
	Workspaces []string    // that this node has
	Objects    bool        // what Connect gives reads an object store
	Log        *zap.Logger
	Now        func() time.Time // nil: time.Now
	Most       int              // sessions of other nodes that the list has; 0: 100,000
}

// Elsewhere is a supervisor that knows of the sessions of other nodes as well. Its methods are those of *supervisor.Supervisor.
type Elsewhere struct {
	*supervisor.Supervisor
	cfg   Config
	known known
	reach reach

	missed  atomic.Bool   // a session may be missing from the list: all of it is to be read
	asked   atomic.Int64  // Unix ms when somebody last looked at the list
	retired chan string   // sessions that retention has taken from this node
	hurry   chan struct{} // has the goroutine look at once
	ctx     context.Context
	end     context.CancelFunc
	done    chan struct{}
	mirrors mirrors
	peers   atomic.Pointer[Peers] // nil: no other node can be asked
}

// Peers is the way to the nodes that have sessions. It is safe for concurrent use.
type Peers interface {
	// Reaches says why a node cannot be asked; nil: it can be tried.
	Reaches(ctx context.Context, node string) error
	// Follow and Lines are those of mirror.Owner, of a session.
	Follow(ctx context.Context, node, id string, since protocol.Cursor, take func(*mirror.News) error) error
	Lines(ctx context.Context, node, id string, since protocol.Cursor, upTo uint64) ([]byte, error)
}
