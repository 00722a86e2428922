package mcp

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/client"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/api/mcp/stream"
)

// streams adds what the SDK's handlers lack: bounds, comments that keep a silent stream alive, and the take-over of a stream
// whose client has come back before the old connection was seen dead. The deadline of each write is the API's affair.
type streams struct {
	next      http.Handler
	clients   *client.Clients
	heartbeat time.Duration

	mu   sync.Mutex
	open map[string]*openStream // GET streams, by MCP session and stream
}

type openStream struct {
	cancel context.CancelFunc
	out    *stream.Writer
	done   chan struct{}
}

func newStreams(next http.Handler, c *client.Clients, heartbeat time.Duration) *streams {
	return &streams{next: next, clients: c, heartbeat: heartbeat, open: map[string]*openStream{}}
}

func (s *streams) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("Mcp-Session-Id")
	switch {
	case id != "" && s.clients.Foreign(id, access.Of(r.Context())):
		problem.Refuse(w, problem.Refusal(http.StatusForbidden))
		return
	case id != "" && s.clients.Left(id):
		problem.Refuse(w, problem.Refusal(http.StatusNotFound))
		return
	case id != "":
		defer s.clients.Enter(id)()
		if r.Method == http.MethodDelete {
			s.clients.Ending(id)
		}
	case opens(r):
		leave, ok := s.clients.Admit(access.Of(r.Context()))
		if !ok {
			problem.Refuse(w, problem.Overloaded("There are too many MCP sessions.", "Use one that is open, or try again later."))
			return
		}
		defer leave()
	}
	out := stream.NewWriter(w, s.heartbeat)
	defer out.Close()
	if r.Method == http.MethodGet && id != "" {
		ctx, leave := s.takeOver(out, r)
		defer leave()
		r = r.WithContext(ctx)
	}
	s.next.ServeHTTP(out, r)
}

// takeOver ends an older connection of the same stream and waits for its end.
func (s *streams) takeOver(out *stream.Writer, r *http.Request) (context.Context, func()) {
	id, name := r.Header.Get("Mcp-Session-Id"), "" // that of notifications
	if i := strings.LastIndexByte(r.Header.Get("Last-Event-ID"), '_'); i > 0 {
		name = r.Header.Get("Last-Event-ID")[:i]
	}
	key := id + "/" + name
	ctx, cancel := context.WithCancel(r.Context())
	mine := &openStream{cancel, out, make(chan struct{})}
	s.mu.Lock()
	old := s.open[key]
	s.open[key] = mine
	s.mu.Unlock()
	if old != nil {
		old.cancel()
		_ = old.out.Control.SetWriteDeadline(time.Unix(1, 0)) // a write to a client that is gone would hold it up
		select {
		case <-old.done:
		case <-r.Context().Done():
		}
	}
	leaves := func() {}
	if x := s.clients.Find(id); x != nil && name == "" {
		life, over := context.WithCancel(context.WithoutCancel(r.Context()))
		out.Life = life
		x.Listens(out)
		leaves = func() {
			x.Leaves(out)
			over()
		}
	}
	return ctx, func() {
		cancel()
		leaves()
		s.mu.Lock()
		if s.open[key] == mine {
			delete(s.open, key)
		}
		s.mu.Unlock()
		close(mine.done)
	}
}

// isModern says that a request is of the new era. One that names a revision yet to come is answered there, with the list of
// those that are spoken.
func isModern(r *http.Request) bool {
	return r.Method == http.MethodPost && r.Header.Get("Mcp-Protocol-Version") >= call.ModernVersion && r.Header.Get("Mcp-Session-Id") == ""
}

// opens says that a request may open an MCP session.
func opens(r *http.Request) bool { return r.Method == http.MethodPost && !isModern(r) }
