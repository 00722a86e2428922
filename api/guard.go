package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// guard stands before every route, the documentation and the metrics included. The daemon runs code for whoever may call
// it, so it asks, in this order and without reading a body: is there such a route, was this daemon meant (DNS rebinding),
// may this web page speak (cross-site requests), is the body of the kind and size that the route takes, whose token is it,
// may the token do this, is there room.
type guard struct {
	routes      *routes
	token       [sha256.Size]byte // of the token: what is compared has one length and says nothing about it
	hasToken    bool
	hosts       []string
	origins     []string
	maxRequests int64
	requests    atomic.Int64 // at work, streams not counted
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

// check decides about a request. A nil rejection means that it may pass to the route; preflight says that it is a CORS
// preflight of an allowed origin instead, which is answered here.
func (g *guard) check(r *http.Request) (rt *route, preflight bool, no *rejection) {
	rt = g.routes.find(r)
	if rt == nil {
		if preflight = g.asksPreflight(r); !preflight {
			return nil, false, g.unknown(r)
		}
	}
	conn := connOf(r.Context())
	if !g.hostAllowed(r, conn) {
		return nil, false, reject("host", protocol.CodeForbidden, "This host name is not this daemon's.",
			"Use the address that the daemon listens on, or start it with the name as an allowed host.")
	}
	if !g.originAllowed(r, conn) {
		return nil, false, reject("origin", protocol.CodeForbidden, "Web pages of this origin may not call this daemon.",
			"Start the daemon with the origin as an allowed one where the page is yours.")
	}
	if preflight {
		return nil, true, nil
	}
	if no := checkBody(r, rt); no != nil {
		return nil, false, no
	}
	granted, ok := g.authenticate(r, conn, rt)
	switch {
	case rt.open:
	case !ok:
		no = reject("token", protocol.CodeUnauthorized, "A valid bearer token is needed.",
			"Send the header Authorization: Bearer TOKEN; the token is in the file \"token\" of the daemon's data folder.")
		if no.basic = rt.page; no.basic {
			no.problem.Hint = "In a browser give the token as the password, with any name; it is in the file \"token\" of the daemon's data folder."
		}
		return nil, false, no
	case granted&rt.scope == 0:
		return nil, false, reject("scope", protocol.CodeForbidden, "This token may not do that.", "Use a token with a wider scope.")
	}
	return rt, false, nil
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
		return reject("body", protocol.CodeTooLarge, "The body is larger than this route takes.",
			"The limit is "+strconv.FormatInt(rt.maxBody, 10)+" bytes.")
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

// authenticate says what the caller may do. A peer of the daemon's own user on the unix socket could read the token's file
// as well and needs none. A browser keeps a password and sends it unasked, so it counts where nothing can be changed or read
// but the description of the API.
func (g *guard) authenticate(r *http.Request, c connection, rt *route) (scope, bool) {
	if c.unix && c.own {
		return scopeAdmin, true
	}
	given := r.Header["Authorization"]
	if !g.hasToken || len(given) != 1 {
		return 0, false
	}
	scheme, token, ok := strings.Cut(given[0], " ")
	switch {
	case ok && strings.EqualFold(scheme, "Bearer"):
	case rt.page:
		if _, token, ok = r.BasicAuth(); !ok {
			return 0, false
		}
	default:
		return 0, false
	}
	sum := sha256.Sum256([]byte(token))
	return scopeAdmin, subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1
}

// enter counts a request in; leave must follow when ok.
func (g *guard) enter() (leave func(), ok bool) {
	if g.requests.Add(1) > g.maxRequests {
		g.requests.Add(-1)
		return nil, false
	}
	return func() { g.requests.Add(-1) }, true
}

// guarded puts the guard in front of a handler.
func (a *API) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rt, preflight, no := a.guard.check(r)
		if origin := r.Header.Get("Origin"); origin != "" && slices.Contains(a.cfg.Origins, origin) {
			allowOrigin(w.Header(), origin)
		}
		switch {
		case no != nil:
			a.turnAway(w, no)
			return
		case preflight:
			allowMethods(w.Header(), a.guard.routes.methods(r))
			w.WriteHeader(http.StatusNoContent)
			return
		}
		noteRoute(w, rt)
		if !rt.stream {
			leave, ok := a.guard.enter()
			if !ok {
				a.turnAway(w, reject("requests", protocol.CodeOverloaded, "Too many requests are at work.", "Try again in a moment."))
				return
			}
			defer leave()
		}
		if rt.maxBody > 0 && r.ContentLength != 0 {
			r.Body = newTimedBody(w, r.Body, a.cfg.BodyTimeout)
		}
		next.ServeHTTP(w, r)
	})
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
