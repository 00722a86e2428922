package settings

import (
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/daemon"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
	"github.com/ringmaster-agents/ringmaster/supervisor/workdir"
	"github.com/spf13/pflag"
)

// nodeFlags say how a daemon is a node among others on a Core.
type nodeFlags struct {
	workspaces []string
	failover   string
	lease      time.Duration
	rawObjects bool
}

// Failovers are the words of --failover.
var Failovers = []string{"stay", "auto"}

func (n *nodeFlags) addTo(f *pflag.FlagSet) {
	f.StringArrayVar(&n.workspaces, "workspace", nil,
		"NAME=DIR: with --core, a folder that other nodes have at the same place, so that its sessions can go on there; may be repeated")
	f.StringVar(&n.failover, "failover", "stay",
		"with --core, when this node is gone the sessions in its workspaces wait for it (stay), or go on at another node (auto)")
	f.DurationVar(&n.lease, "node-lease", placement.Lease, "with --core, how long this node may be silent until others take it for gone")
	f.BoolVar(&n.rawObjects, "raw-objects", true,
		"with --objects, the native lines of sessions go there as well, so that other nodes give them; false: they stay on this machine")
}

var workspaceName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// check has what is said of the node in its Core.
func (n *nodeFlags) check(core *daemon.Core, roots []string) error {
	isSaid := len(n.workspaces) > 0 || n.failover != "stay" || n.lease != placement.Lease
	if isSaid && !core.IsSet() {
		return &Problem{"--workspace, --failover and --node-lease", "there is no --core", "other nodes are known by a common Core: name it with --core"}
	}
	switch n.failover {
	case "stay":
	case "auto":
		if len(n.workspaces) == 0 {
			return &Problem{
				"--failover auto", "there is no --workspace",
				"only sessions in a folder that other nodes have as well can go on there: --workspace NAME=DIR",
			}
		}
		core.Auto = true
	default:
		return &Problem{"--failover " + n.failover, "it is neither stay nor auto", "stay has sessions wait for their node"}
	}
	if n.lease < placement.LeastLease || n.lease > time.Hour {
		return &Problem{"--node-lease " + n.lease.String(), "it is not from 1s to 1h", "30s is the default; below 10s a busy machine may look dead"}
	}
	core.Lease, core.NativesStay = n.lease, !n.rawObjects
	for _, text := range n.workspaces {
		w, err := readWorkspace(text, roots)
		if err != nil {
			return err
		}
		for _, other := range core.Workspaces {
			if other.Name == w.Name {
				return &Problem{"--workspace " + text, "there is another one of that name", "give each a name of its own"}
			}
		}
		core.Workspaces = append(core.Workspaces, w)
	}
	return nil
}

func readWorkspace(text string, roots []string) (w placement.Workspace, err error) {
	where := "--workspace " + text
	name, dir, ok := strings.Cut(text, "=")
	if !ok || !workspaceName.MatchString(name) || !filepath.IsAbs(dir) {
		return w, &Problem{
			where, "it is not NAME=DIR with an absolute path",
			"such as shop=/srv/shop, with a name of letters, digits, dots, dashes and underlines",
		}
	}
	w = placement.Workspace{Name: name, Folder: filepath.Clean(dir)}
	if w.Roots, err = workdir.ResolveRoots([]string{w.Folder}); err != nil {
		return w, &Problem{where, "the folder cannot be used: " + err.Error(), "make it, or mount it"}
	}
	if whole, err := workdir.ResolveRoots(roots); err == nil && workdir.Inside(whole, w.Roots[0]) {
		return w, nil
	}
	return w, &Problem{where, "it is in no root, and no agent may work there", "name it, or a folder above it, with --root as well"}
}
