package budget

import (
	"maps"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// owner is what all sessions of an owner use together.
type owner struct {
	Sum            // of all sessions that are there, and what those have used here that were removed since the ledger was made
	lost   Use     // of it, what those that were removed have used
	before Use     // of it, what those that are there had used before they came here
	less   Use     // of it, what does not count: it was used before the owner's budget was set
	rule   *Tenant // nil: the owner has no budget
}

// tenants are the owners of sessions.
type tenants struct{ owners map[string]*owner }

func (o *tenants) owner(name string) *owner {
	of := o.owners[name]
	if of == nil {
		of = new(owner)
		o.owners[name] = of
	}
	return of
}

// SetOwner gives an owner a budget, in the place of the one before. It counts what is used from now on where there was none before, or where it begins
// anew; otherwise it goes on. A budget without limits takes it away. What comes back is to be kept.
func (o *tenants) SetOwner(t Tenant, anew bool, now int64) Line {
	if t.Limits == nil {
		if of := o.owners[t.Owner]; of != nil {
			of.rule, of.less = nil, Use{}
		}
		return Line{Owner: &Tenant{Owner: t.Owner}}
	}
	of := o.owner(t.Owner)
	if of.rule == nil || anew {
		less, _ := of.Use(now)
		of.less = less.without(of.before)
		t.Since = now
	} else {
		t.Since = of.rule.Since
	}
	of.rule = &t
	return Line{Owner: o.Tenant(t.Owner)}
}

// Tenant is the budget of an owner as it is kept; nil: there is none.
func (o *tenants) Tenant(name string) *Tenant {
	of := o.owners[name]
	if of == nil || of.rule == nil {
		return nil
	}
	t := *of.rule
	t.Less = of.less.without(of.lost)
	return &t
}

// Tenants are the owners that have a budget, by name.
func (o *tenants) Tenants() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(o.owners)) {
		if o.owners[name].rule != nil {
			list = append(list, name)
		}
	}
	return list
}

// TimedOwners are the owners that have a limit of time at work, by name.
func (o *tenants) TimedOwners() (names []string) {
	for _, name := range o.Tenants() {
		if o.owners[name].rule.Limits.WorkMs > 0 {
			names = append(names, name)
		}
	}
	return names
}

// OwnerRule is the limits of an owner; false: there are none.
func (o *tenants) OwnerRule(name string) (Rule, bool) {
	of := o.owners[name]
	if name == "" || of == nil || of.rule == nil {
		return Rule{}, false
	}
	t := of.rule
	return Rule{protocol.ScopeOwner, name, t.Limits, t.Action, t.WarnAt}, true
}

// OwnerUse is what all sessions of an owner have used here together as of a time, Unix ms, since its budget began to count, and how many are at work.
// Without a budget it is all that the sessions have used that are there.
func (o *tenants) OwnerUse(name string, now int64) (u Use, working int64) {
	of := o.owners[name]
	if of == nil {
		return u, 0
	}
	u, working = of.Use(now)
	if of.rule == nil {
		return u.without(of.lost), working
	}
	return u.without(of.before).without(of.less), working
}

// OwnerBoundsCost says that the sessions of an owner have a limit of cost.
func (o *tenants) OwnerBoundsCost(name string) bool {
	rule, is := o.OwnerRule(name)
	return is && BoundsCost(rule.Limits)
}
