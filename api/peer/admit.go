package peer

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"strings"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/answer"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// The headers of a request that is passed on. No other listener reads them.
const (
	hopHeader = "X-Ringmaster-Hop" // the node that passes it on
	asHeader  = "X-Ringmaster-As"  // whom that node has let in
	// Of an answer: the node does not believe who asks, and has done nothing. One that was declared dead a moment ago and is back is not believed at once.
	strangerHeader = "X-Ringmaster-Stranger"
)

// Listener is what a listener for peers works with.
type Listener struct {
	// Key is the key that the other end of a connection has proved to have; "": none.
	Key func(*tls.ConnectionState) string
	// Speaker is the node whose key it is. Its error says why no node is to be believed.
	Speaker func(ctx context.Context, key string) (node string, err error)
	Unread  error // of Speaker: it cannot be said now
	NewID   func() string
	Log     *zap.Logger // of strangers, at a bounded rate: anybody may connect
}

// Admit lets requests of peers in, as whom they are passed on for. It stands before all else of the listener for peers.
func Admit(l Listener, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		node, p := l.speaker(r)
		if p != nil {
			w.Header().Set(strangerHeader, "1")
		}
		var as *access.Principal
		if p == nil {
			as, p = admit(r, node)
		}
		if p != nil {
			l.Log.Warn("a request was turned away that claims to be a peer's", zap.String("from", r.RemoteAddr), zap.String("why", p.Detail))
			answer.Safe(w.Header(), l.NewID())
			w.Header().Set("Connection", "close")
			operation.WriteProblem(w, p)
			return
		}
		r.Header.Del(asHeader)
		r.Header.Del(hopHeader)
		conn := guard.ConnectionOf(r.Context())
		conn.As = as
		next.ServeHTTP(w, r.WithContext(guard.With(r.Context(), conn)))
	})
}

// speaker is the node that asks.
func (l *Listener) speaker(r *http.Request) (node string, p *protocol.Problem) {
	node, err := l.Speaker(r.Context(), l.Key(r.TLS))
	switch {
	case errors.Is(err, l.Unread):
		return "", protocol.NewProblem(protocol.CodeUnavailable, "Which nodes there are is not known yet.", "Try again in a moment.")
	case err != nil:
		return "", protocol.NewProblem(protocol.CodeForbidden,
			"This listener is for nodes of the same Core, and the key that was presented is none of theirs: "+err.Error()+".",
			"A client uses the daemon's own address. A node's key is in Core once it has said there that it lives: does it use the same --core?")
	}
	return node, nil
}

// admit is whom a node asks for.
func admit(r *http.Request, node string) (*access.Principal, *protocol.Problem) {
	hop, as := r.Header[hopHeader], r.Header[asHeader]
	if len(hop) != 1 || hop[0] != node || len(as) != 1 {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The peer does not say for whom it asks, or names another node than itself.",
			"Run the same version on all nodes.")
	}
	if !Passes(r.URL.Path) && r.URL.Path != waits {
		return nil, protocol.NewProblem(protocol.CodeForbidden, "Peers ask for sessions alone.", "Ask the daemon at its own address.")
	}
	who, err := access.Carried(as[0], node)
	if err != nil {
		return nil, protocol.NewProblem(protocol.CodeInvalidRequest, "The peer does not say for whom it asks.", "Run the same version on all nodes.")
	}
	return who, nil
}

// Passes says that requests of a path are passed on, where another node has the session. What is asked of the node itself is not: to take a session, and what
// it alone has of one that others have.
func Passes(path string) bool {
	rest, isOne := strings.CutPrefix(path, "/sessions/")
	if !isOne {
		return path == "/sessions"
	}
	_, of, _ := strings.Cut(rest, "/")
	of, _, _ = strings.Cut(of, "/")
	return of != "take" && of != "lost"
}
