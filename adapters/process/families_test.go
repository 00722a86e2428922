package process

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// population has processes with parents, groups, marks and markers at random, and agents among them.
func population(r *rand.Rand, processes, agents int) (table []found, conns []*Conn) {
	const first = 1 << 23 // above every pid of this machine
	for i := range processes {
		f := found{pid: first + i, parent: 1, group: first + i, start: uint64(i)}
		if i > 0 && r.IntN(4) > 0 {
			f.parent = first + r.IntN(i)
		}
		if r.IntN(2) == 0 {
			f.group = first + r.IntN(processes)
		}
		if r.IntN(8) == 0 {
			f.mark = mark(1 + r.IntN(agents))
		}
		if r.IntN(8) == 0 {
			f.marker = fmt.Sprint(r.IntN(agents))
		}
		table = append(table, f)
	}
	for i := range agents {
		c := &Conn{id: adapters.Process{PID: first + r.IntN(processes)}, mark: mark(i), kin: kin{seen: map[id]bool{}}}
		if i%3 > 0 {
			c.id.Marker = fmt.Sprint(i)
		}
		for range r.IntN(3) {
			c.kin.seen[id{first + r.IntN(processes), uint64(r.IntN(processes))}] = true // often of a process that is gone
			c.kin.seen[table[r.IntN(processes)].id()] = true
		}
		conns = append(conns, c)
	}
	return table, conns
}

// TestFamilies: what is noted is what a look at every process for every agent finds.
func TestFamilies(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		table, conns := population(r, 1+r.IntN(60), 1+r.IntN(12))
		families := familiesOf(table)
		for i, c := range conns {
			want := map[id]bool{}
			for _, f := range below(table, c.knows) {
				want[f.id()] = true
			}
			c.kin.note(families, families.of(c))
			if got := c.kin.seen; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d, agent %d: got %v, want %v", seed, i, got, want)
			}
		}
	}
}

// BenchmarkWatch is a look at all processes below agents, beside one for each agent: what a look costs must not grow with both.
func BenchmarkWatch(b *testing.B) {
	for _, n := range []int{50, 500} {
		table, conns := population(rand.New(rand.NewPCG(1, 1)), 2*n, n)
		b.Run(fmt.Sprintf("%d agents", n), func(b *testing.B) {
			for b.Loop() {
				t := familiesOf(table)
				for _, c := range conns {
					c.kin.note(t, t.of(c))
				}
			}
		})
		b.Run(fmt.Sprintf("%d agents, each by itself", n), func(b *testing.B) {
			for b.Loop() {
				for _, c := range conns {
					below(table, c.knows)
				}
			}
		})
	}
}
