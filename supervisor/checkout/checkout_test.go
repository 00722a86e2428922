package checkout_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/supervisor/checkout"
)

var (
	one   = strings.Repeat("1a", 20)
	two   = strings.Repeat("2b", 20)
	sha32 = strings.Repeat("3c", 32)
)

// lay writes files, given by path and text; "-> TARGET" is a link, and a path that ends with a slash a folder.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		text = strings.ReplaceAll(text, "$DIR", dir)
		target, link := strings.CutPrefix(text, "-> ")
		switch {
		case strings.HasSuffix(name, "/"):
			err = os.MkdirAll(path, 0o755)
		case link:
			err = os.Symlink(target, path)
		case text == "pipe":
			err = syscall.Mkfifo(path, 0o644)
		default:
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func resolved(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOf(t *testing.T) {
	branch := func(name string) string { return "ref: refs/heads/" + name + "\n" }
	for _, c := range []struct {
		name  string
		files map[string]string
		at    string // below the folder; empty: open/w
		want  checkout.Head
	}{
		{"none", map[string]string{"open/w/": ""}, "", checkout.Head{}},
		{"a branch", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/refs/heads/main": one + "\n"}, "", checkout.Head{Branch: "main", Commit: one}},
		{"with slashes", map[string]string{"open/w/.git/HEAD": branch("a/b/c"), "open/w/.git/refs/heads/a/b/c": one}, "", checkout.Head{Branch: "a/b/c", Commit: one}},
		{"in other words", map[string]string{"open/w/.git/HEAD": "ref:refs/heads/ä日\r\n", "open/w/.git/refs/heads/ä日": one}, "", checkout.Head{Branch: "ä日", Commit: one}},
		{"long hashes", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/refs/heads/main": sha32}, "", checkout.Head{Branch: "main", Commit: sha32}},
		{"detached", map[string]string{"open/w/.git/HEAD": one + "\n"}, "", checkout.Head{Commit: one}},
		{"no commit yet", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/refs/": ""}, "", checkout.Head{Branch: "main"}},
		{"packed", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/packed-refs": "# pack-refs with: peeled\n" + two + " refs/heads/mai\n" + one + " refs/heads/main\n^" + two + "\n"}, "", checkout.Head{Branch: "main", Commit: one}},
		{"packed and newer", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/packed-refs": two + " refs/heads/main\n", "open/w/.git/refs/heads/main": one}, "", checkout.Head{Branch: "main", Commit: one}},
		{"a name of another", map[string]string{"open/w/.git/HEAD": branch("alias"), "open/w/.git/refs/heads/alias": branch("main"), "open/w/.git/refs/heads/main": one}, "", checkout.Head{Branch: "alias", Commit: one}},
		{"in a circle", map[string]string{"open/w/.git/HEAD": branch("a"), "open/w/.git/refs/heads/a": branch("b"), "open/w/.git/refs/heads/b": branch("a")}, "", checkout.Head{Branch: "a"}},
		{"no branch", map[string]string{"open/w/.git/HEAD": "ref: refs/remotes/o/main\n", "open/w/.git/refs/remotes/o/main": one}, "", checkout.Head{Commit: one}},
		{"below", map[string]string{"open/w/.git/HEAD": one, "open/w/a/b/c/": ""}, "open/w/a/b/c", checkout.Head{Commit: one}},
		{"around the root", map[string]string{".git/HEAD": one, "open/w/": ""}, "", checkout.Head{Commit: one}},
		{"an empty .git below another", map[string]string{"open/.git/HEAD": one, "open/w/.git/": ""}, "", checkout.Head{Commit: one}},
		{"a work tree", map[string]string{
			"open/main/.git/HEAD": branch("main"), "open/main/.git/refs/heads/topic": one, "open/main/.git/worktrees/w/HEAD": branch("topic"),
			"open/main/.git/worktrees/w/commondir": "../..\n", "open/w/.git": "gitdir: $DIR/open/main/.git/worktrees/w\n",
		}, "", checkout.Head{Branch: "topic", Commit: one}},
		{"a work tree of a repository outside, which knows it", map[string]string{
			"main/.git/packed-refs": one + " refs/heads/topic\n", "main/.git/worktrees/w/HEAD": branch("topic"), "main/.git/worktrees/w/gitdir": "$DIR/open/w/.git\n",
			"main/.git/worktrees/w/commondir": "../..\n", "open/w/.git": "gitdir: $DIR/main/.git/worktrees/w\n",
		}, "", checkout.Head{Branch: "topic", Commit: one}},
		{"a work tree of a repository outside, which knows another", map[string]string{
			"main/.git/packed-refs": one + " refs/heads/topic\n", "main/.git/worktrees/w/HEAD": branch("topic"), "main/.git/worktrees/w/gitdir": "$DIR/elsewhere/.git\n",
			"main/.git/worktrees/w/commondir": "../..\n", "open/w/.git": "gitdir: $DIR/main/.git/worktrees/w\n", "elsewhere/": "",
		}, "", checkout.Head{}},
		{"a submodule", map[string]string{
			"open/.git/modules/w/HEAD": branch("main"), "open/.git/modules/w/refs/heads/main": one, "open/w/.git": "gitdir: ../.git/modules/w\n", "open/.git/HEAD": two,
		}, "", checkout.Head{Branch: "main", Commit: one}},
		{"a stranger's repository, named by a file", map[string]string{"other/.git/HEAD": branch("secret"), "open/w/.git": "gitdir: $DIR/other/.git\n"}, "", checkout.Head{}},
		{"a stranger's repository, by a link", map[string]string{"other/.git/HEAD": branch("secret"), "open/w/.git": "-> $DIR/other/.git"}, "", checkout.Head{}},
		{"one's own, by a link", map[string]string{"open/other/.git/HEAD": branch("main"), "open/w/.git": "-> ../other/.git"}, "", checkout.Head{Branch: "main"}},
		{"a stranger's references", map[string]string{
			"other/.git/refs/heads/main": two, "open/w/.git/HEAD": branch("main"), "open/w/.git/commondir": "$DIR/other/.git\n",
		}, "", checkout.Head{}},
		{"a stranger's reference, by a link", map[string]string{
			"other/.git/refs/heads/main": two, "open/w/.git/HEAD": branch("main"), "open/w/.git/refs/heads/main": "-> $DIR/other/.git/refs/heads/main",
		}, "", checkout.Head{Branch: "main"}},
		{"a stranger's HEAD, by a link", map[string]string{"other/HEAD": branch("secret"), "open/w/.git/HEAD": "-> $DIR/other/HEAD"}, "", checkout.Head{}},
		{"upwards out of the repository", map[string]string{"open/secret": one, "open/w/.git/HEAD": "ref: refs/heads/../../../secret\n"}, "", checkout.Head{}},
		{"another file for HEAD", map[string]string{"open/w/.git/HEAD": "user:x:0:0\n"}, "", checkout.Head{}},
		{"another file for a reference", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/refs/heads/main": "password\n"}, "", checkout.Head{Branch: "main"}},
		{"a hash with capitals", map[string]string{"open/w/.git/HEAD": strings.ToUpper(one)}, "", checkout.Head{}},
		{"control characters", map[string]string{"open/w/.git/HEAD": "ref: refs/heads/a\x1b[2Jb\n"}, "", checkout.Head{}},
		{"reference tables", map[string]string{"open/w/.git/HEAD": branch(".invalid"), "open/w/.git/reftable/tables.list": ""}, "", checkout.Head{}},
		{"a long name", map[string]string{"open/w/.git/HEAD": branch(strings.Repeat("n", 1100))}, "", checkout.Head{}},
		{"a long file", map[string]string{"open/w/.git/HEAD": branch("main") + strings.Repeat("\n", 9000)}, "", checkout.Head{}},
		{"a pipe for HEAD", map[string]string{"open/w/.git/HEAD": "pipe"}, "", checkout.Head{}},
		{"a pipe for .git", map[string]string{"open/w/.git": "pipe"}, "", checkout.Head{}},
		{"a pipe for a reference", map[string]string{"open/w/.git/HEAD": branch("main"), "open/w/.git/refs/heads/main": "pipe", "open/w/.git/packed-refs": "pipe"}, "", checkout.Head{Branch: "main"}},
		{"a file .git of other words", map[string]string{"open/w/.git": "hello\n", "open/.git/HEAD": one}, "", checkout.Head{}},
		{"a file .git that names nothing", map[string]string{"open/w/.git": "gitdir: ../gone\n"}, "", checkout.Head{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := resolved(t)
			lay(t, dir, c.files)
			at := c.at
			if at == "" {
				at = "open/w"
			}
			if got := checkout.Of(filepath.Join(dir, at), []string{filepath.Join(dir, "open")}); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestAsGit: what is told is what git itself says, in repositories that git has made.
func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := resolved(t)
	home := resolved(t)
	git := func(in string, args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{
			"-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main",
		}, args...)...)
		cmd.Dir, cmd.Env = filepath.Join(dir, in), append(os.Environ(), "HOME="+home, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
		out, err := cmd.Output()
		if err != nil && args[0] != "rev-parse" && args[0] != "symbolic-ref" {
			t.Fatalf("git %v: %v", args, err)
		}
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	lay(t, dir, map[string]string{"main/": "", "sub/": "", "plain/": ""})
	git("sub", "init", "-q")
	git("sub", "commit", "-q", "--allow-empty", "-m", "one")
	git("main", "init", "-q")
	places := []string{"main", "plain"}
	compare := func(when string) {
		t.Helper()
		for _, in := range places {
			want := checkout.Head{Branch: git(in, "symbolic-ref", "-q", "--short", "HEAD"), Commit: git(in, "rev-parse", "-q", "--verify", "HEAD")}
			if got := checkout.Of(filepath.Join(dir, in), []string{dir}); got != want {
				t.Errorf("%s, in %s: got %+v, git says %+v", when, in, got, want)
			}
		}
	}
	compare("without a commit")
	git("main", "commit", "-q", "--allow-empty", "-m", "one")
	compare("with one")
	lay(t, dir, map[string]string{"main/a/b/": ""})
	git("main", "worktree", "add", "-q", "-b", "topic/x", "../tree")
	git("main", "worktree", "add", "-q", "--detach", "../loose")
	git("main", "submodule", "add", "-q", "../sub", "part/sub")
	places = append(places, "main/a/b", "tree", "loose", "main/part/sub", "sub")
	compare("with work trees and a submodule")
	for i := range 3 {
		git("tree", "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
	}
	git("main", "tag", "-a", "v1", "-m", "x")
	git("main", "pack-refs", "--all")
	compare("packed")
	git("main", "commit", "-q", "-m", "more", "--allow-empty")
	git("main", "checkout", "-q", "v1")
	compare("at a tag")
	git("main", "checkout", "-q", "-b", "näme/with-ü", "main")
	git("main", "branch", "-m", "main", "trunk")
	compare("renamed")
	git("main", "checkout", "-q", "--orphan", "new")
	compare("an orphan")
}
