package api

import (
	"net/http"
	"path"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/access"
)

// need is what a route asks of the principal of a request, before its handler asks for the session.
type need uint8

const (
	needRead  need = iota // a token of somebody
	needWrite             // one that may change something
	needAll               // one that may read what belongs to no session
	needAdmin             // one that may do everything
	needMCP               // any, an agent's too: the tools ask for themselves
)

func (n need) met(p *access.Principal) bool {
	switch n {
	case needMCP:
		return true
	case needRead:
		return p.Scope != access.Agent
	case needWrite:
		return p.Scope != access.Agent && p.Writes()
	case needAll:
		return p.Everything()
	case needAdmin:
	}
	return p.Scope == access.Admin
}

// wanted says what would be met.
func (n need) wanted(p *access.Principal) string {
	switch {
	case p.Scope == access.Agent:
		return "An agent's token is for /mcp only."
	case n == needWrite:
		return "This token only reads: use one of the scope admin or owner."
	case n == needAll:
		return "Use a token of the scope admin or admin:ro."
	}
	return "Use a token of the scope admin."
}

// route is what the guard knows about one pattern of the mux.
type route struct {
	pattern string // "GET /sessions/{id}"
	name    string // for audit lines: the operation's id, or the pattern
	open    bool   // no token needed
	need    need
	socket  bool     // over the unix socket alone
	changes bool     // something, so that there is an audit line
	maxBody int64    // bytes; 0: no body is taken
	media   []string // of the body; the first is the one to name
	stream  bool     // lives long: counted among the streams, not among the requests
	page    bool     // opened in a browser, which can give the token only as a password (Basic); changes nothing, tells no session
}

// routes is the mux and, for every pattern on it, the guard's row: what is not in the table cannot be reached, and what is
// registered without further words needs a token, one that may change something unless it is a GET, and takes no body.
type routes struct {
	mux   *http.ServeMux
	table map[string]*route
}

func newRoutes() *routes {
	return &routes{mux: http.NewServeMux(), table: map[string]*route{}}
}

// HandleFunc registers a handler; humago calls it for every operation.
func (t *routes) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.mux.HandleFunc(pattern, h)
	rt := &route{pattern: pattern, name: pattern}
	if method, _, _ := strings.Cut(pattern, " "); method != http.MethodGet && method != http.MethodHead {
		rt.need, rt.changes = needWrite, true
	}
	t.table[pattern] = rt
}

// page registers what a browser opens.
func (t *routes) page(pattern string, h func(http.ResponseWriter, *http.Request)) {
	t.HandleFunc(pattern, h)
	t.table[pattern].page = true
}

func (t *routes) ServeHTTP(w http.ResponseWriter, r *http.Request) { t.mux.ServeHTTP(w, r) }

// find is the row of a request; nil: no such path, or not this method. Paths count as they are written: the mux would
// redirect what it can clean.
func (t *routes) find(r *http.Request) *route {
	if r.URL.Path == "" || r.URL.Path[0] != '/' || path.Clean(r.URL.Path) != r.URL.Path {
		return nil
	}
	_, pattern := t.mux.Handler(r)
	return t.table[pattern]
}

// methods lists the methods of a path, for Allow; empty: there is no such path.
func (t *routes) methods(r *http.Request) string {
	var allowed []string
	probe := *r
	for _, m := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		probe.Method = m
		if t.find(&probe) != nil {
			allowed = append(allowed, m)
		}
	}
	return strings.Join(allowed, ", ")
}
