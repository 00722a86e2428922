package roster

import "strconv"

// Choice names sessions by what the roster has sets of. Empty members choose all.
type Choice struct {
	Owner, Parent, Agent, Cwd string
	Active                    *bool // true: not ended; false: ended
}

// set names the sessions that have one thing in common. The zero value is no set.
type set struct {
	by common
	is string
}

// common is what the sessions of a set have in common.
type common uint8

const (
	byNothing common = iota + 1 // all sessions
	byOwner
	byParent
	byAgent
	byCwd
	byActive
)

// all is the set of all sessions.
var all = set{by: byNothing}

func setOf(by common, is string) set {
	if is == "" {
		return set{}
	}
	return set{by, is}
}

func active(is bool) set { return set{byActive, strconv.FormatBool(is)} }

// sets are those that a session is in: none where it is gone, or is nil.
func (s *Session) sets() [6]set {
	if s == nil || s.Gone {
		return [6]set{}
	}
	sum := s.summary
	return [...]set{
		all, setOf(byOwner, sum.Owner), setOf(byParent, sum.ParentSessionID), setOf(byAgent, sum.Agent), setOf(byCwd, sum.Cwd),
		active(!sum.Status.State.Ended()),
	}
}

// sets are those of which each has all that is chosen; none: all are.
func (c *Choice) sets() (list []set) {
	for _, s := range [...]set{setOf(byOwner, c.Owner), setOf(byParent, c.Parent), setOf(byAgent, c.Agent), setOf(byCwd, c.Cwd)} {
		if s != (set{}) {
			list = append(list, s)
		}
	}
	if c.Active != nil {
		list = append(list, active(*c.Active))
	}
	return list
}

// Whole says that what is chosen is one set: then it is counted without a look at each.
func (c *Choice) Whole() bool { return len(c.sets()) <= 1 }

// Look is a look at a part of the list. All of it is of one moment.
type Look struct {
	Sessions []*Session // the newest first, by their creation
	Of       int        // how many the set has that was looked at
	Revision uint64     // of the newest change by then
}

// Newest looks at the smallest set that has all of what is chosen, and gives at most so many of its sessions; after: only such as stand behind a place. It
// takes time for what it gives, whatever the number of sessions.
func (r *Roster) Newest(c *Choice, after *Place, most int) Look {
	chosen := c.sets()
	r.mu.RLock()
	defer r.mu.RUnlock()
	of := r.sets[all]
	for _, s := range chosen {
		if has := r.sets[s]; has == nil || has.count < of.count {
			of = has
		}
		if of == nil {
			break
		}
	}
	if of == nil {
		return Look{Revision: r.now}
	}
	return Look{of.newest(after, most), of.count, r.now}
}

// place has a node in the sets of the session that it is to have now, and in no other.
func (r *Roster) place(n *node, now *Session) {
	was, is := n.session.sets(), now.sets()
	at := now.Place()
	moved := at != n.place
	for i, s := range was {
		if s != (set{}) && (moved || s != is[i]) {
			r.leave(s, n)
		}
	}
	n.place = at
	for i, s := range is {
		if s != (set{}) && (moved || s != was[i]) {
			r.join(s, n)
		}
	}
}

func (r *Roster) join(s set, n *node) {
	of := r.sets[s]
	if of == nil {
		of = new(order)
		r.sets[s] = of
	}
	of.add(n)
}

func (r *Roster) leave(s set, n *node) {
	of := r.sets[s]
	if of.remove(n); of.count == 0 {
		delete(r.sets, s)
	}
}
