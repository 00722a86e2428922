package api

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// page asks for something as a browser's address line does, and follows nothing.
func (h *harness) page(path string, header ...string) reply {
	h.t.Helper()
	r := h.request("GET", path, "", append([]string{"Authorization", "", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}, header...)...)
	res, err := h.http.Transport.RoundTrip(r)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return reply{res, body}
}

const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self'; img-src 'self' blob:; " +
	"manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types ringmaster"

// TestPageIsTheSameForEverybody: the page needs no token, sets no cookie, and may load and be shown nowhere else. What it is made of is kept by its hash.
//
// Proves: I13.9/page
func TestPageIsTheSameForEverybody(t *testing.T) {
	h := newHarness(t)
	seen := map[string]bool{}
	look := func(path, media, cache string) reply {
		t.Helper()
		r := h.page(path)
		head := r.Header
		if seen[path] = true; r.StatusCode != http.StatusOK || head.Get("Content-Type") != media || head.Get("Cache-Control") != cache {
			t.Errorf("%s: %d %v", path, r.StatusCode, head)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": pagePolicy, "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "Set-Cookie": "", "Access-Control-Allow-Origin": "",
		} {
			if got := strings.Join(head.Values(name), "|"); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if again := h.page(path, "Authorization", "Bearer "+testToken); string(again.body) != string(r.body) || strings.Contains(string(r.body), testToken) {
			t.Errorf("%s: with a token it is another page", path)
		}
		return r
	}
	const html = "text/html; charset=utf-8"
	document := look("/", html, "no-store")
	for _, path := range []string{"/s/" + missingID, "/s/" + missingID + "/e/e1", "/s/x?at=1.7"} {
		if r := look(path, html, "no-store"); string(r.body) != string(document.body) {
			t.Errorf("%s is another document", path)
		}
	}
	manifest := look("/manifest.webmanifest", "application/manifest+json", "no-store")
	worker := look("/sw.js", "text/javascript; charset=utf-8", "no-store")
	media := map[string]string{"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml"}
	for _, asset := range regexp.MustCompile(`/assets/[0-9a-f]{16}-\w+\.(\w+)`).FindAllStringSubmatch(string(document.body)+string(manifest.body), -1) {
		look(asset[0], media[asset[1]], "public, max-age=31536000, immutable")
		if !strings.Contains(string(worker.body), asset[0]) {
			t.Errorf("the service worker does not keep %s", asset[0])
		}
	}
	if len(seen) != 4+2+4 {
		t.Errorf("looked at %v", seen)
	}
	script := h.page(regexp.MustCompile(`/assets/[0-9a-f]{16}-page\.js`).FindString(string(document.body)))
	parts := regexp.MustCompile(`\./(part-[0-9A-Z]{8}\.js)`).FindAllStringSubmatch(string(script.body), -1)
	if len(parts) == 0 {
		t.Error("the script has no parts that are loaded later")
	}
	for _, part := range parts {
		look("/assets/"+part[1], media["js"], "public, max-age=31536000, immutable")
	}
	if text := string(document.body) + string(manifest.body); regexp.MustCompile(`\{[a-z.]+\}|https?:|\son\w+=|<style|style=`).MatchString(text) {
		t.Errorf("the document has a place that is not filled, or something that its policy forbids: %s", text)
	}
	for _, path := range []string{"/assets/0000000000000000-page.js", "/assets/page.js", "/assets", "/s", "/s/", "/index.html", "/favicon.ico"} {
		if r := h.page(path); r.StatusCode != http.StatusNotFound || r.code() != protocol.CodeNotFound {
			t.Errorf("%s: %d %s", path, r.StatusCode, r.body)
		}
	}
}

// TestPageIsForBrowsers: a program that asks for no HTML finds nothing at /, as before there was a page.
func TestPageIsForBrowsers(t *testing.T) {
	h := newHarness(t)
	for _, path := range []string{"/", "/s/x"} {
		for _, accept := range []string{"", "*/*", "application/json", "text/plain"} {
			if r := h.page(path, "Accept", accept); r.StatusCode != http.StatusNotFound || r.code() != protocol.CodeNotFound || !strings.Contains(string(r.body), "openapi.json") {
				t.Errorf("%s for %q: %d %s", path, accept, r.StatusCode, r.body)
			}
		}
		if r := h.page(path, "Accept", "text/html"); r.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}

// TestPageHasOneName: localhost leads to the address, with all of the path and the query. A browser keeps the fragment by itself.
//
// Proves: I13.9/name
func TestPageHasOneName(t *testing.T) {
	h := newHarness(t)
	port := h.base[strings.LastIndexByte(h.base, ':'):]
	for _, path := range []string{"/", "/s/x", "/s/a%2Fb/e/e1?at=1.7&x=%20", "/sw.js", "/manifest.webmanifest"} {
		for _, name := range []string{"localhost", "LOCALHOST"} {
			r := h.page(path, "Host", name+port)
			if r.StatusCode != http.StatusTemporaryRedirect || r.Header.Get("Location") != "http://127.0.0.1"+port+path {
				t.Errorf("%s at %s: %d to %q", path, name, r.StatusCode, r.Header.Get("Location"))
			}
		}
		if r := h.page(path, "Host", "127.0.0.1"+port); r.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if r := h.page("/", "Host", "localhost"+port, "Accept", "application/json"); r.StatusCode != http.StatusNotFound {
		t.Errorf("a program is led away: %d", r.StatusCode)
	}
	if r := h.page("/health", "Host", "localhost"+port); r.StatusCode != http.StatusOK {
		t.Errorf("the API is led away: %d", r.StatusCode)
	}
	if r := h.page("/", "Host", "localhost:1"); r.StatusCode != http.StatusForbidden {
		t.Errorf("another port: %d", r.StatusCode)
	}
}

// TestPageKnowsStrangersLinks: where a link of another site has led to the page, the document says so, and the page trades no code unasked.
//
// Proves: I13.9/links
func TestPageKnowsStrangersLinks(t *testing.T) {
	h := newHarness(t)
	for site, want := range map[string]bool{"": false, "none": false, "same-origin": false, "same-site": true, "cross-site": true} {
		r := h.page("/s/x", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document")
		if got := strings.Contains(string(r.body), `<html data-arrived="elsewhere" lang="en">`); r.StatusCode != http.StatusOK || got != want {
			t.Errorf("%q: %d, said %v", site, r.StatusCode, got)
		}
	}
	for _, header := range [][]string{{"Sec-Fetch-Mode", "cors"}, {"Sec-Fetch-Dest", "iframe"}, {"Origin", "https://evil.example"}} {
		if r := h.page("/", append([]string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, header...)...); r.StatusCode != http.StatusForbidden {
			t.Errorf("%v: %d", header, r.StatusCode)
		}
	}
}
