package peer

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Where says which node has a session.
type Where interface {
	// Owner is the node that has a session, as far as is known; "": this one, nobody, or there is no such session. Core is asked for one of which nothing is
	// known, and, for a change, for one that nobody is known to have; then it blocks for as long as that takes.
	Owner(ctx context.Context, id string, changes bool) string
	// Here says that this node has a session. It blocks as Owner does.
	Here(ctx context.Context, id string) bool
	// OwnerNow is Owner, with Core asked; "" also: the session may come here. Where Core does not answer, it is as known.
	OwnerNow(ctx context.Context, id string) string
}

// Config is what a Forwarder works with.
type Config struct {
	Here  string // this node
	Where Where
	// Reaches gives the key that a node is known by now. Its error says why the node cannot be asked.
	Reaches func(ctx context.Context, node string) (key string, err error)
	// Dial connects to a node. Nothing was sent where it fails.
	Dial func(ctx context.Context, node string) (net.Conn, error)
	Most int // requests at once, streams among them; 0: 4096
	Log  *zap.Logger
}

// How long a node may take until its answer begins. Whatever it reads begins at once; a change takes as long as a verb may.
const (
	readTime   = 10 * time.Second
	changeTime = 65 * time.Second
)

// sure are the requests that each principal is sure of, whatever others have under way.
const sure = 16

// Forwarder passes on requests to the nodes that have their sessions. It is safe for concurrent use.
type Forwarder struct {
	cfg       Config
	transport *http.Transport
	under     *access.Shares
	absent    absent
	made      made
}

// New makes one. It must be closed.
func New(cfg Config) *Forwarder {
	if cfg.Most == 0 {
		cfg.Most = 4096
	}
	f := &Forwarder{cfg: cfg, under: access.NewShares(int64(cfg.Most), sure)}
	f.transport = &http.Transport{
		DialTLSContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			of, _, err := net.SplitHostPort(addr)
			if err != nil {
				return nil, err
			}
			_, node, _ := strings.Cut(of, ".")
			return cfg.Dial(ctx, node)
		},
		DisableCompression:  true, // a body goes on as it came
		MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second,
		ReadBufferSize: 32 << 10,
	}
	return f
}

// Close lets go of the connections that are idle.
func (f *Forwarder) Close() { f.transport.CloseIdleConnections() }

// Open is how many requests are under way, streams among them.
func (f *Forwarder) Open() int { return int(f.under.Taken()) }

// Serve answers a request that has passed the guard where another node has its session, and says whether it did. Where it did not, this node answers as well as
// it can: it has the session, or reads what Core has of it, or says why it cannot change it. A stream ends when closing is done.
func (f *Forwarder) Serve(closing context.Context, w http.ResponseWriter, r *http.Request, in guard.Admission) (done bool) {
	if f == nil || in.Who == nil || !Passes(r.URL.Path) {
		return false
	}
	ctx := r.Context()
	content := bodyOf(r)
	id, at := in.Route.Shows(r)
	hasKey := r.Header.Get("Idempotency-Key") != "" && in.Route.Keys != guard.KeysIgnored
	key := keyed{hasKey, hasKey, hasKey && in.Route.Keys == guard.KeysOwn && id != ""} // a child's key is not in its parent's log
	if id == "" && r.Method == http.MethodPost {
		id = content.parent()
	}
	isValid := protocol.ValidSessionID(id)
	if in.Who.Via != "" {
		if isValid && f.cfg.Where.Here(ctx, id) {
			return false
		}
		operation.Refuse(w, r, protocol.NewProblem(protocol.CodeMisdirected, "The session is not on this node.", "Ask Core which node has it, and that node."))
		return true
	}
	if !isValid {
		return false
	}
	node := f.node(ctx, id, !reads(in.Route))
	if node == "" {
		return false
	}
	c := &carriage{Forwarder: f, w: w, r: r, in: in, id: id, at: at, key: key, body: content, closing: closing}
	done = c.counted(node)
	if c.isCut {
		panic(http.ErrAbortHandler) // a whole-looking half answer would be worse
	}
	return done
}

// counted runs a carriage where there is room for it.
func (c *carriage) counted(node string) (done bool) {
	if !c.under.Take(c.in.Who, 1) {
		if reads(c.in.Route) {
			return false
		}
		operation.Refuse(c.w, c.r, protocol.NewProblem(protocol.CodeOverloaded, "Too many requests are under way to other nodes.", "Try again in a moment."))
		return true
	}
	defer c.under.Give(c.in.Who, 1)
	return c.run(node)
}

func (f *Forwarder) node(ctx context.Context, id string, changes bool) string {
	return cmp.Or(f.cfg.Where.Owner(ctx, id, changes), f.made.node(id, time.Now()))
}

// reads says that a request of a route changes nothing.
func reads(rt *guard.Route) bool { return !rt.Changes }
