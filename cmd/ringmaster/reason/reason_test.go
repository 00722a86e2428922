package reason

import (
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Why a person is asked follows from the policy.
func TestAsked(t *testing.T) {
	q := protocol.RequestOpened{Kind: protocol.RequestApproval}
	for want, p := range map[string]*protocol.Policy{
		"This session has no policy, so every approval is asked.":         nil,
		"The session's policy is allow_reads, which does not cover this.": {Mode: protocol.PolicyAllowReads},
		"The one rule of the session's policy does not answer this.":      {Rules: make([]protocol.PolicyRule, 1)},
		"None of the 2 rules of the session's policy answers this.":       {Rules: make([]protocol.PolicyRule, 2)},
	} {
		if got := Asked(&q, p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	q.Guarded = true
	if got := Asked(&q, &protocol.Policy{Mode: protocol.PolicyAllowAll}); got != "It reaches into the daemon's own folder, which no policy answers." {
		t.Error(got)
	}
	q.Deadline, q.Default = 100_000, protocol.PolicyDeny
	if got := Deadline(&q, time.UnixMilli(19_000)); got != "denied in 1:21" {
		t.Error(got)
	}
}

func rules(texts ...string) []protocol.PolicyRule {
	var list []protocol.PolicyRule
	for _, text := range texts {
		action, rest, _ := strings.Cut(text, ":")
		tool, pattern, _ := strings.Cut(rest, ":")
		list = append(list, protocol.PolicyRule{Action: protocol.PolicyAction(action), Tool: tool, Pattern: pattern})
	}
	return list
}

// TestDecided: what of a policy has decided is said as the log says it, with the rule's own words where the policy is known.
func TestDecided(t *testing.T) {
	p := &protocol.Policy{Rules: rules("allow:execute:go test *", "deny_stop::*rm*")}
	for _, c := range []struct {
		r    protocol.RequestResolved
		p    *protocol.Policy
		want string
	}{
		{protocol.RequestResolved{By: "policy", Rule: 1}, p, `its rule 1: allow execute "go test *"`},
		{protocol.RequestResolved{By: "policy", Rule: 2}, p, `its rule 2: deny_stop "*rm*"`},
		{protocol.RequestResolved{By: "policy", Rule: 3}, p, "its rule 3"}, // of another policy
		{protocol.RequestResolved{By: "policy", Rule: 1}, nil, "its rule 1"},
		{protocol.RequestResolved{By: "policy", Mode: protocol.PolicyAllowAll}, nil, "its mode allow_all"},
		{protocol.RequestResolved{By: "policy", Message: "Nobody answered in time."}, p, ""},
		{protocol.RequestResolved{By: "client:a"}, p, ""},
	} {
		if got := Decided(&c.r, c.p); got != c.want {
			t.Errorf("%+v: %q, want %q", c.r, got, c.want)
		}
	}
}
