package budget

import (
	"cmp"
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// KindUnpriced is the kind of the notice that nobody knows what a model costs. An agent's port says it as well, where the daemon has prices and not that one.
const KindUnpriced = "price_unknown"

// Unpriced knows whether the agent that runs has used tokens whose cost nobody knows: a limit of cost would wait for them for ever.
type Unpriced struct {
	seen  bool   // it has
	model string // the first one; empty: the agent does not name it
	said  bool   // the log says so already
}

// Begin is called at each start of the agent.
func (u *Unpriced) Begin() { *u = Unpriced{} }

// Used takes what a request has used.
func (u *Unpriced) Used(p *protocol.TokenUsage) {
	if p.Cost == nil && !u.seen {
		u.seen, u.model = true, p.Model
	}
}

// Told takes a notice of the agent's side.
func (u *Unpriced) Told(kind string) { u.said = u.said || kind == KindUnpriced }

// Notice is what the log of a session is to say, once for each start of its agent; nil: nothing. above says that a limit of cost of a tree or of its owner
// concerns the session, own is its own budget, and model the session's. The limit may have come after the tokens.
func (u *Unpriced) Notice(above bool, own *protocol.Budget, model string) *protocol.SystemData {
	if !u.seen || u.said || !above && (own == nil || !BoundsCost(own.Session) && !BoundsCost(own.Tree)) {
		return nil
	}
	u.said = true
	named := "a model that the agent does not name"
	if model = cmp.Or(u.model, model); model != "" {
		named = fmt.Sprintf("the model %.256s", model)
	}
	return &protocol.SystemData{
		Level: "warning", Kind: KindUnpriced,
		Text: "What " + named + " costs is not known: the agent does not say it, and the daemon has no price for it. The limit of cost does not count it.",
	}
}

// BoundsCost says that there is a limit of cost among limits. They may be nil.
func BoundsCost(l *protocol.Limits) bool { return l != nil && l.CostMicros > 0 }

// TreeBoundsCost says that the tree of a session has a limit of cost.
func (l *Ledger) TreeBoundsCost(root string) bool {
	rule, is := l.Rule(root)
	return is && BoundsCost(rule.Limits)
}

// BoundCosts has those of some owners whose sessions have a limit of cost, with no models as yet.
func (l *Ledger) BoundCosts(owners []string) map[string]Models {
	bound := map[string]Models{}
	for _, name := range owners {
		if l.OwnerBoundsCost(name) {
			bound[name] = Models{}
		}
	}
	return bound
}

// AboveBoundsCost says that a limit of cost concerns a session: one of a tree that it is part of, or of its owner.
func (l *Ledger) AboveBoundsCost(id, owner string) bool {
	for e := range l.up(id) {
		if l.TreeBoundsCost(e.id) {
			return true
		}
	}
	return l.OwnerBoundsCost(owner)
}
