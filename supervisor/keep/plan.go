package keep

import (
	"cmp"
	"slices"
	"time"
)

// Shelved is a session as retention sees it.
type Shelved struct {
	ID, Parent string
	Since      time.Time // its newest event
	Ended      bool
	Stays      string // why neither it nor its tree goes, for people; empty: nothing keeps it
	Bytes, Raw int64
	Sized      bool // they were measured
}

// Going is what goes, and why.
type Going struct {
	ID      string
	Why     Why
	Archive bool      // its native lines alone
	Bytes   int64     // that it has on the disk
	Since   time.Time // the newest event of its tree
}

// tree is a session with all that go with it.
type tree struct {
	first   string // id
	members []*Shelved
	newest  time.Time
	young   bool // one has not rested
	stays   bool
}

// Plan says what goes by a rule now, in order, of sessions of which the parents are among them. Retention does the same a piece at a time, and may do
// less where somebody uses what was at rest. Sizes in all are what is left afterwards.
func Plan(all []Shelved, rule *Rule, now time.Time) (list []Going) {
	trees := treesOf(all, now)
	total := int64(0)
	for i := range all {
		total += all[i].Bytes
	}
	gone := map[*tree]bool{}
	goes := func(t *tree, why Why) {
		gone[t] = true
		for _, x := range t.members {
			list = append(list, Going{ID: x.ID, Why: why, Bytes: x.Bytes, Since: t.newest})
			total -= x.Bytes
		}
	}
	for _, t := range trees {
		if rule.For > 0 && !t.stays && now.Sub(t.newest) >= rule.For {
			goes(t, WhyAge)
		}
	}
	if rule.Bytes <= 0 {
		return list
	}
	for _, l := range linesOf(trees, gone) {
		if x := l.of; total > rule.Bytes {
			list = append(list, Going{ID: x.ID, Why: WhyBytes, Archive: true, Bytes: x.Raw, Since: l.since})
			total -= x.Raw
			x.Bytes, x.Raw = x.Bytes-x.Raw, 0
		}
	}
	for _, t := range trees {
		if !t.stays && !gone[t] && total > rule.Bytes && !t.young {
			goes(t, WhyBytes)
		}
	}
	return list
}

// nativeLines are those of a session that may go without it.
type nativeLines struct {
	of    *Shelved
	since time.Time // of its tree
}

// linesOf are the native lines in the order in which they go: of trees that are equally new those of one need not follow each other.
func linesOf(trees []*tree, gone map[*tree]bool) (list []nativeLines) {
	for _, t := range trees {
		for _, x := range t.members {
			if !t.stays && !gone[t] && x.Raw > 0 {
				list = append(list, nativeLines{x, t.newest})
			}
		}
	}
	slices.SortFunc(list, func(a, b nativeLines) int { return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.of.ID, b.of.ID)) })
	return list
}

// treesOf are the trees in the order in which they go, each with its members in order.
func treesOf(all []Shelved, now time.Time) []*tree {
	byID := make(map[string]*Shelved, len(all))
	for i := range all {
		byID[all[i].ID] = &all[i]
	}
	byTop := map[string]*tree{}
	for i := range all {
		x := &all[i]
		top := x
		for range MaxDepth {
			p := byID[top.Parent]
			if p == nil {
				break
			}
			top = p
		}
		t := byTop[top.ID]
		if t == nil {
			t = &tree{first: x.ID}
			byTop[top.ID] = t
		}
		t.members = append(t.members, x)
		t.first = min(t.first, x.ID)
		t.young, t.stays = t.young || !Rested(x.Ended, x.Since, now), t.stays || x.Stays != ""
		if x.Since.After(t.newest) {
			t.newest = x.Since
		}
	}
	trees := make([]*tree, 0, len(byTop))
	for _, t := range byTop {
		slices.SortFunc(t.members, func(a, b *Shelved) int { return cmp.Compare(a.ID, b.ID) })
		trees = append(trees, t)
	}
	slices.SortFunc(trees, func(a, b *tree) int { return cmp.Or(a.newest.Compare(b.newest), cmp.Compare(a.first, b.first)) })
	return trees
}
