package guard

import (
	"net/http"
	"slices"
	"strings"
)

// originAllowed refuses every request that a browser sent for a foreign page. Programs send neither header.
func (g *Guard) originAllowed(r *http.Request, c Connection) bool {
	if c.As != nil { // the peer has asked
		return true
	}
	origins := r.Header["Origin"]
	if len(origins) > 1 {
		return false
	}
	if len(origins) == 1 {
		if slices.Contains(g.origins, origins[0]) {
			return true
		}
		scheme := "http://"
		if c.TLS {
			scheme = "https://"
		}
		if !strings.EqualFold(origins[0], scheme+r.Host) {
			return false
		}
	}
	return !FromElsewhere(r)
}

// arrives says that a browser goes to a page because somebody has followed a link, wherever the link was: its tab then shows the page and nothing of
// where it came from. A frame, a script and a form that posts are none.
func arrives(r *http.Request) bool {
	only := func(header, value string) bool {
		given := r.Header[header]
		return len(given) == 1 && given[0] == value
	}
	return r.Method == http.MethodGet && len(r.Header["Origin"]) == 0 && only("Sec-Fetch-Mode", "navigate") && only("Sec-Fetch-Dest", "document")
}

// FromElsewhere says that a browser was led to a page by another site's.
func FromElsewhere(r *http.Request) bool {
	return slices.ContainsFunc(r.Header["Sec-Fetch-Site"], func(site string) bool { return site != "none" && site != "same-origin" })
}

func (g *Guard) asksPreflight(r *http.Request) bool {
	if r.Method != http.MethodOptions || !slices.Contains(g.origins, r.Header.Get("Origin")) {
		return false
	}
	probe := *r
	probe.Method = r.Header.Get("Access-Control-Request-Method")
	return g.routes.Find(&probe) != nil
}

// AllowOrigin lets the page of an allowed origin read the answer; methods and headers follow in its preflight.
func AllowOrigin(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Expose-Headers",
		"ETag, Idempotency-Replayed, Location, Retry-After, X-Request-Id, X-Session-Epoch, X-Session-Source, X-Session-Version")
}

// AllowMethods answers the preflight of an allowed origin.
func AllowMethods(h http.Header, methods string) {
	h.Set("Access-Control-Allow-Methods", methods)
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID")
	h.Set("Access-Control-Max-Age", "600")
}
