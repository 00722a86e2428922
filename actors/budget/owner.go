package budget

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// owner is what all sessions of an owner use together.
type owner struct {
	Sum          // of all sessions that are there, or were removed since the ledger was made
	lost Use     // of it, what those that were removed had used
	less Use     // of it, what does not count: it was used before the owner's budget was set
	rule *Tenant // nil: the owner has no budget
}

func (l *Ledger) owner(name string) *owner {
	of := l.owners[name]
	if of == nil {
		of = new(owner)
		l.owners[name] = of
	}
	return of
}

// SetOwner gives an owner a budget, in the place of the one before. It counts what is used from now on where there was none before, or where it begins
// anew; otherwise it goes on. A budget without limits takes it away. What comes back is to be kept.
func (l *Ledger) SetOwner(t Tenant, anew bool, now int64) Line {
	if t.Limits == nil {
		if of := l.owners[t.Owner]; of != nil {
			of.rule, of.less = nil, Use{}
		}
		return Line{Owner: &Tenant{Owner: t.Owner}}
	}
	of := l.owner(t.Owner)
	if of.rule == nil || anew {
		of.less, _ = of.Use(now)
		t.Since = now
	} else {
		t.Since = of.rule.Since
	}
	of.rule = &t
	return Line{Owner: l.Tenant(t.Owner)}
}

// Tenant is the budget of an owner as it is kept; nil: there is none.
func (l *Ledger) Tenant(name string) *Tenant {
	of := l.owners[name]
	if of == nil || of.rule == nil {
		return nil
	}
	t := *of.rule
	t.Less = of.less.without(of.lost)
	return &t
}

// Tenants are the owners that have a budget, by name.
func (l *Ledger) Tenants() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(l.owners)) {
		if l.owners[name].rule != nil {
			list = append(list, name)
		}
	}
	return list
}

// TimedOwners are the owners that have a limit of time at work, by name.
func (l *Ledger) TimedOwners() (names []string) {
	for _, name := range l.Tenants() {
		if l.owners[name].rule.Limits.WorkMs > 0 {
			names = append(names, name)
		}
	}
	return names
}

// OwnerRule is the limits of an owner; false: there are none.
func (l *Ledger) OwnerRule(name string) (Rule, bool) {
	of := l.owners[name]
	if name == "" || of == nil || of.rule == nil {
		return Rule{}, false
	}
	t := of.rule
	return Rule{protocol.ScopeOwner, name, t.Limits, t.Action, t.WarnAt}, true
}

// OwnerUse is what all sessions of an owner have used together as of a time, Unix ms, since its budget began to count, and how many are at work. Without
// a budget it is all that the sessions have used that are there.
func (l *Ledger) OwnerUse(name string, now int64) (u Use, working int64) {
	of := l.owners[name]
	if of == nil {
		return u, 0
	}
	u, working = of.Use(now)
	if of.rule == nil {
		return u.without(of.lost), working
	}
	return u.without(of.less), working
}

// OwnerChildren is how many sessions were made to work for those of an owner since its budget began to count, as far as is known: logs may not tell of
// the newest yet. It looks at all sessions.
func (l *Ledger) OwnerChildren(name string) int64 {
	u, _ := l.OwnerUse(name, 0)
	n := u.Children
	for _, e := range l.entries {
		if e.owner == name {
			n += max(0, int64(e.has().children)-e.own.Children)
		}
	}
	return n
}
