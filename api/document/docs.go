package document

import (
	"embed"
	"io"
	"net/http"

	"github.com/ringmaster-agents/ringmaster/api/guard"
)

// docsFiles is the page of /docs. Swagger UI comes compressed, as it was published (docs/vendor.sh, docs/NOTICE).
//
//go:embed docs/index.html docs/start.js docs/swagger-ui.css.gz docs/swagger-ui-bundle.js.gz
var docsFiles embed.FS

// docsPolicy lets the page load from this daemon only. Swagger UI sets styles in its markup, and shows what getSessionImage gave.
const docsPolicy = "default-src 'none'; base-uri 'none'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; " +
	"img-src 'self' data: blob:; script-src 'self'; style-src 'self' 'unsafe-inline'"

// ServePage serves /docs and what it is made of.
func ServePage(routes *guard.Routes) {
	for _, f := range []struct{ path, file, contentType, encoding string }{
		{"/docs", "docs/index.html", "text/html; charset=utf-8", ""},
		{"/docs/start.js", "docs/start.js", "text/javascript; charset=utf-8", ""},
		{"/docs/swagger-ui.css", "docs/swagger-ui.css.gz", "text/css; charset=utf-8", "gzip"},
		{"/docs/swagger-ui-bundle.js", "docs/swagger-ui-bundle.js.gz", "text/javascript; charset=utf-8", "gzip"},
	} {
		routes.Page("GET "+f.path, func(w http.ResponseWriter, r *http.Request) {
			body, _ := docsFiles.ReadFile(f.file) // each time: a copy would be in memory for as long as the daemon runs
			w.Header().Set("Content-Security-Policy", docsPolicy)
			serveStatic(w, r, f.contentType, f.encoding, body)
		})
	}
	routes.Page("GET /docs/token", docsToken)
}

// docsToken tells the page of /docs the token that its user has given the browser as the password, so that it is asked for once. It
// tells what the request itself has brought, to the page itself: a browser says so by a header that no page can set.
func docsToken(w http.ResponseWriter, r *http.Request) {
	_, token, ok := r.BasicAuth()
	if !ok || r.Header.Get("Sec-Fetch-Site") != "same-origin" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, token) //nolint:gosec // plain text, to the page that has sent it
}
