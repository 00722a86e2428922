package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Guard stands before every route, the documentation and the metrics included. The daemon runs code for its callers,
// so the guard asks, in this order and without reading a body: is there such a route, was this daemon meant (DNS rebinding),
// may this web page call (cross-site requests), is the body of the kind and size that the route takes, whose token is it,
// may the token do this. The API checks its limits (streams, requests in flight) behind the guard.
type Guard struct {
	routes   *Routes
	token    [sha256.Size]byte // of the daemon's own token: hashes have one length, so that comparing takes the same time for every token
	hasToken bool
	tokens   *access.Tokens
	hosts    []string
	origins  []string
}

// Config says whom a guard lets in.
type Config struct {
	Token   string         // the bearer token of a principal that may do everything; empty: there is none
	Tokens  *access.Tokens // those that people made, and those of agents; nil: none
	Hosts   []string       // further values of the Host header, exactly as sent
	Origins []string       // web origins that may call, as browsers send them
}

// New makes the guard of a table of routes.
func New(routes *Routes, cfg Config) *Guard {
	return &Guard{
		routes: routes, token: sha256.Sum256([]byte(cfg.Token)), hasToken: cfg.Token != "", tokens: cfg.Tokens, hosts: cfg.Hosts, origins: cfg.Origins,
	}
}

// Rejection is why the guard turned a request away. Neither its problem nor its reason repeats any part of the request.
type Rejection struct {
	Reason  string // label of the metric
	Problem *protocol.Problem
	Allow   string // for 405
	Basic   bool   // for 401: a browser may ask its user for the token
}

// Reject makes a rejection. reason is a label of the metric, and the problem that of the answer (spec §11).
func Reject(reason string, code protocol.Code, detail, hint string) *Rejection {
	return &Rejection{Reason: reason, Problem: &protocol.Problem{Code: code, Detail: detail, Hint: hint}}
}

// Admission is what the guard has found out about a request.
type Admission struct {
	Route     *Route
	Who       *access.Principal // nil: there is none, and the route needs none
	Preflight bool              // a CORS preflight of an allowed origin, which is answered here
}

// Check decides about a request. A nil rejection means that it may pass to the route.
func (g *Guard) Check(r *http.Request) (in Admission, no *Rejection) {
	rt := g.routes.Find(r)
	if rt == nil {
		if in.Preflight = g.asksPreflight(r); !in.Preflight {
			return in, g.unknown(r)
		}
	}
	conn := ConnectionOf(r.Context())
	if !g.hostAllowed(r, conn) {
		return in, Reject("host", protocol.CodeForbidden, "This host name is not this daemon's.",
			"Use the address that the daemon listens on, or start it with the name as an allowed host.")
	}
	if !g.originAllowed(r, conn) && !(rt != nil && rt.Landing && arrives(r)) {
		return in, Reject("origin", protocol.CodeForbidden, "Web pages of this origin may not call this daemon.",
			"Start the daemon with the origin as an allowed one where the page is yours.")
	}
	if in.Preflight {
		return in, nil
	}
	in.Route = rt
	if no := checkBody(r, rt); no != nil {
		return in, no
	}
	in.Who = g.authenticate(r, conn, rt)
	switch {
	case rt.Open:
	case conn.Agent && (in.Who == access.Peer || in.Who == access.Root):
		return in, Reject("peer", protocol.CodeForbidden, "A process that an agent has started is not the daemon's user.",
			"An agent reaches the daemon over the MCP server that its session is given (mcp), or with a token that was made for it (ringmaster token create).")
	case in.Who == nil:
		no = Reject("token", protocol.CodeUnauthorized, "A valid bearer token is needed.",
			"Send the header Authorization: Bearer TOKEN; the token is in the file \"token\" of the daemon's data folder. "+
				"One that was made with ringmaster token may have expired or been revoked.")
		if no.Basic = rt.Page; no.Basic {
			no.Problem.Hint = "In a browser give the token as the password, with any name; it is in the file \"token\" of the daemon's data folder."
		}
		return in, no
	case !rt.Need.met(in.Who):
		return in, Reject("scope", protocol.CodeForbidden, "This token may not do that.", rt.Need.wanted(in.Who))
	case rt.Socket && !conn.Unix:
		return in, Reject("scope", protocol.CodeForbidden, "This is done over the daemon's unix socket alone.",
			"Do it on the daemon's machine, as its user: the socket is in the data folder.")
	}
	if limit := BodyLimit(in); r.ContentLength > limit {
		return in, TooLong(limit)
	}
	return in, nil
}

func (g *Guard) unknown(r *http.Request) *Rejection {
	if allow := g.routes.Methods(r); allow != "" {
		no := Reject("method", protocol.CodeInvalidRequest, "This path does not take this method.", "The header Allow names the methods it takes.")
		no.Allow, no.Problem.Status = allow, http.StatusMethodNotAllowed
		return no
	}
	return NoPath()
}

// NoPath says that there is nothing at a path.
func NoPath() *Rejection {
	return Reject("path", protocol.CodeNotFound, "There is no such path.", "GET /openapi.json describes every path.")
}

// checkBody looks at the headers of the body only; the handler reads at most the limit of a body without a length.
func checkBody(r *http.Request, rt *Route) *Rejection {
	if r.ContentLength == 0 {
		return nil
	}
	if rt.MaxBody == 0 {
		return Reject("body", protocol.CodeTooLarge, "This route takes no body.", "Send the request without one.")
	}
	types := r.Header["Content-Type"]
	if len(types) != 1 || !mediaMatches(types[0], rt.Media) {
		return Reject("content_type", protocol.CodeUnsupportedMediaType, "The body must be "+rt.Media[0]+".",
			"Send the header Content-Type: "+rt.Media[0]+".")
	}
	if len(r.Header["Content-Encoding"]) > 0 {
		return Reject("content_type", protocol.CodeUnsupportedMediaType, "Encoded bodies are not taken.", "Send the body as it is.")
	}
	if r.ContentLength > rt.MaxBody {
		return TooLong(rt.MaxBody)
	}
	return nil
}

func mediaMatches(header string, taken []string) bool {
	media, params, err := mime.ParseMediaType(header)
	if err != nil || !slices.Contains(taken, media) {
		return false
	}
	for k, v := range params {
		if k != "charset" || !strings.EqualFold(v, "utf-8") {
			return false
		}
	}
	return true
}

// authenticate gives the principal of a request; nil: the caller is unknown. A peer of the daemon's own user on the unix socket could
// read the token's file as well and needs none, unless an agent has started it (Check); a peer that sends a token is that token's principal. A
// browser keeps a password and sends it without being asked, so a password counts only on pages that change nothing and show nothing but the
// description of the API. A request that a peer passes on is the principal's that the peer has let in: tokens do not cross.
func (g *Guard) authenticate(r *http.Request, c Connection, rt *Route) *access.Principal {
	if c.As != nil {
		return c.As
	}
	given := r.Header["Authorization"]
	if len(given) == 0 && c.Unix && c.Own {
		return access.Peer
	}
	if len(given) != 1 {
		return nil
	}
	scheme, token, ok := strings.Cut(given[0], " ")
	switch {
	case ok && strings.EqualFold(scheme, "Bearer"):
	case rt.Page:
		if _, token, ok = r.BasicAuth(); !ok {
			return nil
		}
	default:
		return nil
	}
	sum := sha256.Sum256([]byte(token))
	if g.hasToken && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 {
		return access.Root
	}
	return g.tokens.Find(token)
}
