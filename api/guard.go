package api

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

// guard stands before every route, the documentation and the metrics included. The daemon runs code for whoever may call
// it, so it asks, in this order and without reading a body: is there such a route, was this daemon meant (DNS rebinding),
// may this web page speak (cross-site requests), is the body of the kind and size that the route takes, whose token is it,
// may the token do this, is there room (for a request with a body once that has come).
type guard struct {
	routes   *routes
	token    [sha256.Size]byte // of the daemon's own token: what is compared has one length and says nothing about it
	hasToken bool
	tokens   *access.Tokens // that people made, and those of agents
	hosts    []string
	origins  []string
	requests *access.Shares // at work; without streams, and without those whose body is still to come
}

// rejection is why the guard turned a request away. Neither its problem nor its reason holds anything of the request.
type rejection struct {
	reason  string // label of the metric
	problem *protocol.Problem
	allow   string // for 405
	basic   bool   // for 401: a browser may ask its user for the token
}

func reject(reason string, code protocol.Code, detail, hint string) *rejection {
	return &rejection{reason: reason, problem: &protocol.Problem{Code: code, Detail: detail, Hint: hint}}
}

// admission is what the guard has found out about a request.
type admission struct {
	route     *route
	who       *access.Principal // nil: nobody, where none is needed
	preflight bool              // a CORS preflight of an allowed origin, which is answered here
}

// check decides about a request. A nil rejection means that it may pass to the route.
func (g *guard) check(r *http.Request) (in admission, no *rejection) {
	rt := g.routes.find(r)
	if rt == nil {
		if in.preflight = g.asksPreflight(r); !in.preflight {
			return in, g.unknown(r)
		}
	}
	conn := connOf(r.Context())
	if !g.hostAllowed(r, conn) {
		return in, reject("host", protocol.CodeForbidden, "This host name is not this daemon's.",
			"Use the address that the daemon listens on, or start it with the name as an allowed host.")
	}
	if !g.originAllowed(r, conn) {
		return in, reject("origin", protocol.CodeForbidden, "Web pages of this origin may not call this daemon.",
			"Start the daemon with the origin as an allowed one where the page is yours.")
	}
	if in.preflight {
		return in, nil
	}
	in.route = rt
	if no := checkBody(r, rt); no != nil {
		return in, no
	}
	in.who = g.authenticate(r, conn, rt)
	switch {
	case rt.open:
	case conn.agent && (in.who == access.Peer || in.who == access.Root):
		return in, reject("peer", protocol.CodeForbidden, "A process that an agent has started is not the daemon's user.",
			"An agent reaches the daemon over the MCP server that its session is given (mcp), or with a token that was made for it (ringmaster token create).")
	case in.who == nil:
		no = reject("token", protocol.CodeUnauthorized, "A valid bearer token is needed.",
			"Send the header Authorization: Bearer TOKEN; the token is in the file \"token\" of the daemon's data folder. "+
				"One that was made with ringmaster token may have expired or been revoked.")
		if no.basic = rt.page; no.basic {
			no.problem.Hint = "In a browser give the token as the password, with any name; it is in the file \"token\" of the daemon's data folder."
		}
		return in, no
	case !rt.need.met(in.who):
		return in, reject("scope", protocol.CodeForbidden, "This token may not do that.", rt.need.wanted(in.who))
	case rt.socket && !conn.unix:
		return in, reject("scope", protocol.CodeForbidden, "This is done over the daemon's unix socket alone.",
			"Do it on the daemon's machine, as its user: the socket is in the data folder.")
	}
	if limit := bodyLimit(in); r.ContentLength > limit {
		return in, tooLong(limit)
	}
	return in, nil
}

func (g *guard) unknown(r *http.Request) *rejection {
	if allow := g.routes.methods(r); allow != "" {
		return &rejection{reason: "method", allow: allow, problem: withStatus(http.StatusMethodNotAllowed, protocol.CodeInvalidRequest,
			"This path does not take this method.", "The header Allow names the methods it takes.")}
	}
	return reject("path", protocol.CodeNotFound, "There is no such path.", "GET /openapi.json describes every path.")
}

// checkBody looks at the headers of the body only; the handler reads at most the limit of a body without a length.
func checkBody(r *http.Request, rt *route) *rejection {
	if r.ContentLength == 0 {
		return nil
	}
	if rt.maxBody == 0 {
		return reject("body", protocol.CodeTooLarge, "This route takes no body.", "Send the request without one.")
	}
	types := r.Header["Content-Type"]
	if len(types) != 1 || !mediaMatches(types[0], rt.media) {
		return reject("content_type", protocol.CodeUnsupportedMediaType, "The body must be "+rt.media[0]+".",
			"Send the header Content-Type: "+rt.media[0]+".")
	}
	if len(r.Header["Content-Encoding"]) > 0 {
		return reject("content_type", protocol.CodeUnsupportedMediaType, "Encoded bodies are not taken.", "Send the body as it is.")
	}
	if r.ContentLength > rt.maxBody {
		return tooLong(rt.maxBody)
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

// authenticate says who the caller is; nil: nobody that is known. A peer of the daemon's own user on the unix socket could
// read the token's file as well and needs none, unless an agent has started it (check); one that has a token is whose token it is. A
// browser keeps a password and sends it unasked, so it counts where nothing can be changed or read but the description of the API.
func (g *guard) authenticate(r *http.Request, c connection, rt *route) *access.Principal {
	given := r.Header["Authorization"]
	if len(given) == 0 && c.unix && c.own {
		return access.Peer
	}
	if len(given) != 1 {
		return nil
	}
	scheme, token, ok := strings.Cut(given[0], " ")
	switch {
	case ok && strings.EqualFold(scheme, "Bearer"):
	case rt.page:
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

// guarded puts the guard in front of a handler.
func (a *API) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			defer boundRest(w)
		}
		defer occupy(r.Context())()
		in, no := a.guard.check(r)
		rt := in.route
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(a.cfg.Origins, origin) {
			allowOrigin(w.Header(), origin)
		}
		switch {
		case no != nil:
			if no.reason == "scope" {
				a.audit.Refused(access.With(r.Context(), in.who), rt.name)
			}
			a.turnAway(w, no)
			return
		case in.preflight:
			allowMethods(w.Header(), a.guard.routes.methods(r))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		noteRoute(w, rt)
		if !owned(r.Context(), in.who) {
			w.Header().Set("Connection", "close")
			a.turnAway(w, tooManyConnections())
			return
		}
		ctx, done := a.asked(w, r, in)
		defer done()
		if rt.maxBody > 0 && r.ContentLength != 0 { // who sends a body slowly keeps nobody out
			done, no := a.takenIn(w, r, in)
			defer done()
			if no != nil {
				a.turnAway(w, no)
				return
			}
		}
		if !rt.stream {
			if !a.guard.requests.Take(in.who, 1) {
				a.turnAway(w, tooMany())
				return
			}
			defer a.guard.requests.Give(in.who, 1)
		}
		if rt.name != metricsRoute && rt.name != healthRoute {
			defer a.activity.begin()()
		}
		next.ServeHTTP(w, r.WithContext(ctx))
		goOn(w)
	})
}

func tooMany() *rejection {
	return reject("requests", protocol.CodeOverloaded, "Too many requests are at work.", "Try again in a moment.")
}

func tooManyConnections() *rejection {
	return reject("connections", protocol.CodeOverloaded, "Too many connections are open with this token.",
		"Use those that are open for further requests, and close what nobody reads.")
}

func (a *API) turnAway(w http.ResponseWriter, no *rejection) {
	a.metrics.rejections.WithLabelValues(no.reason).Inc()
	if no.allow != "" {
		w.Header().Set("Allow", no.allow)
	}
	if no.basic {
		w.Header().Add("Www-Authenticate", `Basic realm="ringmaster", charset="UTF-8"`)
	}
	writeProblem(w, no.problem)
}
