package api

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeHasTheRoutes: each path of the description has its place in README.md, in full or, below a session, behind "…".
func TestReadmeHasTheRoutes(t *testing.T) {
	h := newHarness(t)
	b, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	parameter := regexp.MustCompile(`\{\w+\}`)
	readme := parameter.ReplaceAllString(string(b), "{}")
	paths, _ := dig(readJSON(t, specsOf(t, h.api)["openapi.json"]), "paths").(object)
	for path := range paths {
		plain := parameter.ReplaceAllString(path, "{}")
		short := strings.Replace(plain, "/sessions/{}/", "…/", 1)
		if !regexp.MustCompile("(" + regexp.QuoteMeta(plain) + "|" + regexp.QuoteMeta(short) + ")[`?]").MatchString(readme) {
			t.Errorf("README.md has no row for %s", path)
		}
	}
	if len(paths) < 25 {
		t.Errorf("only %d paths", len(paths))
	}
}
