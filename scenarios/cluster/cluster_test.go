package cluster

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// work has sessions asked at random nodes, over and over, until ctx is done.
type work struct {
	of *cluster

	mu      sync.Mutex
	said    int
	refused int
	settled map[string][]string // of each session, the texts of prompts that Core had
}

func (w *work) run(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		id := w.of.ids[random.IntN(len(w.of.ids))]
		n := w.of.nodes[random.IntN(len(w.of.nodes))]
		for _, other := range w.of.nodes { // mostly one that has it
			if random.IntN(4) > 0 && other.has(ctx, id) {
				n = other
			}
		}
		w.mu.Lock()
		w.said++
		word := fmt.Sprintf("prompt-%d-", w.said)
		w.mu.Unlock()
		asked, cancel := context.WithTimeout(ctx, 5*time.Second)
		text := fmt.Sprintf("%s\n```script\n"+`[{"say":{"text":"One two three four five six seven.","every":"%dms"}}]`+"\n```", word, random.IntN(150))
		r, err := n.client.Session(id).Prompt(asked, client.Prompt{Text: text})
		cancel()
		w.mu.Lock()
		switch {
		case err != nil:
			w.refused++
		case r.InCore != nil && *r.InCore:
			w.settled[id] = append(w.settled[id], word)
		}
		w.mu.Unlock()
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(random.IntN(200)) * time.Millisecond):
		}
	}
}

// atWork are the sessions that a node has in the middle of a turn.
func (n *node) atWork(ctx context.Context) (ids []string) {
	for _, id := range n.of.ids {
		if s, err := n.client.Session(id).Show(ctx); err == nil && n.has(ctx, id) && s.Status.State.Busy() {
			ids = append(ids, id)
		}
	}
	return ids
}

// TestNodesTakeOver: three nodes are killed for short and for long, stopped, drained and cut off, and their database is killed, silent, restored from backups, and
// replaced by replicas. Sessions are asked at any node meanwhile, and readers follow each session at each node, and all of them by one stream. No reader's
// cursor ever names other bytes, nothing that was seen is gone without a later epoch, prompts that Core had stay, and in the end each session is at one node and
// all serve the same bytes.
//
// Proves: I16.6/real, I16.6/forgotten-claim, I16.7/merged, I16.9/cluster, 002.13/core
func TestNodesTakeOver(t *testing.T) {
	c := begin(t, 3, lease)
	s := &storm{cluster: c, random: rand.New(rand.NewPCG(16, 6)), count: map[string]int{}}
	kinds, times, calm, lags := slices.Clone(everyday), 1, 2*lease, false
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_CLUSTER")); err == nil {
		kinds, times, lags = append(kinds, rare...), n, true
	}
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_CLUSTER_KILLS")); err == nil {
		kinds, times, calm = slices.Repeat(kills, 10), n/20, lease
	}
	only := os.Getenv("RINGMASTER_CLUSTER_ONLY")
	if only != "" {
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return !strings.Contains(kind, only) })
		lags = lags && strings.Contains(lagging, only)
	}
	var sum tally
	for range times {
		s.random.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		s.act(kinds, calm, &sum)
		if lags { // by itself: what Core had then may be set aside, and behind no other fault
			s.act([]string{lagging}, calm, &sum)
			if only == "" {
				s.act(quiet, calm, &sum)
			}
		}
	}
	slices.Sort(s.pauses)
	if n := len(s.pauses); n >= 20 && s.pauses[n/2] > lease+2*time.Second { // the goal is a second, on a machine that does nothing else
		t.Errorf("half of the takeovers take more than %v", s.pauses[n/2])
	}
	t.Logf("%v; takeovers after %v; %+v", s.count, s.pauses, sum)
	if isTaken := s.count["killed for long"]+s.count[lagging] > 0; sum.settled == 0 || sum.events == 0 || isTaken && len(s.pauses) == 0 || sum.segments == 0 {
		t.Error("nothing was proved")
	}
}

// tally is what was tried and seen.
type tally struct {
	said, refused, settled  int // prompts; those that Core had
	aside                   int // of these, those that a Core which had forgotten a claim had taken from another node than the one that went on
	events, cursors, resets int // of all readers
	epochs                  int // that have begun
	segments                int // that were made of rows meanwhile
}

// act makes sessions, has something befall the nodes, and judges what has become of the sessions. They are new each time: what readers have seen, and read
// again behind each reset, grows with the square of how much befalls.
func (s *storm) act(faults []string, calm time.Duration, sum *tally) {
	c, t := s.cluster, s.t
	c.ids = nil
	for n := range 6 {
		made, err := c.nodes[n%3].client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.root}})
		if err != nil {
			t.Fatal(err)
		}
		c.ids = append(c.ids, made.ID)
	}
	stays, err := c.nodes[0].client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.alone}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.nodes[0].client.Session(stays.ID).Prompt(t.Context(), client.Prompt{Text: "stay"}); err != nil {
		t.Fatal(err)
	}
	seen := newSeen()
	defer seen.tell(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var readers sync.WaitGroup
	var merged []*merged
	for _, n := range c.nodes {
		for _, id := range c.ids {
			readers.Go(func() { seen.follow(ctx, n, id) })
		}
		m := seen.merged(n, c.ids)
		merged = append(merged, m)
		readers.Go(func() { m.run(ctx) })
	}
	w := &work{of: c, settled: map[string][]string{}}
	working, rest := context.WithCancel(ctx)
	var workers sync.WaitGroup
	for range 3 {
		random := rand.New(rand.NewPCG(16, s.random.Uint64()))
		workers.Go(func() { w.run(working, random) })
	}
	for _, what := range faults {
		s.befalls(ctx, what)
		sum.segments += c.compact(ctx)
		c.sleep(calm)
	}
	rest()
	workers.Wait()
	c.settle(ctx)
	logs := map[string][]byte{}
	for _, id := range c.ids {
		c.until("all serve the same of "+id, patience, func() bool {
			first, err := c.nodes[0].log(ctx, id)
			same := err == nil
			for _, n := range c.nodes[1:] {
				text, err := n.log(ctx, id)
				same = same && err == nil && bytes.Equal(text, first)
			}
			logs[id] = first
			return same
		})
	}
	var behind []string
	defer func() {
		for _, what := range behind {
			t.Error(what)
		}
	}()
	c.until("all readers have everything", patience, func() bool {
		behind = seen.behind(merged, logs)
		return len(behind) == 0
	})
	cancel()
	readers.Wait()
	c.verify(t.Context(), append(slices.Clone(c.ids), stays.ID))
	if log, err := c.nodes[0].log(t.Context(), stays.ID); err != nil || !c.nodes[0].has(t.Context(), stays.ID) || bytes.Contains(log, []byte(`"type":"epoch"`)) {
		t.Errorf("%s, which stays with its node: %v\n%s", stays.ID, err, log)
	}
	for _, id := range c.ids {
		owners := 0
		for _, n := range c.nodes {
			if n.has(t.Context(), id) {
				owners++
			}
		}
		if owners != 1 {
			t.Errorf("%d nodes have %s", owners, id)
		}
		seen.judge(id, logs[id])
		for _, word := range w.settled[id] {
			switch {
			case bytes.Contains(logs[id], []byte(word)):
			case slices.Contains(faults, lagging) && s.isSetAside(id, word): // another node's claim was forgotten, and counted in the end
				sum.aside++
			default:
				t.Errorf("%s: Core had %s, and the log does not have it", id, word)
			}
		}
		sum.settled += len(w.settled[id])
		if _, err := c.nodes[0].client.Session(id).End(t.Context(), ""); err != nil {
			t.Error(err)
		}
	}
	for reason, n := range seen.epochs {
		sum.epochs += n
		isBack := slices.ContainsFunc(faults, func(fault string) bool { return slices.Contains(backwards, fault) })
		isQuiet := !slices.ContainsFunc(faults, func(fault string) bool { return !slices.Contains(quiet, fault) })
		if isQuiet || reason != "node lost" && !(isBack && reason == "daemon restarted") {
			t.Errorf("behind %v %d epochs begin: %s", faults, n, reason)
		}
	}
	sum.said, sum.refused, sum.events, sum.cursors, sum.resets = sum.said+w.said, sum.refused+w.refused, sum.events+seen.events, sum.cursors+seen.cursors(), sum.resets+seen.resets
	t.Logf("so far %v: %+v", s.count, *sum)
}

// tell tells what was wrong.
func (s *seen) tell(t *testing.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, wrong := range s.wrong {
		t.Error(wrong)
	}
}

func (s *seen) cursors() (n int) {
	for _, of := range s.lines {
		n += len(of)
	}
	return n
}

// sleep lets the nodes work for a while.
func (c *cluster) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.t.Context().Done():
	}
}

// settle has every session be at a node, with nothing to do.
func (c *cluster) settle(ctx context.Context) {
	c.t.Helper()
	for _, id := range c.ids {
		c.until("settled: "+id, patience, func() bool {
			for _, n := range c.nodes {
				if n.has(ctx, id) {
					s, err := n.client.Session(id).Show(ctx)
					return err == nil && !s.Status.State.Busy() && s.Status.QueuedPrompts == 0
				}
			}
			_ = client.TakeOver(ctx, c.nodes[0].client.Session(id)) // one that was given away, and that nobody has asked for since
			return false
		})
	}
	c.until("every node is up", patience, func() bool {
		states := c.nodes[0].states(ctx)
		for _, s := range states {
			if s.State != resource.NodeUp {
				return false
			}
		}
		return len(states) == len(c.nodes)
	})
	for _, n := range c.nodes {
		for _, p := range n.daemon.Problems() {
			if strings.Contains(p, "panic") {
				c.t.Error(p)
			}
		}
	}
}
