package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// TestNumeric: from "localhost" a browser is led to an address that it reaches, and from no other name.
func TestNumeric(t *testing.T) {
	for name, row := range map[string]struct {
		host string
		conn guard.Connection
		want string
	}{
		"version 4":      {"localhost:80", guard.Connection{Local: netip.MustParseAddrPort("127.0.0.1:80")}, "http://127.0.0.1:80/s/x"},
		"version 6":      {"localhost:80", guard.Connection{Local: netip.MustParseAddrPort("[::1]:80")}, "http://[::1]:80/s/x"},
		"both":           {"localhost:80", guard.Connection{Local: netip.MustParseAddrPort("[::ffff:127.0.0.1]:80")}, "http://127.0.0.1:80/s/x"},
		"in a container": {"localhost:80", guard.Connection{Local: netip.MustParseAddrPort("172.17.0.2:80")}, "http://127.0.0.1:80/s/x"},
		"without a port": {"localhost", guard.Connection{Local: netip.MustParseAddrPort("127.0.0.1:80")}, "http://127.0.0.1:80/s/x"},
		"an address":     {"127.0.0.1:80", guard.Connection{Local: netip.MustParseAddrPort("127.0.0.1:80")}, ""},
		"another name":   {"localhost.example:80", guard.Connection{Local: netip.MustParseAddrPort("127.0.0.1:80")}, ""},
		"TLS":            {"localhost:443", guard.Connection{TLS: true, Local: netip.MustParseAddrPort("127.0.0.1:443")}, ""},
		"unix":           {"localhost", guard.Connection{Unix: true}, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/s/x", nil)
		r.Host = row.host
		w := httptest.NewRecorder()
		shown := false
		numeric(func(http.ResponseWriter, *http.Request) { shown = true })(w, r.WithContext(guard.With(r.Context(), row.conn)))
		if got := w.Header().Get("Location"); got != row.want || shown != (row.want == "") {
			t.Errorf("%s: to %q, shown %v", name, got, shown)
		}
	}
}
