package client

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
)

// Client is one MCP session.
type Client struct {
	start   func(run func()) bool
	Session *sdk.ServerSession
	who     *access.Principal
	Life    context.Context // done when it ends, or shall end; its requests are the principal's
	end     context.CancelFunc
	stop    func() bool // no longer looks whether the principal's token is valid

	busy  int       // requests and streams at work
	since time.Time // when the last of them ended

	mu      sync.Mutex
	level   string
	Leveled chan struct{}  // closed when a level is set for the first time
	out     *stream.Writer // the stream of notifications; nil: it is not open
	opened  chan struct{}  // closed while it is open

	outdated []string // resources of which it has to be told, by URI, each once
	telling  bool     // somebody does

	Forms  *form.Forms
	Pumps  *watches // sessions that are pushed
	Asking *watches // sessions of which the user is asked
}

// watches run a goroutine for each of the sessions that a client watches, at most form.MaxWatched.
type watches struct {
	start func(run func()) bool

	mu  sync.Mutex
	ids map[string]bool
}

func newWatches(start func(run func()) bool) *watches {
	return &watches{start: start, ids: map[string]bool{}}
}

// Begin runs one for a session unless one does already; false: there are too many, or the service has ended.
func (w *watches) Begin(id string, run func()) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.ids[id]:
		return true
	case len(w.ids) >= form.MaxWatched:
		return false
	}
	if !w.start(func() {
		run()
		w.mu.Lock()
		delete(w.ids, id)
		w.mu.Unlock()
	}) {
		return false
	}
	w.ids[id] = true
	return true
}
