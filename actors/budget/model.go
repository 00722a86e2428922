package budget

import (
	"cmp"
	"maps"
	"slices"
)

// Model is what a session has answer it: an agent, and the agent's model. An empty name: nobody has said it yet.
type Model struct{ Agent, Name string }

// Models are some that were seen, each once: agents name models as they like, and there may be as many as sessions.
type Models map[Model]struct{}

// maxNamed bounds how many models are named to people.
const maxNamed = 16

// Named are the first of them, in the order of agents and names. What an agent has not named comes behind its others.
func (m Models) Named() []Model {
	last := func(name string) string { return cmp.Or(name, "\U0010ffff") }
	list := slices.SortedFunc(maps.Keys(m), func(a, b Model) int {
		return cmp.Or(cmp.Compare(a.Agent, b.Agent), cmp.Compare(last(a.Name), last(b.Name)))
	})
	return list[:min(len(list), maxNamed)]
}
