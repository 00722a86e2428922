package supervisor_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corememory "github.com/ringmaster-agents/ringmaster/actors/core/memory"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor/placement"
)

// moving is a fight of nodes over sessions, and what somebody outside has seen of it.
type moving struct {
	t       *testing.T
	rand    *rand.Rand
	base    string
	place   *corememory.Place
	auto    bool
	nodes   []*peer
	ids     []string
	seen    map[string]map[protocol.Cursor]string // of each session, what was shown under a cursor
	settled map[string][]string                   // of each session, the texts of prompts that Core had
	said    int
	cuts    int
	moves   int
	refused int
}

func (m *moving) start(n int) { m.nodes[n] = startPeer(m.t, 'a'+byte(n), m.base, m.place, m.auto) }

// look reads what each node serves, and holds it against what was seen before.
func (m *moving) look() {
	m.t.Helper()
	for _, p := range m.nodes {
		for _, id := range m.ids {
			ref, err := p.all.Find(m.t.Context(), id)
			if err != nil {
				continue // of a session of which this node can know nothing in this moment
			}
			text, err := textOf(m.t, ref)
			if err != nil {
				continue
			}
			for at, line := range eventsOf(m.t, text) {
				if was, ok := m.seen[id][at]; ok && was != line {
					m.t.Fatalf("%s: %v was\n%s\nand is\n%s", id, at, was, line)
				}
				m.seen[id][at] = line
			}
		}
	}
}

// eventsOf gives the lines of a log under their cursors.
func eventsOf(t *testing.T, text string) map[protocol.Cursor]string {
	t.Helper()
	list, epoch, next := map[protocol.Cursor]string{}, uint64(1), uint64(1)
	for line := range strings.Lines(text) {
		e, err := protocol.Decode([]byte(line))
		if err != nil || e.Seq != next {
			t.Fatalf("the event behind %d is %s, %v", next-1, line, err)
		}
		if p, ok := e.Payload.(*protocol.Epoch); ok {
			epoch = p.Epoch
		}
		list[protocol.Cursor{Epoch: epoch, Seq: e.Seq}] = line
		next++
	}
	return list
}

func (m *moving) step() {
	p := m.nodes[m.rand.IntN(len(m.nodes))]
	switch n := m.rand.IntN(20); {
	case n < 11:
		m.prompt(p, m.ids[m.rand.IntN(len(m.ids))])
	case n < 14:
		m.cuts++
		p.link.Leave()
	case n < 18:
		p.link.Return()
	case n < 19:
		m.moves++
		p.moves.Drain(time.Duration(m.rand.IntN(10)) * time.Second)
	default:
		m.restart(slices.Index(m.nodes, p))
	}
	time.Sleep(time.Duration(m.rand.IntN(20_000)) * time.Millisecond)
	m.look()
}

// prompt has a session asked at a node, whichever has it.
func (m *moving) prompt(p *peer, id string) {
	m.t.Helper()
	for _, other := range m.nodes { // mostly one that has it
		if other.has(id) && m.rand.IntN(4) > 0 {
			p = other
		}
	}
	ref, err := p.all.Find(m.t.Context(), id)
	if err == nil {
		m.said++
		text := fmt.Sprintf("prompt %d\n```script\n"+`[{"say":{"text":"One two three %d.","every":"%dms"}}]`+"\n```", m.said, m.said, m.rand.IntN(3000))
		_, err = session.Ask(m.t.Context(), ref, &session.SendPrompt{Prompt: session.NewPrompt{Text: text}})
		if has, _ := p.InCore(m.t.Context(), id), err; err == nil && p.has(id) && has != nil && *has {
			m.settled[id] = append(m.settled[id], "prompt "+strconv.Itoa(m.said)+`\n`)
		}
	}
	if err != nil {
		m.refused++
	}
}

// restart ends a node in order, and starts another daemon on its folder.
func (m *moving) restart(n int) {
	p := m.nodes[n]
	p.end()
	time.Sleep(time.Duration(m.rand.IntN(60)) * time.Second)
	m.start(n)
}

// settle has all be well again, and looks what has become of it.
func (m *moving) settle() {
	m.t.Helper()
	for n, p := range m.nodes {
		p.link.Return()
		if _, drains := p.moves.Draining(); drains {
			m.restart(n)
		}
	}
	time.Sleep(5 * placement.Lease)
	for _, id := range m.ids { // whoever has it goes on with it
		m.prompt(m.nodes[0], id)
	}
	time.Sleep(time.Minute)
	m.look()
	for _, id := range m.ids {
		m.judge(id)
	}
}

func (m *moving) count() (n int) {
	for _, texts := range m.settled {
		n += len(texts)
	}
	return n
}

func (m *moving) judge(id string) {
	m.t.Helper()
	var owners []*peer
	for _, p := range m.nodes {
		if p.has(id) {
			owners = append(owners, p)
		}
	}
	if len(owners) != 1 {
		m.t.Fatalf("%d nodes have %s", len(owners), id)
	}
	log := owners[0].file(id)
	owners[0].same(id)
	for n, p := range m.nodes {
		if p.text(id) != log {
			m.t.Errorf("node %d serves another log of %s", n, id)
		}
	}
	final := eventsOf(m.t, log)
	firsts := map[uint64]uint64{}
	for at := range final {
		if first, ok := firsts[at.Epoch]; !ok || at.Seq < first {
			firsts[at.Epoch] = at.Seq
		}
	}
	for at, line := range m.seen[id] {
		if _, ok := final[at]; ok {
			continue
		}
		isAnnounced := false
		for epoch, first := range firsts {
			isAnnounced = isAnnounced || epoch > at.Epoch && first <= at.Seq
		}
		if _, known := firsts[at.Epoch]; !isAnnounced && known {
			m.t.Errorf("%s: %v was seen and is gone, and no later epoch says so: %s", id, at, line)
		}
	}
	for _, text := range m.settled[id] {
		if !strings.Contains(log, text) {
			m.t.Errorf("%s: Core had the prompt %q, and the log does not have it", id, text)
		}
	}
}

// TestNodesFightOverSessions: three nodes are cut off, drain and restart at random while sessions are asked at any of them: no cursor ever names other bytes,
// nothing that was seen is gone without a later epoch, what Core had stays, and in the end one node has each session and all serve the same bytes.
//
// Proves: I16.6/fight
func TestNodesFightOverSessions(t *testing.T) {
	rounds, steps := 3, 40
	if thorough {
		rounds, steps = 60, 100
	}
	for seed := range uint64(rounds) {
		for _, auto := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d %t", seed, auto), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := &moving{
						t: t, rand: rand.New(rand.NewPCG(seed, 7)), base: t.TempDir(), place: new(corememory.Place), auto: auto, nodes: make([]*peer, 3),
						seen: map[string]map[protocol.Cursor]string{}, settled: map[string][]string{},
					}
					for n := range m.nodes {
						m.start(n)
					}
					time.Sleep(2 * placement.Lease)
					for n := range 4 {
						id := m.nodes[n%3].create().ID
						m.ids, m.seen[id] = append(m.ids, id), map[protocol.Cursor]string{}
					}
					settle()
					for range steps {
						m.step()
					}
					m.settle()
					for _, p := range m.nodes {
						p.end()
					}
					kinds := map[string]int{}
					for _, p := range m.nodes {
						for _, id := range m.ids {
							for _, name := range p.aside(id) {
								kind, _, _ := strings.Cut(name, ".")
								kinds[kind]++
							}
						}
					}
					t.Logf("%d prompts, %d refused, %d settled, %d cuts, %d drains, set aside %v", m.said, m.refused, m.count(), m.cuts, m.moves, kinds)
				})
			})
		}
	}
}
