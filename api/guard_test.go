package api

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
	"github.com/ringmaster-agents/ringmaster/api/queue"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const testHost = "127.0.0.1:7777"

// onListener is a context as http.Server makes it for a TCP connection.
func onListener(addr string) context.Context {
	return guard.With(context.Background(), guard.Connection{Local: netip.MustParseAddrPort(addr)})
}

// cell is one request of the matrix, by its properties.
type cell struct {
	pattern, host, origin, site, token, contentType string
	mode, dest                                      string // Sec-Fetch-Mode, Sec-Fetch-Dest
}

// request makes the request of a cell. Paths get ids that exist nowhere.
func (c cell) request(rt *guard.Route) *http.Request {
	method, path, _ := strings.Cut(c.pattern, " ")
	path = strings.NewReplacer("{id}", "0b6c3a3e-5a0f-4f57-9a53-6a0f2d0c7f11", "{pid}", "p1", "{rid}", "r1", "{digest}", "00", "{tid}", "t1", "{wid}", "w1", "{did}", "d1", "{$}", "", "{name}", "n", "{rest...}", "e/e1").Replace(path)
	var body io.Reader
	if rt.MaxBody > 0 {
		body = strings.NewReader(`{}`)
	}
	r := httptest.NewRequest(method, path, body).WithContext(onListener(testHost))
	r.URL.Host, r.URL.Scheme = "", "" // as net/http has it for an origin-form target
	r.Host = c.host
	for k, v := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Sec-Fetch-Mode": c.mode, "Sec-Fetch-Dest": c.dest, "Content-Type": c.contentType, "Authorization": c.token} {
		if v != "" {
			r.Header.Set(k, v)
		}
	}
	return r
}

// expected is the reference: what the answer's status must be, 0 for one that passes. It is written without looking at the
// guard, from the rules of SECURITY: this host, this origin or none, JSON only, a token unless open, and one of the scope.
func (c cell) expected(rt *guard.Route, who holder) int {
	if c.host != "127.0.0.1:7777" && c.host != "localhost:7777" && c.host != "[::1]:7777" {
		return http.StatusForbidden
	}
	switch c.origin {
	case "https://allowed.example":
	case "", "http://" + c.host:
		link := slices.Contains(landings, c.pattern) && c.origin == "" && c.mode == "navigate" && c.dest == "document"
		if (c.site == "cross-site" || c.site == "same-site") && !link {
			return http.StatusForbidden
		}
	default:
		return http.StatusForbidden
	}
	if rt.MaxBody > 0 {
		json := c.contentType == "application/json" || c.contentType == "application/json; charset=utf-8"
		if !json && !(strings.HasPrefix(c.pattern, "PATCH") && c.contentType == "application/merge-patch+json") {
			return http.StatusUnsupportedMediaType
		}
	}
	if slices.Contains(needNoToken, c.pattern) {
		return 0
	}
	return who.expected(c.pattern)
}

// needNoToken are open on purpose.
var needNoToken = append([]string{"GET /health", "GET /ready", "POST /login"}, pageRoutes...)

// pageRoutes are the page, and landings those of them to which links elsewhere may lead.
var (
	pageRoutes = append([]string{"GET /assets/{name}", "GET /sw.js", "GET /manifest.webmanifest"}, landings...)
	landings   = []string{"GET /{$}", "GET /inbox", "GET /s/{id}", "GET /s/{id}/{rest...}"}
)

// ownersBudget says of a route that only those who see all, or may do all, have it: owners read their own budgets, and set none.
func ownersBudget(method, path string) bool {
	return path == "/budgets" || path == "/budgets/{owner}" && method != "GET"
}

// ownAffair are what every token but an agent's may ask for itself.
func ownAffair(pattern string) bool { return pattern == "POST /logins" || pattern == "DELETE /login" }

// administrators are the paths of those alone who may do everything: tokens, what becomes of nodes, and profiles of the daemon.
func administrators(path string) bool {
	return path == "/gc" || strings.HasPrefix(path, "/nodes/") || strings.HasPrefix(path, "/tokens") || strings.HasPrefix(path, "/debug/")
}

// socketAlone are the routes that are nobody's over TCP.
var socketAlone = map[string]bool{"POST /roots": true, "POST /config/reload": true}

// expected is what a holder of a token gets of a route, 0 where it passes; the sessions of others are another matter.
func (h holder) expected(pattern string) int {
	method, path, _ := strings.Cut(pattern, " ")
	var passes bool
	writes := strings.HasPrefix(path, "/webhooks") // whose URLs may be secrets: who only reads has no part in them
	switch h {
	case "root", "admin":
		passes = !socketAlone[pattern]
	case "admin:ro":
		passes = ownAffair(pattern) || path == "/mcp" || path == "/stream" || path == "/wait" || method == "GET" && !writes && !administrators(path)
	case "owner":
		passes = !ownersBudget(method, path) && path != "/metrics" && path != "/nodes" && path != "/native-sessions" && !administrators(path) && !socketAlone[pattern]
	case "owner:ro":
		passes = ownAffair(pattern) || path == "/mcp" || path == "/stream" || path == "/wait" || method == "GET" && !writes && !ownersBudget(method, path) && path != "/metrics" && path != "/nodes" && path != "/native-sessions" && !administrators(path)
	case "agent":
		passes = path == "/mcp"
	default:
		return http.StatusUnauthorized
	}
	if passes {
		return 0
	}
	return http.StatusForbidden
}

// holder is one who has a token, or has none that counts.
type holder string

// holders have the tokens of a test, as they send them: of every scope, and such as nobody has or nobody has any more.
func holders(t testing.TB, k *access.Tokens, session string) map[holder]string {
	t.Helper()
	bearers := map[holder]string{
		"none": "", "wrong": "Bearer wrong", "basic": "Basic " + testToken, "root": "Bearer " + testToken, "no secret": "Bearer " + access.Prefix,
	}
	for _, want := range []access.Token{
		{Name: "a", Scope: access.Admin},
		{Name: "b", Scope: access.AdminRead},
		{Name: "c", Scope: access.Owner, Owner: "ann"},
		{Name: "d", Scope: access.OwnerRead, Owner: "ann"},
	} {
		_, secret, err := k.Create(want)
		if err != nil {
			t.Fatal(err)
		}
		bearers[holder(want.Scope)] = "Bearer " + secret
	}
	revoked, secret, err := k.Create(access.Token{Name: "e", Scope: access.Admin})
	if err == nil {
		err = k.Revoke(revoked.ID)
	}
	if err != nil {
		t.Fatal(err)
	}
	bearers["revoked"] = "Bearer " + secret
	secret, revoke := k.Grant(session, "ann")
	t.Cleanup(revoke)
	bearers["agent"] = "Bearer " + secret
	secret, revoke = k.Grant(session, "ann")
	revoke()
	bearers["agent that has ended"] = "Bearer " + secret
	return bearers
}

func guardedAPI(t testing.TB) *API {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, Origins: []string{"https://allowed.example"}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestGuardMatrix walks every pattern of the mux: a new route is in it by itself.
// Proves: I2/foreign, I15.8/pprof
func TestGuardMatrix(t *testing.T) {
	a := guardedAPI(t)
	bearers := holders(t, a.cfg.Tokens, "s")
	cells, refused := 0, 0
	for pattern, rt := range tried(a.routes.Patterns()) {
		for _, host := range []string{testHost, "localhost:7777", "[::1]:7777", "evil.example:7777", "", "127.0.0.1:7777.", "127.0.0.1"} {
			for _, origin := range []string{"", "null", "https://evil.example", "http://127.0.0.1:8888", "http://" + host, "https://allowed.example"} {
				for _, site := range []string{"", "same-origin", "same-site", "cross-site"} {
					for who, token := range bearers {
						if scoped := host == testHost && origin == ""; !scoped && !slices.Contains([]holder{"none", "basic", "root", "agent"}, who) {
							continue // what is refused before the token is looked at, is so for every token
						}
						for _, ct := range []string{"application/json", "application/json; charset=utf-8", "", "text/plain", "application/x-www-form-urlencoded", "application/merge-patch+json"} {
							cells++
							c := cell{pattern: pattern, host: host, origin: origin, site: site, token: token, contentType: ct}
							_, no := a.front.guard.Check(c.request(rt))
							got := 0
							if no != nil {
								got = operation.Complete(no.Problem).Status
								refused++
							}
							if want := c.expected(rt, who); got != want {
								t.Fatalf("%s, %+v: got %d, want %d", who, c, got, want)
							}
						}
					}
				}
			}
		}
	}
	routes := len(maps.Collect(a.routes.Patterns()))
	t.Logf("%d routes, %d cells, %d refused", routes, cells, refused)
	if routes < 25 {
		t.Fatalf("only %d routes in the table", routes)
	}
}

// tried are the routes of a matrix. A short run tries those to which links may lead, and of the others one of each kind: the guard sees nothing else of a
// route.
func tried(all iter.Seq2[string, *guard.Route]) iter.Seq2[string, *guard.Route] {
	return func(yield func(string, *guard.Route) bool) {
		seen := map[string]bool{}
		for pattern, rt := range all {
			method, _, _ := strings.Cut(pattern, " ")
			kind := fmt.Sprint(method, rt.Open, rt.Need, rt.Socket, rt.Changes, rt.MaxBody, rt.Media, rt.Stream, rt.Page)
			if testing.Short() && !rt.Landing && seen[kind] {
				continue
			}
			seen[kind] = true
			if !yield(pattern, rt) {
				return
			}
		}
	}
}

// TestLinksFromElsewhere lead to the page and nowhere else: not to what the page is made of, not into a frame, not with a method that does something.
// Proves: I13.9/links
func TestLinksFromElsewhere(t *testing.T) {
	a := guardedAPI(t)
	cells, led := 0, 0
	for pattern, rt := range tried(a.routes.Patterns()) {
		for _, host := range []string{testHost, "evil.example:7777"} {
			for _, origin := range []string{"", "null", "https://evil.example", "http://" + host} {
				for _, site := range []string{"", "none", "same-origin", "same-site", "cross-site"} {
					for _, mode := range []string{"", "navigate", "no-cors", "cors", "same-origin", "websocket"} {
						for _, dest := range []string{"", "document", "iframe", "frame", "embed", "object", "empty", "script", "serviceworker"} {
							cells++
							c := cell{pattern: pattern, host: host, origin: origin, site: site, mode: mode, dest: dest, contentType: "application/json"}
							_, no := a.front.guard.Check(c.request(rt))
							got := 0
							if no != nil {
								got = operation.Complete(no.Problem).Status
							} else if site == "cross-site" {
								led++
							}
							if want := c.expected(rt, "none"); got != want {
								t.Fatalf("%+v: got %d, want %d", c, got, want)
							}
						}
					}
				}
			}
		}
	}
	if led != len(landings) {
		t.Errorf("%d of %d cells are let in from elsewhere", led, cells)
	}
	for name, change := range map[string]func(*http.Request){
		"HEAD":      func(r *http.Request) { r.Method = http.MethodHead },
		"two modes": func(r *http.Request) { r.Header["Sec-Fetch-Mode"] = []string{"navigate", "navigate"} },
		"two dests": func(r *http.Request) { r.Header["Sec-Fetch-Dest"] = []string{"document", "iframe"} },
		"two sites": func(r *http.Request) {
			r.Header["Sec-Fetch-Site"] = []string{"none", "cross-site"}
			r.Header.Del("Sec-Fetch-Dest")
		},
		"another host": func(r *http.Request) { r.Host = "evil.example" },
	} {
		r := cell{pattern: "GET /{$}", host: testHost, site: "cross-site", mode: "navigate", dest: "document"}.request(&guard.Route{})
		change(r)
		if _, no := a.front.guard.Check(r); no == nil || operation.Complete(no.Problem).Status != http.StatusForbidden {
			t.Errorf("%s: %+v", name, no)
		}
	}
}

// TestEveryPatternIsGuarded: the mux has nothing that the table lacks, and what the table calls open is open on purpose.
func TestEveryPatternIsGuarded(t *testing.T) {
	a := guardedAPI(t)
	for pattern, rt := range a.routes.Patterns() {
		r := cell{pattern: pattern, host: testHost}.request(rt)
		if found := a.routes.Find(r); found != rt {
			t.Errorf("%s: the mux takes it for %+v", pattern, found)
		}
		if rt.Open != slices.Contains(needNoToken, pattern) {
			t.Errorf("%s: open is %v", pattern, rt.Open)
		}
	}
}

// TestRejections: a rejection counts its reason, is a problem, and repeats nothing of the request.
func TestRejections(t *testing.T) {
	a := guardedAPI(t)
	const marker = "MARKER8471"
	for _, row := range []struct {
		name, method, path string
		change             func(*http.Request)
		status             int
		reason             string
	}{
		{"path", "GET", "/" + marker, nil, 404, "path"},
		{"unclean path", "GET", "//sessions", nil, 404, "path"},
		{"dots", "GET", "/sessions/../agents", nil, 404, "path"},
		{"method", "PUT", "/sessions", nil, 405, "method"},
		{"unknown method", marker, "/sessions", nil, 405, "method"},
		{"override", "GET", "/sessions/x/end", func(r *http.Request) { r.Header.Set("X-HTTP-Method-Override", "POST") }, 405, "method"},
		{"preflight", "OPTIONS", "/sessions", func(r *http.Request) {
			r.Header.Set("Origin", "https://"+marker)
			r.Header.Set("Access-Control-Request-Method", "POST")
		}, 405, "method"},
		{"host", "GET", "/agents", func(r *http.Request) { r.Host = marker + ".example" }, 403, "host"},
		{"absolute form", "GET", "/agents", func(r *http.Request) { r.URL.Scheme, r.URL.Host = "http", testHost }, 403, "host"},
		{"origin", "GET", "/agents", func(r *http.Request) { r.Header.Set("Origin", "https://"+marker) }, 403, "origin"},
		{"two origins", "GET", "/agents", func(r *http.Request) {
			r.Header["Origin"] = []string{"https://allowed.example", "https://" + marker}
		}, 403, "origin"},
		{"content type", "POST", "/sessions", func(r *http.Request) { r.Header.Set("Content-Type", "text/"+marker) }, 415, "content_type"},
		{"two content types", "POST", "/sessions", func(r *http.Request) {
			r.Header["Content-Type"] = []string{"application/json", "text/plain"}
		}, 415, "content_type"},
		{"charset", "POST", "/sessions", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-7") }, 415, "content_type"},
		{"content encoding", "POST", "/sessions", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, "content_type"},
		{"body on GET", "GET", "/agents", func(r *http.Request) { r.ContentLength = 5 }, 413, "body"},
		{"large body", "POST", "/sessions", func(r *http.Request) { r.ContentLength = queue.PromptBody + 1 }, 413, "body"},
		{"token", "GET", "/agents", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+marker) }, 401, "token"},
		{"two tokens", "GET", "/agents", func(r *http.Request) {
			r.Header["Authorization"] = []string{"Bearer " + testToken, "Bearer " + marker}
		}, 401, "token"},
		{"token in the query", "GET", "/agents?token=" + testToken, func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		{"token in a cookie", "GET", "/agents", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.Header.Set("Cookie", "token="+testToken)
		}, 401, "token"},
		{"docs without token", "GET", "/docs", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		{"metrics without token", "GET", "/metrics", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
		{"openapi without token", "GET", "/openapi.json", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "token"},
	} {
		t.Run(row.name, func(t *testing.T) {
			before := testutil.ToFloat64(a.front.metrics.rejections.WithLabelValues(row.reason))
			u, err := url.Parse(row.path)
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest("GET", "/x", nil).WithContext(onListener(testHost))
			r.Method, r.URL, r.Host = row.method, u, testHost
			r.Header.Set("Authorization", "Bearer "+testToken)
			if row.method == "POST" {
				r.ContentLength = 2
				r.Header.Set("Content-Type", "application/json")
			}
			if row.change != nil {
				row.change(r)
			}
			w := httptest.NewRecorder()
			a.Handler().ServeHTTP(w, r)
			var p operation.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || w.Code != row.status || p.Status != row.status || p.Hint == "" {
				t.Fatalf("got %d %s (%v), want %d", w.Code, w.Body, err, row.status)
			}
			if w.Header().Get("Content-Type") != protocol.ProblemType || w.Header().Get("X-Request-Id") == "" {
				t.Errorf("headers %v", w.Header())
			}
			if strings.Contains(fmt.Sprint(w.Header())+w.Body.String(), marker) || strings.Contains(w.Body.String(), testToken) {
				t.Errorf("the answer repeats the request: %s", w.Body)
			}
			if row.status == 405 && !strings.Contains(w.Header().Get("Allow"), "POST") {
				t.Errorf("Allow is %q", w.Header().Get("Allow"))
			}
			if row.status == 401 && w.Header().Get("WWW-Authenticate") != "Bearer" {
				t.Error("no WWW-Authenticate")
			}
			if got := testutil.ToFloat64(a.front.metrics.rejections.WithLabelValues(row.reason)); got != before+1 {
				t.Errorf("rejections of %s: %v after %v", row.reason, got, before)
			}
		})
	}
}

// TestBasic: the pages that a browser opens take the token as a password, and nothing else does.
func TestBasic(t *testing.T) {
	a := guardedAPI(t)
	ask := func(path, password string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil).WithContext(onListener(testHost))
		r.Host = testHost
		if password != "" {
			r.SetBasicAuth("me", password)
		}
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w
	}
	pages := 0
	for pattern, rt := range a.routes.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		if method != "GET" || rt.Open {
			continue
		}
		path = strings.NewReplacer("{id}", "x", "{rid}", "x", "{pid}", "x", "{digest}", "x", "{tid}", "x", "{wid}", "x", "{did}", "x").Replace(path)
		with, without, wrong := ask(path, testToken), ask(path, ""), ask(path, testToken+"x")
		if without.Code != http.StatusUnauthorized || wrong.Code != http.StatusUnauthorized {
			t.Errorf("%s: %d without, %d with a wrong password", pattern, without.Code, wrong.Code)
		}
		challenges := len(without.Header().Values("WWW-Authenticate"))
		if page := path == "/docs" || strings.HasPrefix(path, "/docs/") || strings.HasPrefix(path, "/openapi"); page {
			pages++
			if with.Code/100 != 2 || challenges != 2 {
				t.Errorf("%s: %d, %d challenges", pattern, with.Code, challenges)
			}
		} else if with.Code != http.StatusUnauthorized || challenges != 1 {
			t.Errorf("%s: %d with the token as password, %d challenges", pattern, with.Code, challenges)
		}
	}
	if pages != 8 {
		t.Errorf("%d pages", pages)
	}
}

// TestRebindingOverTheWire: what the table says holds for real connections, absolute request targets included.
func TestRebindingOverTheWire(t *testing.T) {
	h := newHarness(t)
	addr := strings.TrimPrefix(h.base, "http://")
	for raw, want := range map[string]string{
		"GET /health HTTP/1.1\r\nHost: " + addr + "\r\n":                                                     "200",
		"GET /health HTTP/1.1\r\nHost: evil.example\r\n":                                                     "403",
		"GET http://" + addr + "/health HTTP/1.1\r\nHost: " + addr + "\r\n":                                  "403",
		"GET http://evil.example/health HTTP/1.1\r\nHost: " + addr + "\r\n":                                  "403",
		"GET /health HTTP/1.1\r\nHost: " + addr + "\r\nOrigin: https://evil.example\r\n":                     "403",
		"GET /health HTTP/1.1\r\nHost: " + addr + "\r\nSec-Fetch-Site: cross-site\r\n":                       "403",
		"GET /health HTTP/1.0\r\n":                                                                           "403",
		"OPTIONS * HTTP/1.1\r\nHost: " + addr + "\r\n":                                                       "404",
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n":                                    "404",
		"GET /health HTTP/1.1\r\nHost: " + addr + "\r\nHost: evil.example\r\n":                               "400",
		"POST /sessions HTTP/1.1\r\nHost: " + addr + "\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n": "415",
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, raw+"Connection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		line := make([]byte, 12)
		if _, err := io.ReadFull(c, line); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		if !strings.HasSuffix(string(line), want) {
			t.Errorf("%q: got %s, want %s", raw, line, want)
		}
		_ = c.Close()
	}
}

func TestAllowedOrigin(t *testing.T) {
	h := newHarness(t, func(c *Config) { c.Origins = []string{"https://allowed.example"} })
	r := h.want(http.StatusOK, "GET", "/agents", "", "Origin", "https://allowed.example", "Sec-Fetch-Site", "cross-site")
	if r.Header.Get("Access-Control-Allow-Origin") != "https://allowed.example" || r.Header.Get("Vary") != "Origin" {
		t.Errorf("headers %v", r.Header)
	}
	r = h.want(http.StatusNoContent, "OPTIONS", "/sessions", "", "Origin", "https://allowed.example",
		"Access-Control-Request-Method", "POST", "Authorization", "")
	if !strings.Contains(r.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("headers %v", r.Header)
	}
	if r := h.want(http.StatusOK, "GET", "/agents", ""); r.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("CORS headers without an origin")
	}
}

func TestNoTokenMeansNobody(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{"", "Bearer ", "Bearer x"} {
		c := cell{pattern: "GET /agents", host: testHost, token: token}
		if _, no := a.front.guard.Check(c.request(&guard.Route{})); no == nil || no.Reason != "token" {
			t.Errorf("token %q: %+v", token, no)
		}
	}
}

func TestRequestLimit(t *testing.T) {
	a, err := New(Config{Supervisor: newTree(t), Token: testToken, MaxRequests: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !a.front.requests.Take(access.Root, 1) {
		t.Fatal("the first request has no room")
	}
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, cell{pattern: "GET /agents", host: testHost, token: "Bearer " + testToken}.request(&guard.Route{}))
		return w
	}
	if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "overloaded") {
		t.Errorf("over the limit: %d %s", w.Code, w.Body)
	}
	a.front.requests.Give(access.Root, 1)
	if w := ask(); w.Code != http.StatusOK {
		t.Errorf("after leaving: %d", w.Code)
	}
}

// FuzzGuard: whatever the headers, what passes has this daemon's host, no foreign origin and the token.
func FuzzGuard(f *testing.F) {
	a := guardedAPI(f)
	f.Add("GET", "/agents", testHost, "", "", "Bearer "+testToken, "")
	f.Add("POST", "/sessions", "evil.example:7777", "null", "cross-site", "bearer  "+testToken, "application/json;charset=UTF-8")
	f.Add("GET", "/sessions/..%2f..%2f", "[::1]:7777", "http://[::1]:7777", "none", "", "text/plain")
	f.Fuzz(func(t *testing.T, method, target, host, origin, site, token, ct string) {
		u, err := url.ParseRequestURI(target)
		if err != nil {
			return
		}
		r := (&http.Request{Method: method, URL: u, Host: host, Header: http.Header{}, ContentLength: 2}).WithContext(onListener(testHost))
		for k, v := range map[string]string{"Origin": origin, "Sec-Fetch-Site": site, "Authorization": token, "Content-Type": ct} {
			if v != "" {
				r.Header.Set(k, v)
			}
		}
		in, no := a.front.guard.Check(r)
		if no != nil || in.Preflight {
			return
		}
		rt := in.Route
		name, port, err := net.SplitHostPort(host)
		ip := net.ParseIP(name)
		if err != nil || port != "7777" || !strings.EqualFold(name, "localhost") && (ip == nil || !ip.IsLoopback()) {
			t.Errorf("host %q passed", host)
		}
		own := strings.EqualFold(origin, "http://"+host)
		if origin != "" && !own && origin != "https://allowed.example" || origin == "" && site != "" && site != "none" && site != "same-origin" {
			t.Errorf("origin %q, site %q passed", origin, site)
		}
		if scheme, rest, _ := strings.Cut(token, " "); !rt.Open && (!strings.EqualFold(scheme, "bearer") || rest != testToken) {
			t.Errorf("token %q passed", token)
		}
		if rt.MaxBody == 0 || !strings.Contains(strings.ToLower(ct), "json") {
			t.Errorf("%s: a body of type %q passed", rt.Pattern, ct)
		}
	})
}
