package peer

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// carriage is one request on its way to another node.
type carriage struct {
	*Forwarder
	w       http.ResponseWriter
	r       *http.Request
	in      guard.Admission
	id, at  string // the session, and the path that shows what came of it
	key     keyed
	body    *body
	closing context.Context
	why     error // nobody can be asked now; nil: it could be tried
	doubt   bool  // it may have come to a node, and no answer did
	isCut   bool  // the answer has ended before its end
}

// keyed says what a key of idempotency is good for.
type keyed struct {
	once  bool // the node to which it came does it once, however often it is sent there
	known bool // its client has the key, and can send it again
	moves bool // the session's log has the key: it goes where the session goes
}

// errStranger is why a node cannot be asked that is there.
var errStranger = errors.New("it does not take this node for one that is alive")

// fate is what became of one try.
type fate int

const (
	answered fate = iota // the client has its answer, or a part of it
	unsent               // it did not come there
	unsure               // it may have come there, and no answer did
	moved                // the node does not have the session
)

// run tries a node, and where that cannot be reached or does not have the session, the one that Core says has it.
func (c *carriage) run(node string) (done bool) {
	ctx := c.r.Context()
	access.NoteSession(ctx, c.id)
	got := unsent
	for range 2 {
		switch got = c.try(node); {
		case got == answered:
			return true
		case got == unsure:
			c.doubt = true
		}
		if got == unsent && reads(c.in.Route) || ctx.Err() != nil { // which is answered here, and nobody waits for an answer
			break
		}
		if c.doubt { // its node alone knows whether it was done
			if got != unsure || !c.key.once {
				break
			}
			continue
		}
		next := c.next(got, node)
		if next == "" {
			return false
		}
		if got == unsent && next == node {
			break
		}
		got, node = moved, next
	}
	return c.give(got, node)
}

// next is the node that has the session of a request that did not reach one, or not the right one; "": this one is to answer it.
func (c *carriage) next(got fate, node string) string {
	next := c.cfg.Where.OwnerNow(c.r.Context(), c.id)
	if next == "" && got == unsent && c.made.node(c.id, time.Now()) == node { // Core does not know of it yet
		return node
	}
	return next
}

// give ends what could not be carried. What only reads is answered here.
func (c *carriage) give(got fate, node string) (done bool) {
	if reads(c.in.Route) {
		return false
	}
	is := "The session is on another node, " + node
	p := protocol.NewProblem(protocol.CodeUnavailable, is+", which cannot be reached now: nothing was changed.", "Try again in a moment, or ask that node.")
	switch {
	case c.doubt:
		p = c.lost(node, got == moved)
	case got == unsent && c.why != nil:
		p.Detail = is + ", which cannot be reached (" + c.why.Error() + "): nothing was changed."
		p.Hint = "Try again in a moment. Where that node is gone for good: `ringmaster node forget`, and then `ringmaster node take`."
	case got == moved:
		p.Detail = "The session is on its way from one node to another: nothing was changed."
	}
	operation.Refuse(c.w, c.r, p)
	return true
}

// lost is what whoever wants a change is told of which nobody here knows whether it was made. hasLeft: the session is not on the node any more.
func (c *carriage) lost(node string, hasLeft bool) *protocol.Problem {
	is := "The session is on another node, " + node + ", and the connection to it was lost before its answer."
	if c.key.known && (c.key.moves || !hasLeft) {
		return protocol.NewProblem(protocol.CodeUnavailable, is, "Try again in a moment, with the same key.")
	}
	p := protocol.NewProblem(protocol.CodeUncertain, is,
		"Look at what came of it before it is sent again; with an Idempotency-Key it can be sent again at once.")
	if hasLeft {
		p.Detail = "The session was on another node, " + node + ", and the connection to it was lost before its answer; it has left that node since."
		p.Hint = "Look at what came of it before it is sent again."
	}
	p.LookAt = c.at
	return p
}

// try sends the request to a node, and its answer to the client.
func (c *carriage) try(node string) fate {
	var key string
	if key, c.why = c.cfg.Reaches(c.r.Context(), node); c.why != nil || c.absent.is(node, time.Now()) {
		return unsent
	}
	ctx, cancel := context.WithCancel(c.r.Context())
	defer c.body.rest()
	defer cancel()
	if c.in.Route.Stream {
		defer context.AfterFunc(c.closing, cancel)()
	}
	within := changeTime
	if reads(c.in.Route) {
		within = readTime
	}
	late := time.AfterFunc(within, cancel)
	defer late.Stop()
	var sent atomic.Bool
	traced := httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }})
	resp, err := c.transport.RoundTrip(c.request(traced, node, key))
	late.Stop()
	if err != nil {
		c.cfg.Log.Debug("a node did not answer", zap.String("node", node), zap.Bool("sent", sent.Load()), zap.Error(err))
		if sent.Load() {
			return unsure
		}
		if c.r.Context().Err() == nil { // else it was not waited for
			c.absent.note(node, time.Now())
		}
		return unsent
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusMisdirectedRequest:
		return moved
	case resp.Header.Get(strangerHeader) != "":
		c.why = errStranger
		return unsent
	}
	if c.relay(resp, node) != nil { // a stream ends in order with the daemon, and with its token
		c.isCut = !c.in.Route.Stream || c.closing.Err() == nil && c.r.Context().Err() == nil
	}
	return answered
}

// taken are the headers of a client that mean something to a handler. No other goes on: above all none by which a peer says for whom it asks.
var taken = []string{
	"Accept", "Accept-Encoding", "Content-Type", "Idempotency-Key", "If-Modified-Since", "If-None-Match", "If-Range", "Last-Event-Id", "Range", "User-Agent",
}

// request is the one for a node, on a connection to who has its key: others that are there still are of an earlier one.
func (c *carriage) request(ctx context.Context, node, key string) *http.Request {
	u := *c.r.URL
	u.Scheme, u.Host = "https", key+"."+node
	out := (&http.Request{
		Method: c.r.Method, URL: &u, Host: node, Header: http.Header{"User-Agent": nil},
		ContentLength: c.body.size, Body: c.body.open(),
		GetBody: func() (io.ReadCloser, error) { return c.body.open(), nil },
	}).WithContext(ctx)
	for _, name := range taken {
		if values := c.r.Header[name]; len(values) > 0 {
			out.Header[name] = values
		}
	}
	out.Header[hopHeader] = []string{c.cfg.Here}
	out.Header[asHeader] = []string{c.in.Who.Carry()}
	return out
}

// own are the headers of an answer that are of a connection, or that this node says itself.
var own = []string{"Connection", "Date", "Keep-Alive", "Transfer-Encoding", "Vary", "X-Request-Id"}

// relay sends an answer on as it comes. Its error is the node's.
func (c *carriage) relay(resp *http.Response, node string) error {
	h := c.w.Header()
	for name, values := range resp.Header {
		if !slices.Contains(own, name) && !strings.HasPrefix(name, "Access-Control-") {
			h[name] = values
		}
	}
	for _, value := range resp.Header["Vary"] {
		h.Add("Vary", value)
	}
	if id, isNew := strings.CutPrefix(h.Get("Location"), "/sessions/"); isNew && resp.StatusCode == http.StatusCreated && protocol.ValidSessionID(id) {
		c.made.note(id, node, time.Now())
	}
	from := io.Reader(resp.Body)
	if resp.StatusCode >= http.StatusBadRequest && resp.Header.Get("Content-Type") == protocol.ProblemType {
		from = c.note(resp.Body)
	}
	c.w.WriteHeader(resp.StatusCode)
	return c.copy(from)
}

// note has the audit know how a verb has ended, and gives the problem on.
func (c *carriage) note(body io.Reader) io.Reader {
	text, err := io.ReadAll(io.LimitReader(body, 64<<10))
	var p protocol.Problem
	if err == nil && json.Unmarshal(text, &p) == nil && p.Code != "" {
		access.NoteProblem(c.r.Context(), p.Code)
	}
	return io.MultiReader(strings.NewReader(string(text)), body)
}

// copy sends what comes at once. Its error is the node's; of a client that has gone nobody needs to hear.
func (c *carriage) copy(from io.Reader) error {
	size := 64 << 10
	if c.in.Route.Stream { // which may be idle for long, and there are many
		size = 8 << 10
	}
	piece := make([]byte, size)
	flush := http.NewResponseController(c.w)
	for {
		_ = flush.Flush() // the headers first
		n, err := from.Read(piece)
		if n > 0 {
			if _, gone := c.w.Write(piece[:n]); gone != nil {
				return nil //nolint:nilerr // of the client's side
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
