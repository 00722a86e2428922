package cluster

import (
	"context"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core/postgres/pgtest"
	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/program"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// patience is how long anything may take on a machine that others use too.
const patience = 90 * time.Second

// lease is how long a node may be silent, where nodes are to be lost.
const lease = 3 * time.Second

// cluster is some nodes with a common workspace on a common database.
type cluster struct {
	t       *testing.T
	server  *pgtest.Server
	core    string // its URL
	program string
	lease   time.Duration
	root    string // all have it
	alone   string // no node's sessions in it go to another
	objects string // the folder of the object store
	nodes   []*node
	ids     []string
}

// node is a daemon as a process, which keeps its address and its data folder over its lives.
type node struct {
	of            *cluster
	data, address string
	core          string // the URL of the database through the node's own network
	database      *network.Network
	peers         string // where it listens to other nodes, which come through the network near
	near          *network.Network
	nearAt        string
	client        *client.Client
	token         string

	mu     sync.Mutex
	daemon *program.Daemon
}

// begin starts nodes.
func begin(t *testing.T, nodes int, lease time.Duration) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	dir := t.TempDir()
	c := &cluster{t: t, server: pgtest.Private(t), program: filepath.Join(dir, "ringmaster"), lease: lease}
	c.root, c.alone, c.objects = t.TempDir(), t.TempDir(), t.TempDir()
	c.core = c.server.URL("postgres")
	if out, err := exec.Command("go", "build", "-tags", "failpoint", "-o", c.program, "../../cmd/ringmaster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(c.program, "core", "migrate", "--core", c.core).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for range nodes {
		n := &node{of: c, data: filepath.Join(t.TempDir(), "data"), address: free(t), peers: free(t)}
		n.database, n.core = network.Before(t, c.core)
		var near string
		n.near, near = network.Before(t, "https://"+n.peers)
		n.nearAt = strings.TrimPrefix(near, "https://")
		n.start()
		t.Cleanup(func() { n.daemon.Kill() })
		var err error
		if n.token, err = program.Token(n.data); err == nil {
			n.client, err = client.At("http://"+n.address, n.token)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.client.Close)
		c.nodes = append(c.nodes, n)
	}
	return c
}

// free is an address at which nobody listens.
func free(t *testing.T) string {
	t.Helper()
	port, err := pgtest.Port()
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// start starts the node's daemon.
func (n *node) start() {
	n.of.t.Helper()
	ctx, cancel := context.WithTimeout(n.of.t.Context(), patience)
	defer cancel()
	cmd := program.Command(n.of.program, n.data, n.of.root, "--listen", n.address, "--core", n.core, "--objects", n.of.objects, "--root", n.of.alone, "--peer-listen", n.peers, "--peer-address", n.nearAt,
		"--workspace", "shop="+n.of.root, "--failover", "auto", "--node-lease", n.of.lease.String())
	d, err := program.Start(cmd)
	if err == nil {
		n.mu.Lock()
		n.daemon = d
		n.mu.Unlock()
		_, err = d.Running(ctx)
	}
	if err != nil {
		n.of.t.Fatal(err, d.Problems())
	}
}

// freeze stops the process as a whole, and thaw lets it go on: it has not noticed.
func (n *node) freeze() { n.signal(syscall.SIGSTOP) }
func (n *node) thaw()   { n.signal(syscall.SIGCONT) }

func (n *node) signal(s syscall.Signal) {
	n.of.t.Helper()
	if err := syscall.Kill(n.daemon.PID(), s); err != nil {
		n.of.t.Fatal(err)
	}
}

// states are the nodes as this one knows them, by their ids.
func (n *node) states(ctx context.Context) map[string]resource.NodeInfo {
	list, err := client.ListNodes(ctx, n.client)
	if err != nil {
		return nil
	}
	states := map[string]resource.NodeInfo{}
	for _, info := range list {
		states[info.ID] = info
	}
	return states
}

// has says that the node has a session itself. What it is asked about a session it passes on, and what its list shows it says itself.
func (n *node) has(ctx context.Context, id string) bool {
	page, err := n.client.List(ctx, client.Query{})
	return err == nil && slices.ContainsFunc(page.Sessions, func(s resource.SessionSummary) bool { return s.ID == id && s.Node == "" })
}

// until asks again and again until something holds, and tells how long that took.
func (c *cluster) until(what string, most time.Duration, holds func() bool) time.Duration {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), most)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for begun := time.Now(); ; {
		if holds() {
			return time.Since(begun)
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			c.t.Fatalf("%s: not within %v", what, most)
		}
	}
}
