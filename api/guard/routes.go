package guard

import (
	"iter"
	"maps"
	"net/http"
	"path"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// Need is what a route asks of the principal of a request, before its handler asks for the session.
type Need uint8

// The needs of routes.
const (
	Read  Need = iota // any token but an agent's
	Write             // one that may change something
	All               // one that may read all, such as the metrics, which belong to no session
	Admin             // one that may do everything
	MCP               // any, an agent's too: the tools check it themselves
	Own               // any but an agent's, also one that only reads: what changes belongs to the token itself
)

func (n Need) met(p *access.Principal) bool {
	switch n {
	case MCP:
		return true
	case Read, Own:
		return p.Scope != access.Agent
	case Write:
		return p.Scope != access.Agent && p.Writes()
	case All:
		return p.Everything()
	case Admin:
	}
	return p.Scope == access.Admin
}

// wanted says which token would meet a need that this principal does not meet, for the hint of the refusal.
func (n Need) wanted(p *access.Principal) string {
	switch {
	case p.Scope == access.Agent:
		return "An agent's token is for /mcp only."
	case n == Write:
		return "This token only reads: use one of the scope admin or owner."
	case n == All:
		return "Use a token of the scope admin or admin:ro."
	}
	return "Use a token of the scope admin."
}

// Route is what the guard knows about one pattern of the mux.
type Route struct {
	Pattern string // "GET /sessions/{id}"
	Name    string // for audit lines: the operation's id, or the pattern
	Open    bool   // no token needed
	Need    Need
	Socket  bool     // over the unix socket alone
	Changes bool     // something, so that there is an audit line
	MaxBody int64    // bytes; 0: no body is taken
	Media   []string // of the body; the first is the one to name
	Stream  bool     // lives long: counted among the streams, not among the requests
	Landing bool     // a page that a link elsewhere may lead to: open, the same for everybody, without secrets
	Keys    Keys     // what becomes of a key of idempotency
	Secret  bool     // the answer has a secret, which must not be kept
	LookAt  string   // path that shows what came of a call, with {id} where a session's is; empty: see Shows
	Page    bool     // opened in a browser, which can give the token only as a password (Basic); changes nothing, tells no session
}

// Keys says what a route does with a key of idempotency (spec §7.16).
type Keys uint8

// What routes do with keys.
const (
	KeysIgnored Keys = iota // it changes nothing: doing it again is harmless
	KeysKept                // package submission does it once for a key
	KeysOwn                 // its handler does
	KeysRefused             // its key is elsewhere, and one in the header would promise what nobody keeps
)

// Shows is the session that a request is about, empty where it is about none, and the path at which its caller finds out what came of it.
func (rt *Route) Shows(r *http.Request) (session, at string) {
	parts := strings.Split(r.URL.Path, "/") // the first is empty; the mux has not matched yet
	if parts[1] == "sessions" && len(parts) > 2 {
		session = parts[2]
	}
	switch {
	case rt.LookAt != "":
		return session, strings.Replace(rt.LookAt, "{id}", session, 1)
	case session != "":
		return session, "/sessions/" + session
	}
	return "", "/" + parts[1]
}

// Routes is the mux and, for every pattern on it, the guard's row. A pattern that is not in the table cannot be reached. A pattern that is
// registered without settings of its own fails safe: it needs a token, one that may change something unless it is a GET, and takes no body.
type Routes struct {
	mux   *http.ServeMux
	table map[string]*Route
}

// NewRoutes makes an empty table.
func NewRoutes() *Routes {
	return &Routes{mux: http.NewServeMux(), table: map[string]*Route{}}
}

// HandleFunc registers a handler; humago calls it for every operation.
func (t *Routes) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.mux.HandleFunc(pattern, h)
	rt := &Route{Pattern: pattern, Name: pattern}
	if method, _, _ := strings.Cut(pattern, " "); method != http.MethodGet && method != http.MethodHead {
		rt.Need, rt.Changes = Write, true
	}
	t.table[pattern] = rt
}

// Page registers a page that a browser opens.
func (t *Routes) Page(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.HandleFunc(pattern, h)
	t.table[pattern].Page = true
}

// Static registers what a page is made of: bytes that are the same for everybody, and need no token.
func (t *Routes) Static(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.HandleFunc(pattern, h)
	t.table[pattern].Open = true
}

// Landing registers a page that a link elsewhere may lead to.
func (t *Routes) Landing(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.Static(pattern, h)
	t.table[pattern].Landing = true
}

// ServeHTTP serves a request that has passed the guard.
func (t *Routes) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.mux.ServeHTTP(w, r) }

// Row is the row of a registered pattern, for writing what its route needs. It must not change after the first request: Find takes no lock.
func (t *Routes) Row(pattern string) *Route { return t.table[pattern] }

// Patterns are those that were registered, in no order.
func (t *Routes) Patterns() iter.Seq2[string, *Route] { return maps.All(t.table) }

// Find is the row of a request; nil: no such path, or not this method. Paths count as they are written: the mux would
// redirect what it can clean.
func (t *Routes) Find(r *http.Request) *Route {
	if r.URL.Path == "" || r.URL.Path[0] != '/' || path.Clean(r.URL.Path) != r.URL.Path {
		return nil
	}
	_, pattern := t.mux.Handler(r)
	return t.table[pattern]
}

// Methods lists the methods of a path, for Allow; empty: there is no such path.
func (t *Routes) Methods(r *http.Request) string {
	var allowed []string
	probe := *r
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe.Method = m
		if t.Find(&probe) != nil {
			allowed = append(allowed, m)
		}
	}
	return strings.Join(allowed, ", ")
}
