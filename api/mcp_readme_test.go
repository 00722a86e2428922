package api

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeHasTheTools: each tool has its place in the table, and no other name.
func TestReadmeHasTheTools(t *testing.T) {
	h := newHarness(t)
	b, err := os.ReadFile("mcp/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), "| tool | what it does |")
	table, _, _ := strings.Cut(rest, "\n\n")
	rows := map[string]bool{}
	for _, line := range strings.Split(table, "\n") {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		for _, name := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(first, -1) {
			rows[name[1]] = true
		}
	}
	tools := h.connect(newEra).tools()
	for name := range tools {
		if !rows[name] {
			t.Errorf("mcp/README.md has no row for %s", name)
		}
	}
	for name := range rows {
		if _, is := tools[name]; !is {
			t.Errorf("mcp/README.md has a row for %s, which is no tool", name)
		}
	}
}
