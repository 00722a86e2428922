package core

import (
	"slices"

	session "github.com/ringmaster-agents/ringmaster/actors/session/core"
)

// kin indexes the members for questions that are asked often, and is kept up to date as they come, change and go: an answer costs time for the
// members that it is about, not for all that there are.
type kin struct {
	below  map[string]map[*member]struct{} // members by the id of the one that they are below, which may not exist
	native map[nativeKey][]*member
	active int // not ended, without sub-agents
}

// nativeKey is an agent's own session.
type nativeKey struct{ agent, id string }

// place is where a member stands among its kin; the zero value: nowhere.
type place struct {
	parent string
	native nativeKey
	active bool
}

func newKin() kin {
	return kin{below: map[string]map[*member]struct{}{}, native: map[nativeKey][]*member{}}
}

func placeOf(sum *session.Summary) place {
	p := place{parent: sum.ParentSessionID, active: !sum.Status.State.Ended() && !sum.SubAgent}
	if sum.NativeSessionID != "" {
		p.native = nativeKey{sum.Agent, sum.NativeSessionID}
	}
	return p
}

// move takes a member from where it stood to where it stands by a summary; nil: nowhere.
func (k *kin) move(x *member, by *session.Summary) {
	var was, to place
	if x.placed != nil {
		was = placeOf(x.placed)
	}
	if by != nil {
		to = placeOf(by)
	}
	x.placed = by
	if was.active {
		k.active--
	}
	if to.active {
		k.active++
	}
	if was.parent != to.parent {
		if list := k.below[was.parent]; list != nil {
			if delete(list, x); len(list) == 0 {
				delete(k.below, was.parent)
			}
		}
		if to.parent != "" {
			if k.below[to.parent] == nil {
				k.below[to.parent] = map[*member]struct{}{}
			}
			k.below[to.parent][x] = struct{}{}
		}
	}
	if was.native != to.native {
		if i := slices.Index(k.native[was.native], x); i >= 0 {
			if k.native[was.native] = slices.Delete(k.native[was.native], i, i+1); len(k.native[was.native]) == 0 {
				delete(k.native, was.native)
			}
		}
		if to.native.id != "" {
			k.native[to.native] = append(k.native[to.native], x)
		}
	}
}

// all are the members below one, at any depth.
func (k *kin) all(x *member) []*member {
	var list []*member
	level := []*member{x}
	for range maxDepth {
		var next []*member
		for _, p := range level {
			for c := range k.below[p.summary.ID] {
				next = append(next, c)
			}
		}
		if len(next) == 0 {
			break
		}
		list = append(list, byID(next)...)
		level = next
	}
	return list
}
