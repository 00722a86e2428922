package diff_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters/conformance"
	"github.com/ringmaster-agents/ringmaster/adapters/diff"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Proves: I10.3/diff
func TestFormat(t *testing.T) {
	line := func(sign byte, text string) diff.Line { return diff.Line{Sign: sign, Text: text} }
	change := []diff.Hunk{{OldStart: 3, NewStart: 4, Lines: []diff.Line{line(' ', "a"), line('-', "b"), line('+', "c")}}}
	const changed = "@@ -3,2 +4,2 @@\n a\n-b\n+c\n"
	for _, c := range []struct {
		name string
		file diff.File
		want string
	}{
		{"changed", diff.File{Old: "/w/x.go", New: "/w/x.go", Hunks: change}, "--- a/x.go\n+++ b/x.go\n" + changed},
		{"relative", diff.File{Old: "x.go", New: "x.go", Hunks: change}, "--- a/x.go\n+++ b/x.go\n" + changed},
		{"outside", diff.File{Old: "/wide/x.go", New: "/wide/x.go", Hunks: change}, "--- a//wide/x.go\n+++ b//wide/x.go\n" + changed},
		{"begun", diff.Begun("/w/n", "one\ntwo\n"), "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+one\n+two\n"},
		{"begun, without an end", diff.Begun("n", "one"), "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+one\n\\ No newline at end of file\n"},
		{"begun, empty", diff.Begun("n", ""), "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n"},
		{"gone", diff.Gone("n", "one\n"), "--- a/n\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n"},
		{"gone, empty", diff.Gone("n", ""), "diff --git a/n b/n\ndeleted file mode 100644\n--- a/n\n+++ /dev/null\n"},
		{"moved", diff.File{Old: "/w/x", New: "/w/y"}, "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n"},
		{"moved and changed", diff.File{Old: "x", New: "y", Hunks: change}, "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n" + changed},
		{"not told", diff.File{Old: "x", New: "x", Unknown: true}, "--- a/x\n+++ b/x\n"},
		{"not changed", diff.File{Old: "x", New: "x"}, ""},
		{"no file", diff.File{}, ""},
		{"a note", diff.File{Old: "x", New: "x", Hunks: []diff.Hunk{{Lines: change[0].Lines, Note: "every\none"}}}, "--- a/x\n+++ b/x\n@@ -0,2 +0,2 @@ every one\n a\n-b\n+c\n"},
		{"white space", diff.File{Old: "a b", New: "a b", Hunks: change}, "--- a/a b\t\n+++ b/a b\t\n" + changed},
		{"odd names", diff.File{Old: "q\"\n\\", New: "é\t", Hunks: change}, "diff --git \"a/q\\\"\\012\\\\\" \"b/é\\011\"\nrename from \"q\\\"\\012\\\\\"\nrename to \"é\\011\"\n--- \"a/q\\\"\\012\\\\\"\n+++ \"b/é\\011\"\n" + changed},
		{"what is not seen", diff.File{Old: "a\u0085\u2028\u2029b", New: "gp\u202egnp\u200b\ufeff\u00ad\xffé", Hunks: change}, "diff --git \"a/a\\302\\205\\342\\200\\250\\342\\200\\251b\" \"b/gp\\342\\200\\256gnp\\342\\200\\213\\357\\273\\277\\302\\255\xffé\"\nrename from \"a\\302\\205\\342\\200\\250\\342\\200\\251b\"\nrename to \"gp\\342\\200\\256gnp\\342\\200\\213\\357\\273\\277\\302\\255\xffé\"\n--- \"a/a\\302\\205\\342\\200\\250\\342\\200\\251b\"\n+++ \"b/gp\\342\\200\\256gnp\\342\\200\\213\\357\\273\\277\\302\\255\xffé\"\n" + changed},
		{"below, with two slashes", diff.File{Old: "/w//etc/passwd", New: "/w//etc/passwd", Hunks: change}, "--- a//w//etc/passwd\n+++ b//w//etc/passwd\n" + changed},
		{"a line that is two", diff.File{Old: "x", New: "x", Hunks: []diff.Hunk{{OldStart: 1, NewStart: 1, Lines: []diff.Line{line('-', "a\n--- b")}}}}, "--- a/x\n+++ b/x\n@@ -1 +1,0 @@\n-a --- b\n"},
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

// Diffs of other hands.
func TestRewrite(t *testing.T) {
	const want = "--- a/src/x\n+++ b/src/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	const hunk = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
	for _, c := range []struct{ name, text, want string }{
		{"plain", "--- src/x\n+++ src/x\n" + hunk, want},
		{"of git", "diff --git a/src/x b/src/x\nindex 1..2 100644\n--- a/src/x\n+++ b/src/x\n" + hunk, want},
		{"with an index", "Index: /w/src/x\n=====\n--- /w/src/x\t\n+++ /w/src/x\t\n" + hunk, want},
		{"with dates", "--- src/x\t2026-01-01 00:00:00\n+++ src/x\t2026-01-01\n" + hunk, want},
		{"ones written out", "--- src/x\n+++ src/x\n@@ -7,1 +7,1 @@ func f()\n-b\n+c\n", "--- a/src/x\n+++ b/src/x\n@@ -7 +7 @@ func f()\n-b\n+c\n"},
		{"blanks taken away", "--- x\n+++ x\n@@ -1,3 +1,2 @@\n\n-b\n\n", "--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n \n-b\n \n"},
		{"a line like a head", "--- x\n+++ x\n@@ -1,2 +1,2 @@\n--- y\n+++ y\n a\n", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- y\n+++ y\n a\n"},
		{"moved by git", "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n" + "diff --git a/src/x b/src/x\n--- a/src/x\n+++ b/src/x\n" + hunk, want + "diff --git a/x b/y\nrename from x\nrename to y\n--- a/x\n+++ b/y\n"},
		{"empty by git", "diff --git a/n b/n\nnew file mode 100644\nindex 0..e\ndiff --git a/m b/m\ndeleted file mode 100644\nindex e..0\n", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\ndiff --git a/m b/m\ndeleted file mode 100644\n--- a/m\n+++ /dev/null\n"},
		{"folders a and b", "--- a/x\n+++ a/x\n" + hunk, "--- a/a/x\n+++ b/a/x\n" + hunk},
		{"two files", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"},
		{"lines are missing", "--- x\n+++ x\n@@ -1,9 +1,2 @@\n a\n", ""},
		{"lines behind those that it says", "--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n+c\n", ""},
		{"a mail of git's", "--- x\n+++ x\n@@ -7 +7 @@\n-b\n+c\n-- \n2.43.0\n", "--- a/x\n+++ b/x\n@@ -7 +7 @@\n-b\n+c\n"},
		{"another sign", "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n*b\n", ""},
		{"a hunk of no file", hunk, ""},
		{"odd numbers", "--- x\n+++ x\n@@ -1,-2 +1,2 @@\n a\n", ""},
		{"none", "hello\n--- x\n", ""},
		{"", "", ""},
	} {
		if got := diff.Rewrite(c.text, "/w"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestSet(t *testing.T) {
	var d protocol.ToolCallData
	diff.Set(&d, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-aaaa\n+b\n", 33)
	if d.Diff != "--- a/x\n+++ b/x\n@@ -1 +1 @@\n" || len(d.Extra) != 2 || d.Extra[0].Key != "diffTruncated" || string(d.Extra[1].Value) != "37" {
		t.Errorf("%q, %+v", d.Diff, d.Extra)
	}
	d = protocol.ToolCallData{}
	if diff.Set(&d, "--- a/x\n", 8); d.Diff != "--- a/x\n" || d.Extra != nil {
		t.Errorf("%q, %+v", d.Diff, d.Extra)
	}
}

// tree is a folder's files.
type tree map[string]string

// between makes the changes from one tree to another: every line of a file that changed, in hunks with some context. moves are files
// that have a new name.
func between(before, after tree, moves map[string]string) (files []diff.File) {
	for _, path := range slices.Sorted(maps.Keys(before)) {
		text, to := before[path], path
		if moves[path] != "" {
			to = moves[path]
		}
		now, stays := after[to]
		switch {
		case !stays:
			files = append(files, diff.Gone(path, text))
		case text != now || to != path:
			files = append(files, diff.File{Old: path, New: to, Hunks: conformance.Compare(text, now)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		_, was := before[path]
		if !was && !slices.Contains(slices.Collect(maps.Values(moves)), path) {
			files = append(files, diff.Begun(path, after[path]))
		}
	}
	return files
}

// text is some lines, often without an end.
func text(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		fmt.Fprintf(&b, "%s%d\n", []string{"", " ", "-", "--- ", "+++ x", "@@ -1 +1 @@", "\\ No", "\t", "diff --git a/x b/x", "é"}[r.IntN(10)], r.IntN(5))
	}
	return strings.TrimSuffix(b.String(), []string{"", "\n"}[r.IntN(2)])
}

// edited is a text with some lines taken out, put in or changed.
func edited(r *rand.Rand, s string) string {
	lines := strings.SplitAfter(s, "\n")
	for range 1 + r.IntN(3) {
		at := r.IntN(len(lines))
		switch r.IntN(3) {
		case 0:
			lines = slices.Delete(lines, at, min(len(lines), at+1+r.IntN(2)))
		case 1:
			lines = slices.Insert(lines, at, fmt.Sprintf("new %d\n", r.IntN(9)))
		default:
			lines[at] = "other\n"
		}
		if len(lines) == 0 {
			return ""
		}
	}
	return strings.Join(lines, "")
}

// TestApplies: git apply and patch make of the old files the new ones.
// Proves: I10.3/diff
func TestApplies(t *testing.T) {
	git, _ := exec.LookPath("git")
	patch, _ := exec.LookPath("patch")
	if git == "" && patch == "" {
		t.Skip("neither git nor patch is installed")
	}
	const rounds = 60
	applied := map[string]int{}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 7))
		before, after, moves := tree{}, tree{}, map[string]string{}
		names := []string{"plain.txt", "src/a b.go", "sub/über", "back\\slash", "quo\"te", "a/b", "long.txt"}
		for i, name := range names {
			was := text(r, 12+i*8)
			switch r.IntN(6) {
			case 0:
				after[name] = was // begins
			case 1:
				before[name] = was // ends
			case 2:
				before[name] = was
				if moves[name] = "moved/" + name; r.IntN(2) == 0 && was != "" {
					was = edited(r, was+"\n")
					before[name] += "\n"
				}
				after[moves[name]] = was
			default:
				before[name], after[name] = was, edited(r, was)
			}
		}
		for name, was := range before { // patch(1) takes a file that becomes empty for one that ends
			if now, stays := after[name]; stays && (was == "") != (now == "") {
				delete(before, name)
				delete(after, name)
			}
		}
		files := between(before, after, moves)
		text := diff.Format(files, "")
		for _, with := range []struct {
			program string
			args    []string
		}{{git, []string{"apply", "--whitespace=nowarn", "-"}}, {patch, []string{"-p1", "-s", "--no-backup-if-mismatch"}}} {
			if with.program == "" || with.program == patch && slices.ContainsFunc(files, func(f diff.File) bool { return len(f.Hunks) == 0 }) {
				continue // patch(1) knows no files that are empty when they end
			}
			dir := t.TempDir()
			before.lay(t, dir)
			cmd := exec.Command(with.program, with.args...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(text)
			cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
			if out, err := cmd.CombinedOutput(); text != "" && err != nil {
				t.Fatalf("seed %d: %s: %v\n%s\n%s", seed, with.program, err, out, text)
			}
			if got := read(t, dir); !maps.Equal(got, after) {
				t.Fatalf("seed %d: %s made %q, want %q of %q by\n%s", seed, with.program, got, after, before, text)
			}
			applied[filepath.Base(with.program)]++
		}
		if got := diff.Rewrite(text, ""); got != text {
			t.Fatalf("seed %d: read and written again:\n%s\nwas\n%s", seed, got, text)
		}
	}
	t.Logf("applied: %v", applied)
}

func (f tree) lay(t *testing.T, dir string) {
	for name, text := range f {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dir string) tree {
	f := tree{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		f[strings.TrimPrefix(path, dir+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// FuzzRead: whatever an agent calls a diff, what is written of it is in the form, and read as the same.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"--- a\n+++ b\n@@ -1 +1 @@\n-a\n+b\n", "diff --git a/x b/y\nrename from x\nrename to y\n", "--- \"a\\\"\\011\"\n+++ /dev/null\n",
		"diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n", "@@ -0,0 +1,99999999999 @@\n",
	} {
		f.Add(s, "/w")
	}
	f.Fuzz(func(t *testing.T, text, cwd string) {
		once := diff.Rewrite(text, cwd)
		if again := diff.Rewrite(once, ""); once != "" && again != once {
			t.Errorf("%q becomes %q, and that %q", text, once, again)
		}
		if _, ok := diff.Hunks(text); ok && strings.Count(text, "@@") == 0 {
			t.Errorf("hunks in %q", text)
		}
	})
}
