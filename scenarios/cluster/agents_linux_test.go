package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/fate/network"
	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// agents are the nodes that have live agent processes of a session, by the machine's process table.
func agents(t *testing.T, id string) (nodes []string) {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	mark := []byte(adapters.MarkerEnv + "=")
	for _, path := range environments {
		environ, err := os.ReadFile(path) // of one that has ended it is empty, or gone
		if err != nil {
			continue
		}
		for one := range bytes.SplitSeq(environ, []byte{0}) {
			marker, is := bytes.CutPrefix(one, mark)
			if !is {
				continue
			}
			if part := strings.Split(string(marker), "/"); len(part) > 1 && part[1] == id && !slices.Contains(nodes, part[0]) {
				nodes = append(nodes, part[0])
			}
		}
	}
	return nodes
}

// TestOneAgentAtATime: whatever takes a session in the middle of a turn from one node to another, the process table has no agents of it of both at any time: that of a
// node that is cut off from Core ends before another one may begin, and so does that of a daemon that is killed. The lease is the shortest that is advised.
//
// Proves: I16.9/one-agent, I16.6/at-work
func TestOneAgentAtATime(t *testing.T) {
	const lease = 10 * time.Second
	c := begin(t, 2, lease)
	c.until("both are up", patience, func() bool {
		return len(c.nodes[0].states(t.Context())) == 2 && len(c.nodes[1].states(t.Context())) == 2
	})
	made, err := c.nodes[0].client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.root}})
	if err != nil {
		t.Fatal(err)
	}
	id := made.ID
	c.ids = []string{id}

	var mu sync.Mutex
	looks, during := 0, ""
	var wrong []string
	ctx, cancel := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel()
	looking.Go(func() {
		again := time.NewTicker(20 * time.Millisecond)
		defer again.Stop()
		for ctx.Err() == nil {
			nodes := agents(t, id)
			mu.Lock()
			if looks++; len(nodes) > 1 {
				wrong = append(wrong, fmt.Sprintf("%s: agents of %v", during, nodes))
			}
			mu.Unlock()
			<-again.C
		}
	})
	at := func() (n, other *node) {
		c.until("a node has it", patience, func() bool {
			n, other = c.nodes[0], c.nodes[1]
			if other.has(ctx, id) {
				n, other = other, n
			}
			return n.has(ctx, id)
		})
		return n, other
	}
	work := func(n *node) {
		t.Helper()
		var is string // when it was looked at last
		defer func() {
			if t.Failed() {
				t.Log(is)
			}
		}()
		c.until("it is at work", patience, func() bool {
			const long = "work\n```script\n" + `[{"say":{"text":"I am at work until I am interrupted.","over":"10m"}}]` + "\n```"
			s, err := n.client.Session(id).Show(ctx)
			is = fmt.Sprintf("%s: node %s has it: %t, agents of %v, %+v, %v", during, n.address, n.has(ctx, id), agents(t, id), s.SessionSummary, err)
			if err != nil || s.Status.State.Busy() {
				return err == nil && n.has(ctx, id) && len(agents(t, id)) > 0
			}
			_, err = n.client.Session(id).Prompt(ctx, client.Prompt{Text: long})
			is += fmt.Sprintf("; a prompt: %v", err)
			return false
		})
	}
	faults := map[string]func(n *node){
		"cut off from the database": func(n *node) { n.database.Become(network.Cut) },
		"cut off from all":          func(n *node) { n.database.Become(network.Cut); n.near.Become(network.Cut) },
		"the database is silent":    func(n *node) { n.database.Become(network.Silent) },
		"killed":                    func(n *node) { n.daemon.Kill() },
		"drained":                   func(n *node) { (&storm{cluster: c}).drain(ctx, n) },
	}
	names := []string{"cut off from the database", "killed"}
	if os.Getenv("RINGMASTER_CLUSTER") != "" {
		names = append(names, "cut off from all", "the database is silent", "drained")
	}
	for _, name := range names {
		n, other := at()
		work(n)
		mu.Lock()
		during = name
		mu.Unlock()
		began := time.Now()
		faults[name](n)
		work(other)
		t.Logf("%s: at work at the other node after %v", name, time.Since(began).Round(time.Millisecond))
		n.database.Become(network.Good)
		n.near.Become(network.Good)
		if name == "killed" {
			n.start()
		}
		c.until("both are up", patience, func() bool {
			states := other.states(ctx)
			for _, s := range states {
				if s.State != resource.NodeUp {
					return false
				}
			}
			return len(states) == 2 && !n.has(ctx, id)
		})
	}
	cancel()
	looking.Wait()
	for _, one := range wrong[:min(len(wrong), 10)] {
		t.Error(one)
	}
	if t.Logf("%d looks at the process table", looks); looks < 100 {
		t.Error("nothing was proved")
	}
	if log, err := c.nodes[0].log(t.Context(), id); err != nil || !bytes.Contains(log, []byte(`"reason":"node lost"`)) {
		t.Errorf("no node was lost: %v\n%s", err, log)
	}
}
