package diff_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// What is told of a change gives a diff that says no more than was told.
func TestMake(t *testing.T) {
	for _, c := range []struct {
		name string
		file diff.File
		want string
	}{
		{"between", diff.Between("/w/x", "a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n"), "--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"},
		{"between, without an end", diff.Between("x", "a", "a\n"), "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"between, all of it", diff.Between("x", "a\n", ""), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n"},
		{"between the same", diff.Between("x", "a\n", "a\n"), ""},
		{"written", diff.Written("/w/x", "a\nb"), "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@ the whole file\n+a\n+b\n"},
		{"written, and empty", diff.Written("/w/x", ""), ""},
		{"replaced", diff.Replaced("x", []diff.Passage{{Old: "a\nb", New: "a\nc"}, {Old: "x", New: "y", Every: true}}), "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ of a passage\n a\n-b\n+c\n@@ -1 +1 @@ of every such passage\n-x\n+y\n"},
		{"taken out", diff.Replaced("x", []diff.Passage{{Old: "a\nb"}}), "--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@ of a passage\n-a\n-b\n"},
		{"put in", diff.Replaced("x", []diff.Passage{{New: "a"}}), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@ of a passage\n+a\n"},
		{"an end is put in", diff.Replaced("x", []diff.Passage{{Old: "a", New: "a\n"}}), "--- a/x\n+++ b/x\n@@ -1 +1 @@ of a passage\n-a\n\\ No newline at end of file\n+a\n"},
		{"nothing is replaced", diff.Replaced("x", []diff.Passage{{Old: "a", New: "a"}}), ""},
	} {
		got := diff.Format([]diff.File{c.file}, "/w")
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if got != "" && diff.Rewrite(got, "/w") != got {
			t.Errorf("%s: read and written again:\n%s", c.name, diff.Rewrite(got, "/w"))
		}
	}
}

func TestAsk(t *testing.T) {
	const text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-é\n+b\n"
	for limit := range len(text) + 2 {
		var q protocol.RequestOpened
		diff.Ask(&q, text, limit)
		switch {
		case limit >= len(text):
			if q.Diff != text || q.DiffTruncated || q.DiffBytes != 0 {
				t.Errorf("%d: %+v", limit, q)
			}
		case q.Diff == "" && !q.DiffTruncated && q.DiffBytes == 0 && limit < len("--- a/x\n"):
		case !strings.HasPrefix(text, q.Diff) || !strings.HasSuffix(q.Diff, "\n") || len(q.Diff) > limit || !q.DiffTruncated || q.DiffBytes != int64(len(text)):
			t.Errorf("%d: %+v", limit, q)
		}
	}
}

// FuzzBetween: whatever two texts are, the diff between them makes one into the other, and it is in the form.
func FuzzBetween(f *testing.F) {
	for _, s := range [][2]string{
		{"a\nb\n", "a\nc\n"},
		{"", "a"},
		{"a", ""},
		{"a", "a\n"},
		{"\n\n\n", "\n"},
		{"x\r\ny", "x\ny\r"},
		{"\\ No newline at end of file", "\\ No newline at end of file\n"},
		{"--- a\n+++ b\n@@ -1 +1 @@\n", "@@ -1 +1 @@\n--- a\n"},
		{"a\x00\xff\n", "a\xff\x00"},
		{strings.Repeat("a\nb\n", 50), strings.Repeat("b\na\n", 50)},
	} {
		f.Add(s[0], s[1])
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		was := text(r, 60)
		f.Add(was, edited(r, was))
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		change := diff.Between("x", before, after)
		if got, err := conformance.Patched(before, change.Hunks); err != nil || got != after {
			t.Errorf("%q and %q: %q, %v by %+v", before, after, got, err, change.Hunks)
		}
		if len(change.Hunks) == 0 != (before == after) {
			t.Errorf("%q and %q: %d hunks", before, after, len(change.Hunks))
		}
		written := diff.Format([]diff.File{change}, "")
		if again := diff.Rewrite(written, ""); again != written {
			t.Errorf("%q is read as %q", written, again)
		}
		passage := diff.Format([]diff.File{diff.Replaced("x", []diff.Passage{{Old: before, New: after}})}, "")
		if (passage == "") != (before == after) || diff.Rewrite(passage, "") != passage {
			t.Errorf("the passage %q and %q: %q", before, after, passage)
		}
	})
}

// Texts that would take a comparison of each line with each line for hours take a moment.
func TestBetweenOfLongTexts(t *testing.T) {
	const lines = 49_000 // of each
	var a, b strings.Builder
	r := rand.New(rand.NewPCG(3, 4))
	for i := range lines { // few different lines, so that each has very many partners
		a.WriteString([]string{"}\n", "\n", "x\n"}[r.IntN(3)])
		b.WriteString([]string{"}\n", "\n", "x\n"}[r.IntN(3)])
		if i%200 == 0 {
			a.WriteString("at " + strings.Repeat("i", i/200) + "\n")
			b.WriteString("at " + strings.Repeat("i", i/200) + "\n")
		}
	}
	before, after := a.String(), b.String()
	if got, err := conformance.Patched(before, diff.Between("x", before, after).Hunks); err != nil || got != after {
		t.Errorf("it makes another text, %v", err)
	}
}

// A text that is written is as cheap as its diff is long, and longer ones than can be compared in a moment have no diff. What would be worked on is counted
// in bytes of memory: time says little on a machine that has other work.
func TestLongTextsAreCheap(t *testing.T) {
	const size = 8 << 20
	long := strings.Repeat("\n", size)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	var q protocol.RequestOpened
	for name, file := range map[string]func() diff.File{
		"written": func() diff.File { return diff.Written("x", long) },
		"begun":   func() diff.File { return diff.Begun("x", long) },
		"gone":    func() diff.File { return diff.Gone("x", long) },
	} {
		text := ""
		if n := allocated(func() { text = diff.Format([]diff.File{file()}, "") }); n > 8*size {
			t.Errorf("%s: %d MiB for a text of %d", name, n>>20, size>>20)
		}
		if diff.Ask(&q, text, 1000); q.DiffBytes != int64(len(text)) || !q.DiffTruncated || len(text) < 2*size || len(text) > 2*size+100 {
			t.Errorf("%s: %d of %d bytes", name, q.DiffBytes, len(text))
		}
	}
	wide := strings.Repeat("x", 2<<20)
	for name, file := range map[string]func() diff.File{
		"many lines": func() diff.File { return diff.Between("x", long[:60_000], "a"+long[:60_000]) },
		"long":       func() diff.File { return diff.Between("x", wide, wide+"\n") },
		"a passage": func() diff.File {
			return diff.Replaced("x", []diff.Passage{{Old: "a", New: "b"}, {Old: "a", New: wide}})
		},
		"many long enough": func() diff.File {
			return diff.Replaced("x", slices.Repeat([]diff.Passage{{Old: "a", New: wide[:100_000]}}, 30))
		},
	} {
		text := ""
		if n := allocated(func() { text = diff.Format([]diff.File{file()}, "") }); text != "" || n > 8<<20 {
			t.Errorf("%s: %d bytes of a diff, %d MiB", name, len(text), n>>20)
		}
	}
}
