package cluster

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// asking has one session asked, over and over, each time when the prompt before is settled.
type asking struct {
	of      *cluster
	id      string
	clients []*client.Client // of all nodes; they try nothing again by themselves
	words   []string         // in the order of the prompts
	took    []time.Duration  // from a prompt to its end
	steps   []string         // of the turn that is under way: calls
	longest string           // how the longest of them came about
	refused int
	wrong   []string
}

func (a *asking) run(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		word := fmt.Sprintf("word-%d-", n)
		began := time.Now()
		var prompt string
		a.try(n, func(c *client.Client) error {
			r, err := c.Session(a.id).Prompt(context.WithoutCancel(ctx), client.Prompt{Text: word + "\n```script\n" + `[{"say":{"text":"Yes."}}]` + "\n```", Key: word})
			prompt = r.PromptID
			return err
		})
		a.try(n, func(c *client.Client) error {
			answer, err := c.Await(context.WithoutCancel(ctx), resource.WaitRequest{Sessions: []string{a.id}, Until: resource.WaitUntil{Prompt: prompt}})
			if err == nil && !answer.Held { // it waits for what is there
				a.wrong = append(a.wrong, fmt.Sprintf("%s: %+v", word, answer))
			}
			return err
		})
		took := time.Since(began)
		if len(a.took) == 0 || took > slices.Max(a.took) {
			a.longest = took.String() + ": " + word + ": " + strings.Join(a.steps, "; ")
		}
		a.words, a.took, a.steps = append(a.words, word), append(a.took, took), nil
	}
}

// try asks one node after another until one does it.
func (a *asking) try(first int, do func(*client.Client) error) {
	for n := first; ; n++ {
		began := time.Now()
		err := do(a.clients[n%len(a.clients)])
		a.steps = append(a.steps, fmt.Sprintf("node %d after %v: %v", n%len(a.clients)+1, time.Since(began).Round(time.Millisecond), err))
		if err == nil {
			return
		}
		a.refused++
		a.of.sleep(10 * time.Millisecond)
	}
}

// TestRollingRestart: three nodes are drained, ended and started, one after another, while twelve sessions are asked without a pause, each time at another node. No log begins an
// epoch and no prompt is lost or taken twice. It tells the longest time that a client waited for a turn.
//
// Proves: I16.6/rolling
func TestRollingRestart(t *testing.T) {
	if os.Getenv("RINGMASTER_CLUSTER") == "" {
		t.Skip("a part of the long form (task cluster)")
	}
	c := begin(t, 3, lease)
	var all []*asking
	var clients []*client.Client
	for _, n := range c.nodes {
		one, err := client.At("http://"+n.address, n.token, client.Patience(0))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(one.Close)
		clients = append(clients, one)
	}
	for n := range 12 {
		made, err := c.nodes[n%3].client.Create(t.Context(), client.New{NewSession: resource.NewSession{Agent: "scripted", Cwd: c.root}})
		if err != nil {
			t.Fatal(err)
		}
		c.ids = append(c.ids, made.ID)
		all = append(all, &asking{of: c, id: made.ID, clients: clients})
	}
	asks, rest := context.WithCancel(t.Context())
	defer rest()
	var askers sync.WaitGroup
	for _, a := range all {
		askers.Go(func() { a.run(asks) })
	}
	s := &storm{cluster: c}
	began := time.Now()
	for range 2 {
		for _, n := range c.nodes {
			c.sleep(lease)
			s.drain(t.Context(), n)
		}
	}
	c.sleep(lease)
	rest()
	askers.Wait()
	c.settle(t.Context())

	var took []time.Duration
	refused := 0
	for _, a := range all {
		log, err := c.nodes[0].log(t.Context(), a.id)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(log, []byte(`"type":"epoch"`)); n > 0 {
			t.Errorf("%s: %d epochs began", a.id, n)
		}
		for _, word := range a.words {
			if n := bytes.Count(log, []byte(`"idempotencyKey":"`+word)); n != 1 {
				t.Errorf("%s: the log has %s %d times", a.id, word, n)
			}
		}
		for _, wrong := range a.wrong {
			t.Errorf("%s: %s", a.id, wrong)
		}
		took, refused = append(took, a.took...), refused+a.refused
	}
	slices.Sort(took)
	at := func(part float64) time.Duration { return took[int(part*float64(len(took)-1))].Round(time.Millisecond) }
	t.Logf("6 restarts in %v: %d turns, %d calls refused; a turn took p50 %v, p99 %v, at most %v", time.Since(began).Round(time.Second), len(took), refused, at(0.5), at(0.99), at(1))
	if at(1) > 10*time.Second { // 2 s is the goal, on a machine that does nothing else
		for _, a := range all {
			t.Log(a.longest)
		}
		t.Errorf("the longest pause was %v", at(1))
	}
}
