package api

import (
	"net/http"
	"path"
	"strings"
)

// scope is what a token may do. There is one today; a further one is a bit here, a column in route and a row in the test.
type scope uint8

const scopeAdmin scope = 1 << iota

// route is what the guard knows about one pattern of the mux.
type route struct {
	pattern string // "GET /sessions/{id}"
	open    bool   // no token needed
	scope   scope
	maxBody int64    // bytes; 0: no body is taken
	media   []string // of the body; the first is the one to name
	stream  bool     // lives long: counted among the streams, not among the requests
	page    bool     // opened in a browser, which can give the token only as a password (Basic); changes nothing, tells no session
}

// routes is the mux and, for every pattern on it, the guard's row: what is not in the table cannot be reached, and what is
// registered without further words needs the token and takes no body.
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
	t.table[pattern] = &route{pattern: pattern, scope: scopeAdmin}
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
