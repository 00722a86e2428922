package api

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// behind is a harness behind a network, and its address there.
func behind(t *testing.T) (*harness, *network.Network, string) {
	t.Helper()
	l := listenLocal(t)
	n, at := network.Before(t, "http://"+l.Addr().String())
	h := serveTreeAt(t, l, newTree(t), func(c *Config) { c.Hosts = []string{strings.TrimPrefix(at, "http://")} })
	return h, n, at
}

// TestMCPPushesSurviveTheNetwork: connections are cut, and end for the client alone, in the middle of a turn; every push arrives once.
// Proves: 004.D3/resume, D1.9, T18/transport
func TestMCPPushesSurviveTheNetwork(t *testing.T) {
	for name, is := range map[string]network.Condition{"cut": network.Cut, "void": network.Void} {
		t.Run(name, func(t *testing.T) {
			h, n, at := behind(t)
			h.tree.agents["drip"] = dripping(100, 100, 20*time.Millisecond)
			c := h.connectAt(at, oldEra).listening()
			m := c.say("", "drip", "go")
			for _, size := range []int{20, 60} {
				c.until(func(got []protocol.SessionEvent) bool { return len(got) >= size })
				n.Become(is)
				n.Become(network.Good)
			}
			got := c.until(idleAgain(1))
			if _, pushed := h.expected(m.SessionID); !sameItems(got, pushed) {
				t.Errorf("%d pushes arrived of %d:\n%+v", len(got), len(pushed), got)
			}
		})
	}
}
