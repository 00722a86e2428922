package guard

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestNothingBesideTheTable: a pattern that the mux has and the table does not is not there.
func TestNothingBesideTheTable(t *testing.T) {
	routes := NewRoutes()
	routes.HandleFunc("GET /known", func(http.ResponseWriter, *http.Request) {})
	routes.mux.HandleFunc("GET /smuggled", func(http.ResponseWriter, *http.Request) {})
	g := New(routes, Config{Token: "secret"})
	for path, reason := range map[string]string{"/known": "", "/smuggled": "path"} {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r = r.WithContext(With(r.Context(), Connection{Unix: true}))
		r.URL.Host, r.URL.Scheme, r.Host = "", "", "localhost"
		r.Header.Set("Authorization", "Bearer secret")
		_, no := g.Check(r)
		got := ""
		if no != nil {
			got = no.Reason
		}
		if got != reason {
			t.Errorf("%s: %q, want %q", path, got, reason)
		}
	}
}

// TestPeersOfOthers: on the unix socket a process of another user needs a token.
func TestPeersOfOthers(t *testing.T) {
	if p := new(Guard).authenticate(httptest.NewRequest(http.MethodGet, "/", nil), Connection{Unix: true}, &Route{}); p != nil {
		t.Error("a peer of another user needs no token")
	}
}
