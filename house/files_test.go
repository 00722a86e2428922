package house

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

const maxLines = 350

// long are the files above maxLines, with the size that they had when they were last looked at. A row may shrink or go;
// a new one needs a reason that is better than "it grew".
var long = map[string]int{}

// One idea in one file: most are under 150 lines, few above 350.
func TestFileSizes(t *testing.T) {
	var sizes []int
	seen := map[string]bool{}
	for _, s := range sources(t) {
		if s.isTest() || ast.IsGenerated(s.file) {
			continue
		}
		sizes = append(sizes, s.lines)
		limit, listed := long[s.path]
		seen[s.path] = listed
		switch {
		case !listed && s.lines > maxLines:
			t.Errorf("%s has %d lines, more than %d: it holds more than one idea", s.path, s.lines, maxLines)
		case listed && s.lines > limit:
			t.Errorf("%s grew from %d to %d lines", s.path, limit, s.lines)
		case listed && s.lines <= maxLines:
			t.Errorf("%s has %d lines now: take it off the list", s.path, s.lines)
		}
	}
	for p := range long {
		if !seen[p] {
			t.Errorf("%s is on the list and not there", p)
		}
	}
	slices.Sort(sizes)
	median, p90 := sizes[len(sizes)/2], sizes[len(sizes)*9/10]
	t.Logf("%d files, lines: median %d, p90 %d, longest %d", len(sizes), median, p90, sizes[len(sizes)-1])
	if median > 150 || p90 > 300 {
		t.Errorf("lines per file: median %d of at most 150, p90 %d of at most 300", median, p90)
	}
}

// A package is named by the noun that it owns.
func TestPackageNames(t *testing.T) {
	empty := []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "shared", "base", "lib"}
	for _, s := range sources(t) {
		name := strings.TrimSuffix(s.file.Name.Name, "_test")
		if slices.Contains(empty, name) || slices.Contains(empty, path.Base(path.Dir(s.path))) {
			t.Errorf("%s: package %s says nothing of what it holds", s.path, name)
		}
	}
}

func TestEveryPackageHasOneDocComment(t *testing.T) {
	docs := map[string][]string{}
	for _, s := range sources(t) {
		folder := path.Dir(s.path)
		if _, known := docs[folder]; !known {
			docs[folder] = nil
		}
		if s.file.Doc != nil {
			docs[folder] = append(docs[folder], s.path)
		}
	}
	for folder, in := range docs {
		if len(in) != 1 {
			t.Errorf("%s: %d files have a package comment, one should: %s", folder, len(in), strings.Join(in, ", "))
		}
	}
}
