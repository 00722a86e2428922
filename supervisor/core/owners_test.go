package core

import (
	"slices"
	"testing"

	"github.com/ringmaster-agents/ringmaster/actors/budget"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// TestTenanciesNameModels: a budget of an owner names the models that its limit of cost does not count, those of the owner's sessions that go on and of nobody
// else's. One without such a limit names none.
func TestTenanciesNameModels(t *testing.T) {
	s := newScript(t)
	s.play(`given boot
given program pi path=/bin/pi
given program codex path=/bin/codex
given create a owner=ann
given create b owner=ann agent=codex
given create c owner=bob
given opened a
given announce a state=terminated seq=4
`)
	for owner, limits := range map[string]*protocol.Limits{"ann": {CostMicros: 5}, "bob": {Tokens: 5}} {
		s.core.Step(s.now, &SetOwnerBudget{Ticket: s.asks(), Budget: budget.Tenant{Owner: owner, Limits: limits}})
	}
	named := func(owners ...string) (all [][]budget.Model) {
		for _, ten := range s.core.Tenancies(s.now.UnixMilli(), owners...) {
			all = append(all, ten.Unpriced)
		}
		return all
	}
	ann := []budget.Model{{Agent: "codex"}}
	if got := named(); len(got) != 2 || !slices.Equal(got[0], ann) || len(got[1]) != 0 {
		t.Errorf("all owners: %v", got)
	}
	if got := named("ann"); len(got) != 1 || !slices.Equal(got[0], ann) {
		t.Errorf("ann: %v", got)
	}
	if got := named("nobody"); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("an owner without a budget: %v", got)
	}
	s.core.cfg.Priced = func(string) bool { return true }
	if got := named("ann"); len(got[0]) != 0 {
		t.Errorf("with prices: %v", got)
	}
}
