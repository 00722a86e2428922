package push

import (
	"context"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Updates tell subscribers of a resource that it has grown: one goroutine for each resource that somebody watches, however
// many do. Bursts become one notification; who reads late reads everything at once.
type Updates struct {
	cfg UpdatesConfig

	mu        sync.Mutex
	resources map[string]*watched
	of        map[*sdk.ServerSession]map[string]bool // uris
}

type watched struct {
	subscribers int
	cancel      context.CancelFunc
}

const (
	updateInterval   = 50 * time.Millisecond
	maxResources     = 4096 // watched at once
	maxSubscriptions = 256  // of one MCP session, or of one call of subscriptions/listen
)

// UpdatesConfig is what updates need of the service that they belong to.
type UpdatesConfig struct {
	Door    *control.Door
	Clients *client.Clients
	Tell    *problem.Teller
	Log     *zap.Logger
	Session func(uri string) (id string, ok bool) // the session that a resource is of
	Foreign func(uri string) error                // says whether one of no session can be watched
	Updated func(ctx context.Context, uri string) // tells all subscribers
	Life    context.Context                       // done when everything shall end
	Start   func(run func()) bool                 // runs a goroutine that ends with Life, unless that is over
}

// NewUpdates watches nothing yet.
func NewUpdates(cfg UpdatesConfig) *Updates {
	return &Updates{cfg: cfg, resources: map[string]*watched{}, of: map[*sdk.ServerSession]map[string]bool{}}
}

// Subscribe has a client told of a resource.
func (u *Updates) Subscribe(ctx context.Context, r *sdk.SubscribeRequest) error {
	uri := r.Params.URI
	id, ok := u.cfg.Session(uri)
	if !ok {
		return u.cfg.Foreign(uri)
	}
	f, err := feed.Open(ctx, u.cfg.Door, id, "mcp updates")
	if err != nil {
		return u.cfg.Tell.Resource(uri, err)
	}
	f.At = f.Head()
	u.mu.Lock()
	defer u.mu.Unlock()
	w, mine := u.resources[uri], u.of[r.Session]
	switch {
	case mine[uri]:
		f.Close()
		return nil
	case len(mine)+u.ended(r.Session, mine) >= maxSubscriptions || w == nil && len(u.resources) >= maxResources:
		f.Close()
		return u.cfg.Tell.Method("resources/subscribe", problem.Overloaded("Too many resources are watched.",
			"Unsubscribe from some, or poll with session_events."))
	case w == nil:
		// All who watch have been asked who they are; it reads on for all of them.
		run, cancel := context.WithCancel(access.With(u.cfg.Life, access.Daemon))
		w = &watched{cancel: cancel}
		if !u.cfg.Start(func() { u.watch(run, f, uri, w) }) {
			cancel()
			f.Close()
			return context.Canceled
		}
		u.resources[uri] = w
	default:
		f.Close()
	}
	if mine == nil {
		mine = map[string]bool{}
		u.of[r.Session] = mine
	}
	mine[uri] = true
	w.subscribers++
	return nil
}

// Unsubscribe takes that back.
func (u *Updates) Unsubscribe(_ context.Context, r *sdk.UnsubscribeRequest) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	mine := u.of[r.Session]
	if !mine[r.Params.URI] {
		return nil
	}
	u.drop(r.Params.URI)
	if x := u.cfg.Clients.Find(r.Session.ID()); x != nil {
		x.Untold(r.Params.URI)
	}
	if delete(mine, r.Params.URI); len(mine) == 0 {
		delete(u.of, r.Session)
	}
	return nil
}

// ended counts the resources that have ended, and of whose end a client has to be told yet. With mu held.
func (u *Updates) ended(ss *sdk.ServerSession, mine map[string]bool) int {
	if x := u.cfg.Clients.Find(ss.ID()); x != nil {
		return x.ToldLater(mine)
	}
	return 0
}

// drop takes one subscriber away. With mu held.
func (u *Updates) drop(uri string) {
	w := u.resources[uri]
	if w.subscribers--; w.subscribers == 0 {
		w.cancel()
		delete(u.resources, uri)
	}
}

// Forget drops what an MCP session subscribed to when it ends. Those of the new era are unsubscribed by the SDK when their
// call ends.
func (u *Updates) Forget(ss *sdk.ServerSession) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for uri := range u.of[ss] {
		u.drop(uri)
	}
	delete(u.of, ss)
}

// over forgets a resource whose session has ended: should it be revived, it can be subscribed to anew.
func (u *Updates) over(uri string, w *watched) {
	u.mu.Lock()
	defer u.mu.Unlock()
	w.cancel()
	if u.resources[uri] != w {
		return
	}
	for _, mine := range u.of {
		delete(mine, uri)
	}
	delete(u.resources, uri)
}

// watch ends with the session, or when the last subscriber has gone.
func (u *Updates) watch(ctx context.Context, f *feed.Feed, uri string, w *watched) {
	defer func() {
		f.Close()
		if ctx.Err() == nil {
			u.over(uri, w)
		}
	}()
	pause := time.NewTimer(updateInterval)
	defer pause.Stop()
	for !f.Ended() {
		if err := f.Wait(ctx); err != nil {
			if ctx.Err() == nil && problem.Of(err).Code == protocol.CodeInternal {
				u.cfg.Log.Warn("updates ended early", zap.String("uri", uri), zap.Error(err))
			}
			return
		}
		if f.At == f.Head() {
			continue // it has ended
		}
		f.At = f.Head()
		u.cfg.Updated(ctx, uri)
		pause.Reset(updateInterval)
		select {
		case <-pause.C:
		case <-ctx.Done():
			return
		}
	}
}
