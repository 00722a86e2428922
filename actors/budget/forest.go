package budget

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxDepth bounds how far the sessions above one are followed.
const maxDepth = 64

// forest is the sessions, each below the one that it works for.
type forest struct{ entries map[string]*entry }

// entry is one session. There is one for each session that the daemon has.
type entry struct {
	id, parent, owner string
	epoch, seq        uint64
	own               Use
	since             int64 // WorkingSince
	budget            *protocol.Budget
	came              *Came
	known             bool    // there was a report of it: else sessions below it are known alone
	gone              bool    // it was removed; sessions below it were not
	branch            *branch // the tree below it; nil: there is nothing but itself
}

// branch is what only sessions have that others are below, or were.
type branch struct {
	past     Use // what removed sessions below it had used, of which nothing else is known any more; of one that is gone, nothing
	tree     Sum
	children int   // entries whose parent it is
	below    int64 // entries below it, at any depth
}

// leaf is the branch of all that have none. It does not change.
var leaf branch

// has is what is below an entry, for reading all but its tree.
func (e *entry) has() *branch {
	if e.branch == nil {
		return &leaf
	}
	return e.branch
}

// grow gives an entry a branch.
func (e *entry) grow() *branch {
	if e.branch == nil {
		e.branch = &branch{tree: e.sum()}
	}
	return e.branch
}

// sum is what an entry and all below it have used.
func (e *entry) sum() (s Sum) {
	if e.branch != nil {
		return e.branch.tree
	}
	s.count(&e.own, e.since, 1)
	return s
}

// Came is what a session has brought to the node that it has come to. It stands in the session's own record, from before the session is there.
type Came struct {
	Before Use `json:"before,omitzero"` // that it had used itself: its owner has not used it here
	Past   Use `json:"past,omitzero"`   // that removed sessions below it had used
}

// hang puts a session, with the tree that is known below it, below its parent. Reports come in any order: a parent may be known by its children alone.
func (f *forest) hang(e *entry) {
	if e.parent == "" {
		return
	}
	for up := range f.up(e.parent) {
		if up == e {
			e.parent = "" // a circle: a record is wrong
			return
		}
	}
	p := f.entries[e.parent]
	if p == nil {
		p = &entry{id: e.parent}
		f.entries[e.parent] = p
	}
	p.grow().children++
	sum, below := e.sum(), e.has().below+1
	for up := range f.up(e.parent) {
		up := up.grow()
		up.tree.merge(&sum, 1)
		up.below += below
	}
}

// up goes from a session to those above it.
func (f *forest) up(id string) func(yield func(*entry) bool) {
	return func(yield func(*entry) bool) {
		for range maxDepth {
			e := f.entries[id]
			if e == nil || !yield(e) || e.parent == "" {
				return
			}
			id = e.parent
		}
	}
}

// Above are the sessions whose trees a session is part of: itself first.
func (f *forest) Above(id string) []string {
	var list []string
	for e := range f.up(id) {
		list = append(list, e.id)
	}
	return list
}

// Tree is what a session and all below it use together.
func (f *forest) Tree(id string) *Sum {
	if e := f.entries[id]; e != nil {
		sum := e.sum()
		return &sum
	}
	return new(Sum)
}

// Children is how many sessions were made to work for one, as far as is known: its log may not tell of the newest yet.
func (f *forest) Children(id string) int64 {
	if e := f.entries[id]; e != nil {
		return max(e.own.Children, int64(e.has().children))
	}
	return 0
}

// Below is how many sessions are known below one, at any depth.
func (f *forest) Below(id string) (n int64) {
	if e := f.entries[id]; e != nil {
		n = e.has().below
	}
	return n
}

// Past is what removed sessions below one had used.
func (f *forest) Past(id string) Use {
	if e := f.entries[id]; e != nil {
		return e.has().past
	}
	return Use{}
}

// Pasts are the sessions below which others were removed, by id.
func (f *forest) Pasts() (list []string) {
	for id, e := range f.entries {
		if e.has().past != (Use{}) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// Heir is the session that has used what one had that is removed: the nearest above it that is not gone; "": there is none.
func (f *forest) Heir(id string) string {
	if e := f.entries[id]; e != nil {
		if up := f.heir(f.entries[e.parent]); up != nil {
			return up.id
		}
	}
	return ""
}

// heir is an entry that is not gone: this one, or the nearest above it.
func (f *forest) heir(e *entry) *entry {
	for e != nil && e.gone {
		e = f.entries[e.parent]
	}
	return e
}

// lose adds what a removed session had used to the one that is to count it; nil: nobody counts it.
func (f *forest) lose(e *entry, use *Use) {
	if e == nil || *use == (Use{}) {
		return
	}
	e.grow().past.add(use, 1)
	for up := range f.up(e.id) {
		up.grow().tree.use.add(use, 1)
	}
}

// fold takes an entry that is gone, and those above it that are, off the list where nothing is below them any more. It gives those of which something may be
// kept.
func (f *forest) fold(e *entry) (ids []string) {
	for e != nil && e.has().children == 0 && (e.gone || !e.known) {
		if e.gone || e.lost() != (Use{}) { // else nothing is kept of it
			ids = append(ids, e.id)
		}
		for up := range f.up(e.parent) {
			up.grow().below--
		}
		delete(f.entries, e.id)
		above := f.entries[e.parent]
		if above != nil {
			above.branch.children--
		}
		e = above
	}
	return ids
}

// before is what a session had used before it came here, as far as it has used that: its log may have lost something.
func (e *entry) before() (u Use) {
	if e.came != nil {
		u = e.own.upTo(e.came.Before)
	}
	return u
}

// brought is what sessions below one had used that were removed before it came here, and lost what those had that were removed since.
func (e *entry) brought() (u Use) {
	if e.came != nil {
		u = e.came.Past
	}
	return u
}

func (e *entry) lost() Use { return e.has().past.without(e.brought()) }
