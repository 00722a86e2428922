package tally_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/actors/disk/disktest"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/tally"
)

// text is all that is kept, to be compared.
func text(t *testing.T, p *budget.Past) string {
	t.Helper()
	b, err := json.Marshal(p.Lines())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func read(t *testing.T, d *disktest.Disk) *budget.Past {
	t.Helper()
	p, err := tally.Read(".", d)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func line(r *rand.Rand) budget.Line {
	id := fmt.Sprintf("s%d", r.IntN(6))
	switch r.IntN(4) {
	case 0:
		return budget.Line{Leaving: &budget.Leaving{ID: id, Parent: "s0", Use: budget.Use{Tokens: r.Int64N(1000)}}}
	case 1:
		return budget.Line{Left: id, Nodes: []budget.Node{{ID: id}, {ID: "s0", Use: budget.Use{Tokens: r.Int64N(1000)}}}}
	case 2:
		return budget.Line{Owner: &budget.Tenant{Owner: id, Limits: &protocol.Limits{Tokens: 1 + r.Int64N(1000)}}}
	default:
		return budget.Line{Owner: &budget.Tenant{Owner: id}}
	}
}

// TestTally: after a kill, and a loss of power, at any change of the disk, what is kept is what was kept after some line, and not before the last of which it was said that it is on the
// disk. A disk that refuses a line loses none of those before, and has it with the next one that it takes.
//
// Proves: I13.11/removed
func TestTally(t *testing.T) {
	states := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		d := disktest.New()
		shown := []string{text(t, budget.NewPast())} // after each line
		safe := map[int]int{}                        // changes of the disk, to the lines that were safe then
		for range 3 {
			past := read(t, d)
			if got := text(t, past); got != shown[len(shown)-1] {
				t.Fatalf("life: %s, want %s", got, shown[len(shown)-1])
			}
			kept := tally.New(".", d, past)
			model := read(t, d)
			for range 8 {
				l := line(r)
				if model.Take(&l); r.IntN(5) == 0 {
					n := d.Count() + r.IntN(3)
					d.FailAt(n, syscall.ENOSPC, r.IntN(20))
				}
				err := kept.Wait(l)
				d.Fail(nil)
				if shown = append(shown, text(t, model)); err == nil {
					safe[d.Count()] = len(shown) - 1
				}
			}
			l := line(r)
			model.Take(&l)
			if err := kept.Wait(l); err != nil {
				t.Fatalf("a disk that takes what it refused before: %v", err)
			}
			shown = append(shown, text(t, model))
			safe[d.Count()] = len(shown) - 1
			kept.Close()
		}
		replay, least := d.Replay(), 0
		for n := 0; ; n++ {
			least = max(least, safe[n])
			for choice := range uint64(4) {
				left := replay.Kill()
				if choice > 0 {
					left = replay.Crash(rand.New(rand.NewPCG(uint64(n), choice)))
				}
				if got := text(t, read(t, left)); !slices.Contains(shown[least:], got) {
					t.Fatalf("seed %d, after %d changes, choice %d: %s, and %s was promised", seed, n, choice, got, shown[least])
				}
				states++
			}
			if _, more := replay.Next(); !more {
				break
			}
		}
	}
	t.Logf("%d states of the disk", states)
}
