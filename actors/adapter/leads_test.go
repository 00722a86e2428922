package adapter

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestLeads: a port says where the paths of an approval lead to, by any links.
func TestLeads(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(root, "outside")
	cwd := filepath.Join(root, "link to work")
	for _, dir := range []string{"work/src/deep", "work/.git/hooks", "outside"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"link to work": "work", "work/src/out": outside, "work/src/hooks": "../.git/hooks", "work/src/loop": "loop", "work/src/up": "deep/../../.git", "work/src/fine": "deep",
		"work/src/here": "/proc/self/cwd",
		"work/src/hook": "../.git/hooks/pre-commit", "work/src/deep/far": outside + "/a/b",
	} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", outside)
	for subject, want := range map[string]string{
		"src/a.go": "", "src/new/a.go": "", "src/out/x": outside + "/x", "src/hooks/pre-commit": cwd + "/.git/hooks/pre-commit", "src/hook": cwd + "/.git/hooks/pre-commit",
		"src/up/x": cwd + "/.git/x", "src/fine/x": cwd + "/src/deep/x", cwd + "/src/a.go": "", root + "/work/src/a.go": cwd + "/src/a.go",
		"src/out/../x": root + "/x", // as the disk has it; by the name alone it is src/x
		"file:///x":    "unknown", "~root/x": "unknown", "~/x": outside + "/x", "src/~/x": "",
		"/proc/self/cwd/.git/x": "unknown", "/proc/thread-self/x": "unknown", "src/here/.git/x": "unknown", "/dev/stdin": "unknown",
		"src/loop/x": "unknown", "src/a.go\nsrc/out/x": outside + "/x", "session://a": "", "": "", "src/deep/far/c": outside + "/a/b/c",
	} {
		if want == "unknown" {
			want = "|"
		}
		p := &port{cfg: Config{Cwd: cwd}}
		p.out.Draft(adapters.RequestOpened{Request: protocol.RequestOpened{Kind: protocol.RequestApproval, ToolKind: protocol.ToolEdit, Subject: subject}})
		p.window = newWindow(1, 1)
		b, _ := p.batch(nil)
		got := strings.Join(b.Drafts[0].(adapters.RequestOpened).Leads, "|")
		if slices.Equal(b.Drafts[0].(adapters.RequestOpened).Leads, []string{""}) {
			got = "|"
		}
		if got != want {
			t.Errorf("%q leads to %q, want %q", subject, got, want)
		}
	}
}
