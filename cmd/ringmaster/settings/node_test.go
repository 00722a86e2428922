package settings

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/spf13/pflag"
)

// TestNodeFlags: what is said of a node is taken where it makes sense, and refused with a hint where not.
func TestNodeFlags(t *testing.T) {
	root := t.TempDir()
	inside, link, outside := filepath.Join(root, "shop"), filepath.Join(root, "link"), t.TempDir()
	if err := errors.Join(os.Mkdir(inside, 0o700), os.Symlink(inside, link)); err != nil {
		t.Fatal(err)
	}
	check := func(core daemon.Core, args ...string) (daemon.Core, error) {
		n, f := new(nodeFlags), pflag.NewFlagSet("serve", pflag.ContinueOnError)
		n.addTo(f)
		if err := f.Parse(args); err != nil {
			t.Fatal(err)
		}
		return core, n.check(&core, []string{root})
	}
	with := daemon.Core{URL: "postgres://localhost/a"}
	for _, args := range [][]string{
		{"--workspace", "shop"},
		{"--workspace", "=" + inside},
		{"--workspace", "a b=" + inside},
		{"--workspace", "shop=shop"},
		{"--workspace", "shop=" + outside},
		{"--workspace", "shop=" + filepath.Join(root, "none")},
		{"--workspace", "a=" + inside, "--workspace", "a=" + link},
		{"--failover", "auto"},
		{"--failover", "never"},
		{"--node-lease", "10ms"},
		{"--node-lease", "2h"},
	} {
		var p *Problem
		if _, err := check(with, args...); !errors.As(err, &p) || p.Fix == "" {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, args := range [][]string{{"--workspace", "shop=" + inside}, {"--failover", "auto"}, {"--node-lease", "10s"}} {
		if _, err := check(daemon.Core{}, args...); err == nil {
			t.Errorf("without a Core: %v", args)
		}
	}
	if c, err := check(daemon.Core{}); err != nil || c.IsSet() {
		t.Error(err)
	}
	c, err := check(with, "--workspace", "shop="+link+"/", "--workspace", "all="+root, "--failover", "auto", "--node-lease", "12s")
	if err != nil || !c.Auto || c.Lease != 12*time.Second || len(c.Workspaces) != 2 {
		t.Fatalf("%+v, %v", c, err)
	}
	if w := c.Workspaces[0]; w.String() != "shop="+link || !slices.Equal(w.Roots, []string{inside, link}) {
		t.Errorf("%+v", w)
	}
}
