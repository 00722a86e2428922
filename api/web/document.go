package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
)

// arrived stands in the document where the page was opened by a link of another site. The page then trades no code unasked: a stranger's link would
// log its reader in as the stranger, who sees what is done there.
const arrived = ` data-arrived="elsewhere"`

// document serves the page itself. A program that asks for no HTML is told that there is nothing, as at every path without a route.
func document(text []byte) http.HandlerFunc {
	usual := file{media: "text/html; charset=utf-8", body: text}
	led := usual
	led.body = []byte(strings.Replace(string(text), "<html", "<html"+arrived, 1))
	show := numeric(func(w http.ResponseWriter, r *http.Request) {
		if guard.FromElsewhere(r) {
			led.serve(w)
			return
		}
		usual.serve(w)
	})
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Accept, Sec-Fetch-Site")
		if !slices.ContainsFunc(r.Header["Accept"], func(types string) bool { return strings.Contains(types, "text/html") }) {
			operation.WriteProblem(w, guard.NoPath().Problem)
			return
		}
		show(w, r)
	}
}

// numeric leads from "localhost" to the address: a browser takes two names for two origins, each with a token of its own. A certificate is for
// names, so over TLS nobody is led away from them.
func numeric(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		conn := guard.ConnectionOf(r.Context())
		name, _, _ := strings.Cut(r.Host, ":")
		if conn.Unix || conn.TLS || !conn.Local.IsValid() || !strings.EqualFold(name, "localhost") {
			h(w, r)
			return
		}
		ip := conn.Local.Addr().Unmap()
		if !ip.IsLoopback() { // in a container, where "localhost" was the machine's
			ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
		}
		port := conn.Local.Port()
		to := url.URL{Scheme: "http", Host: netip.AddrPortFrom(ip, port).String(), Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
		w.Header().Set("Location", to.String())
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}
