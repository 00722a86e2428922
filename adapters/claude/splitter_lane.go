package claude

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// lanes are the session's and those of its sub-agents.
type lanes struct {
	newest   adapters.Lane
	children map[string]*sub          // by native id
	agents   map[string]string        // native ids, by the agent's own id of the sub-agent
	names    map[string]string        // the same, as the parent learned it with the first line
	owners   map[string]adapters.Lane // which lane called a tool, by the call, while it runs
}

// sub is a sub-agent.
type sub struct {
	lane       adapters.Lane
	parent     adapters.Lane
	agent      string
	background bool
	over       bool
	left       bool // the session has left it: what it still says is nobody's
}

// root is the session's lane.
const root adapters.Lane = 1

func newLanes() lanes {
	return lanes{children: map[string]*sub{}, agents: map[string]string{}, names: map[string]string{}, owners: map[string]adapters.Lane{}}
}

// add gives the next lane.
func (l *lanes) add() adapters.Lane {
	l.newest++
	return l.newest
}

// born begins the lane of a sub-agent, or another one for one that was there. agent is the agent's own id of it, where the line that tells of it
// has one.
func (l *lanes) born(native, agent string) *sub {
	c := &sub{lane: l.add(), parent: l.live(l.owners[native])}
	if was := l.children[native]; was != nil {
		c.agent, c.background = was.agent, true // nobody waits for its result any more
	}
	if l.children[native] = c; agent != "" {
		c.agent, l.agents[agent], l.names[agent] = agent, native, native
	}
	return c
}

// named takes the agent's own id of a sub-agent.
func (l *lanes) named(c *sub, agent, native string) {
	if agent != "" {
		c.agent = agent
		l.agents[agent] = native
	}
}

// agent is the sub-agent of the agent's own id; nil: there is none.
func (l *lanes) agent(id string) *sub { return l.children[l.agents[id]] }

// on is the sub-agent of a lane.
func (l *lanes) on(lane adapters.Lane) *sub {
	if lane > root {
		for _, c := range l.children {
			if c.lane == lane {
				return c
			}
		}
	}
	return nil
}

// live is the lane, or that of the session where nobody is on it.
func (l *lanes) live(lane adapters.Lane) adapters.Lane {
	if c := l.on(lane); c != nil && !c.over && !c.left {
		return lane
	}
	return root
}

// sorted lists the sub-agents by their lanes.
func (l *lanes) sorted() []*sub {
	return slices.SortedFunc(maps.Values(l.children), func(a, b *sub) int { return cmp.Compare(a.lane, b.lane) })
}

// caller is the lane that has called a tool, else that of a sub-agent, else the session's.
func (l *lanes) caller(call, agent string) adapters.Lane {
	lane, known := l.owners[call]
	if c := l.agent(agent); !known && c != nil {
		lane = c.lane
	}
	return l.live(lane)
}

// end ends a sub-agent's lane, and the lanes of those that it waits for.
func (l *lanes) end(c *sub, out *adapters.Split) {
	for _, below := range l.sorted() {
		if below.parent == c.lane && !below.background {
			l.end(below, out)
		}
	}
	c.over = true
	l.forgetCalls(c.lane)
	out.Over(c.lane)
}

func (l *lanes) forgetCalls(lane adapters.Lane) {
	maps.DeleteFunc(l.owners, func(_ string, owner adapters.Lane) bool { return owner == lane })
}
