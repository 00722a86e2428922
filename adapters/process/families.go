package process

// families is a table of processes by all that ties one to its agent. What is below each of many agents is found by the agent's own processes, and not
// by a look at everybody's for each of them.
type families struct {
	live     map[id]found
	children map[int][]found    // by the parent's pid
	groups   map[int][]found    // by the process group
	marks    map[mark][]found   // of those that have one
	markers  map[string][]found // likewise
}

func familiesOf(table []found) *families {
	t := &families{
		live: make(map[id]found, len(table)), children: make(map[int][]found, len(table)), groups: make(map[int][]found, len(table)),
		marks: map[mark][]found{}, markers: map[string][]found{},
	}
	for _, f := range table {
		t.live[f.id()] = f
		t.children[f.parent] = append(t.children[f.parent], f)
		t.groups[f.group] = append(t.groups[f.group], f)
		if f.mark != 0 {
			t.marks[f.mark] = append(t.marks[f.mark], f)
		}
		if f.marker != "" {
			t.markers[f.marker] = append(t.markers[f.marker], f)
		}
	}
	return t
}

// of gives the processes that say that they are this agent's (Conn.knows). A table of who descends from whom has no control groups.
func (t *families) of(c *Conn) []found {
	out := append([]found(nil), t.groups[c.id.PID]...)
	if c.mark != 0 {
		out = append(out, t.marks[c.mark]...)
	}
	if c.id.Marker != "" {
		out = append(out, t.markers[c.id.Marker]...)
	}
	return out
}
