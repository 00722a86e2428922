package cluster

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
)

// everyday is what befalls nodes and their database, and rare what does so in the long form as well. The database goes back: it is restored from a backup.
var (
	everyday = []string{"killed", "killed for long", "drained", "cut off from the database", "the database goes back", "killed for long"}
	rare     = []string{
		"stopped", "the database is killed", "the database is silent", "the database is slow", "cut off from other nodes", "cut off from all", "drained for a while",
		"a replica takes over",
	}
	// lagging is a fail-over to a replica that has missed a takeover: of two nodes that go on with a session, what one has said is set aside, also where Core had it.
	lagging = "a replica takes over that was behind"
	kills   = []string{"killed", "killed for long"}
	// quiet are those behind which no epoch begins: no node is silent for longer than its lease, or none can say that another one is.
	quiet = []string{"drained", "cut off from other nodes", "the database is killed", "drained for a while"}
	// backwards have Core forget what it had, so that a session may come to its own node once more.
	backwards = []string{"the database goes back", "a replica takes over", lagging}
)

// storm is what befalls a cluster.
type storm struct {
	*cluster
	random *rand.Rand
	count  map[string]int
	pauses []time.Duration // until a session at work whose node was killed was at another one
}

// befalls has something befall a node, or all.
func (s *storm) befalls(ctx context.Context, what string) {
	s.t.Helper()
	s.count[what]++
	n := s.nodes[s.random.IntN(len(s.nodes))]
	switch what {
	case "killed":
		n.daemon.Kill()
		n.start()
	case "killed for long":
		s.killForLong(ctx)
	case "stopped":
		n.freeze()
		s.sleep(2 * lease)
		n.thaw()
	case "drained":
		s.drain(ctx, n)
	case "drained for a while":
		s.drainForAWhile(ctx, n)
	case "cut off from the database":
		s.endures(network.Cut, n.database)
	case "cut off from other nodes":
		s.endures(network.Cut, n.near)
	case "cut off from all":
		s.endures(network.Cut, n.near, n.database)
	case "the database is silent":
		s.endures(network.Silent, n.database)
	case "the database is slow":
		s.endures(network.Slow, n.database)
	case "the database is killed":
		s.must(s.server.Crash())
		s.sleep(lease)
		s.must(s.server.Restart())
	case "a replica takes over":
		s.failOver(ctx, true)
	case lagging:
		s.failOver(ctx, false)
	case "the database goes back":
		s.goBack(ctx, n)
	default:
		s.t.Fatal(what)
	}
}

// endures has networks be in a condition for longer than nodes may be silent.
func (s *storm) endures(is network.Condition, networks ...*network.Network) {
	for _, n := range networks {
		n.Become(is)
	}
	s.sleep(2 * lease)
	for _, n := range networks {
		n.Become(network.Good)
	}
}

// killForLong kills a node that has a session at work, and starts it again when another one has that.
func (s *storm) killForLong(ctx context.Context) {
	s.t.Helper()
	var n *node
	var lost []string
	s.until("somebody is at work", patience, func() bool {
		n = s.nodes[s.random.IntN(len(s.nodes))]
		lost = n.atWork(ctx)
		return len(lost) > 0
	})
	n.daemon.Kill()
	s.pauses = append(s.pauses, s.until("taken over", patience, func() bool {
		return slices.ContainsFunc(s.nodes, func(other *node) bool { return other != n && other.has(ctx, lost[0]) })
	}))
	n.start()
}

func (s *storm) drain(ctx context.Context, n *node) {
	s.t.Helper()
	if out, err := exec.Command(s.program, "node", "drain", "--wait", "1s", "--data", n.data).CombinedOutput(); err != nil {
		s.t.Fatalf("drain: %v\n%s\n%v\n%v", err, out, n.states(ctx), n.daemon.Problems())
	}
	n.daemon.Stop(patience)
	n.start()
}

// drainForAWhile has a node give sessions away, and then take them again.
func (s *storm) drainForAWhile(ctx context.Context, n *node) {
	s.t.Helper()
	s.must(n.drains(ctx))
	s.sleep(lease)
	if out, err := exec.Command(s.program, "node", "join", "--data", n.data).CombinedOutput(); err != nil {
		s.t.Fatalf("join: %v\n%s\n%v\n%v", err, out, n.states(ctx), n.daemon.Problems())
	}
}

// goBack has the database forget that sessions have moved, and what they have said since.
func (s *storm) goBack(ctx context.Context, n *node) {
	s.t.Helper()
	s.must(s.server.Crash())
	s.must(s.server.Save())
	s.must(s.server.Restart())
	s.sleep(2 * lease)
	if s.random.IntN(2) == 0 {
		s.drain(ctx, n)
	} else {
		s.killForLong(ctx)
	}
	s.sleep(lease)
	s.must(s.server.Crash())
	s.must(s.server.Restore())
	s.must(s.server.Restart())
}

// failOver has a replica take the database's place. Commits wait for it, or it has missed that a session went on elsewhere.
func (s *storm) failOver(ctx context.Context, waits bool) {
	s.t.Helper()
	r, err := s.server.Follow(ctx, waits)
	s.must(err)
	s.t.Cleanup(r.Stop)
	s.sleep(2 * lease)
	if !waits {
		s.must(r.Lag(ctx))
		s.killForLong(ctx)
	}
	s.must(r.Promote(ctx))
}

func (s *storm) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}
