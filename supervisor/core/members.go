package core

import (
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxDepth bounds how far a session's ancestors are followed.
const maxDepth = 64

// members are all sessions that the daemon knows, with their kin.
type members struct {
	byID map[string]*member
	live map[*member]struct{} // those that have an actor: what is done every minute looks at these alone
	kin  kin
}

func newMembers() members {
	return members{byID: map[string]*member{}, live: map[*member]struct{}{}, kin: newKin()}
}

// join and leave are the only ways into the members and out; told is how a summary changes.
func (s *members) join(x *member) {
	s.byID[x.summary.ID] = x
	s.kin.move(x, x.summary)
}

func (s *members) leave(x *member) {
	delete(s.byID, x.summary.ID)
	delete(s.live, x)
	s.kin.move(x, nil)
}

// lives notes whether a member has an actor.
func (s *members) lives(x *member, live bool) {
	if x.live = live; live {
		s.live[x] = struct{}{}
	} else {
		delete(s.live, x)
	}
}

func (s *members) told(x *member) { s.kin.move(x, x.summary) }

// get gives a session that is not being deleted; nil: there is none.
func (s *members) get(id string) *member {
	if x := s.byID[id]; x != nil && !x.deleted() {
		return x
	}
	return nil
}

// parent is the session that another one works for; nil: there is none.
func (s *members) parent(x *member) *member { return s.byID[x.summary.ParentSessionID] }

// root is the nearest ancestor that is neither a sub-agent nor spawned, or the last one that exists: people answer there the requests of the
// sessions below.
func (s *members) root(x *member) *member {
	for range maxDepth {
		p := s.parent(x)
		if !dependent(x) || p == nil {
			break
		}
		x = p
	}
	return x
}

// worksFor says that a session works for another one, directly or at any depth.
func (s *members) worksFor(x, other *member) bool {
	for range maxDepth {
		p := s.parent(x)
		if p == nil {
			return false
		}
		if p == other {
			return true
		}
		x = p
	}
	return false
}

// connected is the session that has the connection of a sub-agent.
func (s *members) connected(x *member) *member {
	for range maxDepth {
		p := s.parent(x)
		if !x.summary.SubAgent || p == nil {
			break
		}
		x = p
	}
	return x
}

// workingChildren counts the sub-agents of a connection that are at work, or about to be connected. Idle ones do not count: the sub-agents of some
// agents stay connected as long as their parent.
func (s *members) workingChildren(of *member) int {
	n := 0
	for _, x := range append(s.kin.all(of), of) {
		working := x.wanted > 0 || x.linked != 0 && x.summary.Status.State != protocol.StateIdle
		if x.summary.SubAgent && working && s.connected(x) == of {
			n++
		}
	}
	return n
}

// childrenOf are a session's own sub-agents and the sessions that its agent made.
func (s *members) childrenOf(id string) []*member {
	var list []*member
	for x := range s.kin.below[id] {
		if dependent(x) && !x.deleted() {
			list = append(list, x)
		}
	}
	return byID(list)
}

// inOrder are all sessions by their ids, so that equal inputs have equal effects.
func (s *members) inOrder() []*member { return byID(slices.Collect(maps.Values(s.byID))) }

// alive are the sessions that have an actor, likewise.
func (s *members) alive() []*member { return byID(slices.Collect(maps.Keys(s.live))) }

func byID(list []*member) []*member {
	slices.SortFunc(list, func(a, b *member) int { return strings.Compare(a.summary.ID, b.summary.ID) })
	return list
}

// tree are a session, all above it and all below these: it goes as a whole. The topmost is first.
func (s *members) tree(x *member) []*member {
	for range maxDepth {
		p := s.parent(x)
		if p == nil {
			break
		}
		x = p
	}
	return append([]*member{x}, s.kin.all(x)...)
}

// busyFamilies are the sessions that have a sub-agent at work, at any depth: putting them away would end it.
func (s *members) busyFamilies() map[*member]bool {
	busy := map[*member]bool{}
	for x := range s.live {
		if !x.summary.SubAgent || !x.summary.Status.State.Busy() {
			continue
		}
		for p := s.parent(x); p != nil && !busy[p]; p = s.parent(p) {
			busy[p] = true
			if !p.summary.SubAgent {
				break
			}
		}
	}
	return busy
}

// spawnDepth is how many sessions that agents made stand above and at a session, up to the one that a client made.
func (s *members) spawnDepth(x *member) int {
	depth := 0
	for range maxDepth {
		if x.summary.Spawned {
			depth++
		}
		p := s.parent(x)
		if !dependent(x) || p == nil {
			break
		}
		x = p
	}
	return depth
}

// onNative are the sessions that work with an agent's own session, or did.
func (s *members) onNative(agent, id string) []*member { return s.kin.native[nativeKey{agent, id}] }
