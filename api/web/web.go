// Package web serves the page (spec §7.15): files that are the same for everybody and hold no secret. Whoever opens the page is nobody until it has
// traded a code for a token.
//
// What the page reads of the daemon, its worker keeps in the browser; sw.js keeps the page's own files there, so that it opens while no daemon runs.
package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/api/guard"
	"github.com/ringmaster-agents/ringmaster/api/operation"
)

//go:embed dist
var files embed.FS

// policy lets the page have its own scripts, styles and images, and speak to this daemon alone. What agents say can become no script: under
// Trusted Types a text is none without the policy "ringmaster", which takes no texts of theirs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' blob:; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ringmaster"

// forEver is for what has its hash in its name.
const forEver = "public, max-age=31536000, immutable"

// file is one that is served as it is.
type file struct {
	media string
	cache string // Cache-Control; empty: as everywhere
	name  string // of what is in the program as it is served: a copy would be in memory for as long as the daemon runs; "": body is
	body  []byte
}

// Serve puts the page onto the routes.
func Serve(routes *guard.Routes) error {
	assets, places, err := hashed("page.css", "page.js", "worker.js", "icon.svg")
	if err != nil {
		return err
	}
	if err := addParts(assets); err != nil {
		return err
	}
	names := strings.NewReplacer(append(places, "{assets}", addresses(assets))...)
	routes.Static("GET /assets/{name}", numeric(func(w http.ResponseWriter, r *http.Request) {
		f, ok := assets[r.PathValue("name")]
		if !ok {
			operation.WriteProblem(w, guard.NoPath().Problem)
			return
		}
		f.serve(w)
	}))
	for name, media := range map[string]string{
		"sw.js": "text/javascript; charset=utf-8", "manifest.webmanifest": "application/manifest+json",
	} {
		text, err := read(name, names)
		if err != nil {
			return err
		}
		routes.Static("GET /"+name, numeric(func(w http.ResponseWriter, _ *http.Request) { file{media: media, body: text}.serve(w) }))
	}
	text, err := read("index.html", names)
	if err != nil {
		return err
	}
	page := document(text)
	for _, pattern := range []string{"GET /{$}", "GET /inbox", "GET /s/{id}", "GET /s/{id}/{rest...}"} {
		routes.Landing(pattern, page)
	}
	return nil
}

// hashed reads files that are served under a name with their hash, by that name. places has what other files call them by, and where they are.
func hashed(list ...string) (byName map[string]file, places []string, err error) {
	media := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
	byName = map[string]file{}
	for _, name := range list {
		body, err := files.ReadFile("dist/" + name)
		if err != nil {
			return nil, nil, err
		}
		sum := sha256.Sum256(body)
		full := hex.EncodeToString(sum[:8]) + "-" + name
		_, ending, _ := strings.Cut(name, ".")
		byName[full] = file{media: media[ending], cache: forEver, name: name}
		places = append(places, "{"+name+"}", "/assets/"+full)
	}
	return byName, places, nil
}

// addresses are all files with a hash in their name: what the page must have while no daemon runs, its parts also.
func addresses(byName map[string]file) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, "/assets/"+name)
	}
	return strings.Join(all, " ")
}

// addParts adds the parts of the script that are loaded when a view is first opened. The build has put their hashes into their names, by which
// they name each other.
func addParts(byName map[string]file) error {
	entries, err := files.ReadDir("dist")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "part-") {
			byName[e.Name()] = file{media: "text/javascript; charset=utf-8", cache: forEver, name: e.Name()}
		}
	}
	return nil
}

// read reads a file that names others.
func read(name string, names *strings.Replacer) ([]byte, error) {
	text, err := files.ReadFile("dist/" + name)
	return []byte(names.Replace(string(text))), err
}

func (f file) serve(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Type", f.media)
	if f.cache != "" {
		h.Set("Cache-Control", f.cache)
	}
	if f.name != "" {
		f.body, _ = files.ReadFile("dist/" + f.name) // it is there: its name was found
	}
	_, _ = w.Write(f.body)
}
