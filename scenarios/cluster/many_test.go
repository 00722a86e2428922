package cluster

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// TestManySessionsOfANode: a node is killed that has many sessions at work, each with an agent's process, and as many at rest. Those at work go on at the two others, once
// each, and those at rest when somebody asks for them. It tells how long after the node's end the next epochs began.
//
// Proves: I16.6/many
func TestManySessionsOfANode(t *testing.T) {
	count := 100
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_CLUSTER_SESSIONS")); err == nil {
		count = n
	} else if os.Getenv("RINGMASTER_CLUSTER") == "" {
		t.Skip("a part of the long form (task cluster)")
	}
	c := begin(t, 3, lease)
	lost, ctx := c.nodes[0], t.Context()
	c.until("all are up", patience, func() bool { return len(lost.states(ctx)) == 3 })
	resting := count
	if n, err := strconv.Atoi(os.Getenv("RINGMASTER_CLUSTER_RESTING")); err == nil {
		resting = n
	}
	var makers sync.WaitGroup
	var begun atomic.Int64
	var rests []string
	var mu sync.Mutex // guards rests
	for range 4 {
		makers.Go(func() {
			for n := begun.Add(1); n <= int64(count+resting) && ctx.Err() == nil; n = begun.Add(1) {
				made, err := lost.client.Create(ctx, client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.root}})
				switch {
				case err != nil:
				case n > int64(count):
					mu.Lock()
					rests = append(rests, made.ID)
					mu.Unlock()
				default:
					const long = "work\n```script\n" + `[{"say":{"text":"I am at work for as long as I am let, and I say so slowly, a word at a time.","over":"1h"}}]` + "\n```"
					_, err = lost.client.Session(made.ID).Prompt(ctx, client.Prompt{Text: long})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	began := time.Now()
	makers.Wait()
	most := patience + time.Duration(count+resting)*time.Second/4
	for _, n := range c.nodes { // the others know it from Core
		c.until("all are at work, or rest", most, func() bool {
			c.sleep(500 * time.Millisecond)
			return len(n.list(ctx, func(s *resource.SessionSummary) bool { return s.Status.State.Busy() })) == count &&
				len(n.list(ctx, func(s *resource.SessionSummary) bool { return s.Status.State == protocol.StateIdle })) == resting
		})
	}
	t.Logf("%d sessions at work, and %d at rest, after %v", count, resting, time.Since(began).Round(time.Second))

	lost.daemon.Kill()
	killed := time.Now()
	c.until("all have gone on", most, func() bool {
		c.sleep(500 * time.Millisecond) // asking is work, for those that are to go on with them
		here := 0
		for _, n := range c.nodes[1:] {
			here += n.known(ctx)
		}
		return here == count
	})
	owned := map[string]int{}
	for _, n := range c.nodes[1:] {
		for _, id := range n.list(ctx, isOwn) {
			owned[id]++
		}
	}
	for id, owners := range owned {
		if owners != 1 {
			t.Errorf("%d nodes have %s", owners, id)
		}
	}
	if len(owned) != count {
		t.Errorf("%d sessions are somewhere, of %d", len(owned), count)
	}
	var took []time.Duration
	for id := range owned {
		took = append(took, c.wentOn(id).Sub(killed))
	}
	slices.Sort(took)
	of := func(part float64) time.Duration {
		return took[int(part*float64(len(took)-1))].Round(time.Millisecond)
	}
	t.Logf("%d sessions went on p50 %v, p90 %v, p99 %v, at most %v after their node's end, with a lease of %v", count, of(0.5), of(0.9), of(0.99), of(1), lease)
	took = nil
	for n, id := range rests[:min(len(rests), 200)] {
		asked := time.Now()
		if _, err := c.nodes[1+n%2].client.Session(id).Prompt(ctx, client.Prompt{Text: "go on"}); err != nil {
			t.Error(err)
		}
		took = append(took, time.Since(asked))
	}
	if len(took) > 0 {
		slices.Sort(took)
		t.Logf("of those at rest %d were asked for one after another: they had come, and their prompts were taken, after p50 %v, p99 %v, at most %v", len(took), of(0.5), of(0.99), of(1))
	}
}

// known is how many sessions are at a node itself.
func (n *node) known(ctx context.Context) int {
	const is = "\nringmaster_sessions "
	text, _ := n.text(ctx, "/metrics")
	_, behind, _ := bytes.Cut(text, []byte(is))
	value, _, _ := bytes.Cut(behind, []byte("\n"))
	known, _ := strconv.Atoi(string(value))
	return known
}

// wentOn is when the newest epoch of a session began.
func (c *cluster) wentOn(id string) (at time.Time) {
	c.t.Helper()
	log, err := c.nodes[1].log(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range bytes.Lines(log) {
		e, err := protocol.Decode(line)
		if err != nil {
			c.t.Fatal(err)
		}
		if _, ok := e.Payload.(*protocol.Epoch); ok {
			at = time.UnixMilli(e.Time)
		}
	}
	return at
}

// isOwn says that the node that lists a session has it itself.
func isOwn(s *resource.SessionSummary) bool { return s.Node == "" }

// list are the sessions of the node's list that are so.
func (n *node) list(ctx context.Context, is func(*resource.SessionSummary) bool) (ids []string) {
	for q := (client.Query{Limit: 1000}); ; {
		page, err := n.client.List(ctx, q)
		if err != nil {
			return nil
		}
		for i := range page.Sessions {
			if s := &page.Sessions[i]; is(s) {
				ids = append(ids, s.ID)
			}
		}
		if q.After = page.Next; q.After == "" {
			return ids
		}
	}
}
