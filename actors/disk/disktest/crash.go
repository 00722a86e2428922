package disktest

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// folder stands for a folder among the names.
const folder = -1

// tree is the state of a disk: what programs see, and what is safe.
type tree struct {
	nodes   []*node
	names   map[string]int // what programs see
	durable map[string]int
	pending map[string][]Op // changes of names that are not safe, by folder
}

// node is the content of one file.
type node struct {
	bytes   []byte
	durable []byte
	pending []change
}

// change is a write or truncation that is not safe.
type change struct {
	at       int64
	data     []byte
	truncate bool
	doomed   bool // a sync of it failed: no later one makes it safe
}

func newTree() *tree {
	return &tree{names: map[string]int{".": folder}, durable: map[string]int{".": folder}, pending: map[string][]Op{}}
}

// clone copies the tree; contents are shared, since changes are made on copies of them.
func (t *tree) clone() *tree {
	to := &tree{names: maps.Clone(t.names), durable: maps.Clone(t.durable), pending: map[string][]Op{}}
	for dir, ops := range t.pending {
		to.pending[dir] = slices.Clone(ops)
	}
	for _, n := range t.nodes {
		c := *n
		c.pending = slices.Clone(n.pending)
		to.nodes = append(to.nodes, &c)
	}
	return to
}

func (t *tree) there(name string) error {
	if _, ok := t.names[name]; !ok {
		return fs.ErrNotExist
	}
	return nil
}

func (t *tree) free(name string) error {
	if t.there(name) == nil {
		return fs.ErrExist
	}
	return t.there(filepath.Dir(name))
}

func (t *tree) file(name string) *node {
	if n, ok := t.names[name]; ok && n != folder {
		return t.nodes[n]
	}
	return nil
}

func (t *tree) add(name string) *node {
	t.nodes = append(t.nodes, &node{})
	t.names[name] = len(t.nodes) - 1
	return t.nodes[len(t.nodes)-1]
}

// bare says why a name cannot be removed: it is not there, or a folder that something is in.
func (t *tree) bare(name string) error {
	if t.names[name] == folder {
		for other := range t.names {
			if other != "." && filepath.Dir(other) == name {
				return syscall.ENOTEMPTY
			}
		}
	}
	return t.there(name)
}

func (t *tree) size() (sum int64) {
	for _, n := range t.names {
		if n != folder {
			sum += int64(len(t.nodes[n].bytes))
		}
	}
	return sum
}

// apply does what an operation does. One that failed does nothing but a part of its write, and damns what it should have
// synced.
func (t *tree) apply(op Op) {
	switch op.Kind {
	case "write", "patch":
		n := t.nodes[op.node]
		c := change{at: int64(len(n.bytes)), data: op.Data}
		if op.Kind == "patch" {
			c.at = op.Size
		}
		n.bytes = c.on(n.bytes)
		n.pending = append(n.pending, c)
		return
	case "sync":
		t.nodes[op.node].sync(op.Failed)
		return
	}
	if op.Failed {
		return
	}
	switch op.Kind {
	case "truncate":
		n := t.nodes[op.node]
		c := change{at: op.Size, truncate: true}
		n.bytes = c.on(n.bytes)
		n.pending = append(n.pending, c)
	case "syncdir":
		for _, p := range t.pending[op.Name] {
			rename(t.durable, p)
		}
		delete(t.pending, op.Name)
	case "create":
		t.add(op.Name)
		op.node = t.names[op.Name]
		t.pend(op)
	default:
		rename(t.names, op)
		t.pend(op)
	}
}

func (t *tree) pend(op Op) {
	if op.Kind == "mkdir" {
		t.names[op.Name] = folder
	}
	dir := filepath.Dir(op.Name)
	t.pending[dir] = append(t.pending[dir], op)
}

// rename changes names as an operation says.
func rename(names map[string]int, op Op) {
	switch op.Kind {
	case "mkdir":
		names[op.Name] = folder
	case "create", "link":
		names[op.Name] = op.node
	case "remove":
		delete(names, op.Name)
	case "removeall", "rename":
		for name, n := range names {
			if rest, ok := strings.CutPrefix(name, op.Name); ok && (rest == "" || rest[0] == filepath.Separator) {
				delete(names, name)
				if op.Kind == "rename" {
					names[op.To+rest] = n
				}
			}
		}
	}
}

func (n *node) sync(failed bool) {
	var left []change
	for _, c := range n.pending {
		if failed {
			c.doomed = true
		}
		if c.doomed {
			left = append(left, c)
			continue
		}
		n.durable = c.on(n.durable)
	}
	n.pending = left
}

// on makes the change on a copy of b.
func (c change) on(b []byte) []byte {
	size := max(int64(len(b)), c.at+int64(len(c.data)))
	if c.truncate {
		size = c.at
	}
	to := make([]byte, size)
	copy(to, b)
	copy(to[c.at:], c.data)
	return to
}

// Replay goes through what happened on a disk once more, change by change, to show what could be left after each.
type Replay struct {
	now *tree
	ops []Op // those to come
}

// Replay begins before the first change.
func (d *Disk) Replay() *Replay {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &Replay{now: d.base.clone(), ops: d.ops[:len(d.ops):len(d.ops)]}
}

// Next makes the next change and gives it; false: there is none.
func (r *Replay) Next() (op Op, more bool) {
	if len(r.ops) == 0 {
		return op, false
	}
	op, r.ops = r.ops[0], r.ops[1:]
	r.now.apply(op)
	return op, true
}

func after(d *Disk, n int) *Replay {
	r := d.Replay()
	for range n {
		r.Next()
	}
	return r
}

// Kill is the disk after the first n changes as the end of the process leaves it: nothing is lost.
func (d *Disk) Kill(n int) *Disk { return after(d, n).Kill() }

// Crash is the disk after the first n changes as a loss of power could leave it; see Replay.Crash.
func (d *Disk) Crash(n int, r *rand.Rand) *Disk { return after(d, n).Crash(r) }

// Kill is the disk as the end of the process would leave it now: nothing is lost.
func (r *Replay) Kill() *Disk { return &Disk{base: r.now.clone(), now: r.now.clone()} }

// Crash is the disk as a loss of power could leave it now: of what was not synced, random chooses for each write whether it is kept,
// lost, torn, or left as zeros, all of it or what follows some place, and for each folder how many of the last changes of names are lost. A nil random
// loses all of it.
func (r *Replay) Crash(random *rand.Rand) *Disk {
	t := r.now.clone()
	for _, dir := range slices.Sorted(maps.Keys(t.pending)) {
		ops := t.pending[dir]
		keep := 0
		if random != nil {
			keep = random.IntN(len(ops) + 1)
		}
		for _, op := range ops[:keep] {
			rename(t.durable, op)
		}
	}
	for _, f := range t.nodes {
		for _, c := range f.pending {
			if random != nil {
				f.durable = c.after(f.durable, random)
			}
		}
		f.bytes, f.pending = f.durable, nil
	}
	t.names = maps.Clone(t.durable)
	for name := range t.names { // what lies in a folder that was lost is lost
		for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
			if _, ok := t.durable[dir]; !ok {
				delete(t.names, name)
			}
		}
	}
	t.durable = maps.Clone(t.names)
	t.pending = map[string][]Op{}
	return &Disk{base: t.clone(), now: t}
}

// after makes of a change what a loss of power could.
func (c change) after(b []byte, r *rand.Rand) []byte {
	switch r.IntN(5) {
	case 0:
		return b
	case 1:
		return c.on(b)
	case 2:
		if c.truncate {
			return b
		}
		c.data = c.data[:r.IntN(len(c.data)+1)]
		return c.on(b)
	case 3:
		if c.truncate {
			return b
		}
		whole := c.data // its first pages were written, and the size that it gave the file
		c.data = make([]byte, len(whole))
		copy(c.data, whole[:r.IntN(len(whole)+1)])
		return c.on(b)
	default:
		if c.truncate {
			return c.on(b)
		}
		c.data = make([]byte, len(c.data))
		return c.on(b)
	}
}
