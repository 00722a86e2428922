package reason

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session/policy"
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

// What of a policy has decided is said as far as it follows from the policy, and no further.
func TestDecided(t *testing.T) {
	for _, c := range []struct {
		mode    protocol.PolicyMode
		rules   []protocol.PolicyRule
		outcome protocol.Outcome
		want    string
	}{
		{protocol.PolicyAllowAll, nil, protocol.OutcomeAllowed, "its mode allow_all"},
		{protocol.PolicyAsk, rules("allow:execute:go test *", "deny:edit"), protocol.OutcomeAllowed, `its rule 1: allow execute "go test *"`},
		{protocol.PolicyAllowAll, rules("allow:execute:go test *", "deny:edit"), protocol.OutcomeAllowed, `its rule 1: allow execute "go test *", or its mode allow_all`},
		{protocol.PolicyAsk, rules("allow:b*", "ask:edit", "allow:bash:x", "allow:execute", "allow:*"), protocol.OutcomeAllowed, "one of its rules 1, 3, 4"},
		{protocol.PolicyDenyAll, rules("allow:execute", "deny:bash"), protocol.OutcomeDenied, ""}, // rule 1 would have allowed it
		{protocol.PolicyDenyAll, rules("deny:edit", "allow:read"), protocol.OutcomeDenied, "its mode deny_all"},
		{protocol.PolicyAsk, rules("deny_stop::*rm*"), protocol.OutcomeDenied, `its rule 1: deny_stop "*rm*"`},
		{protocol.PolicyAsk, slices.Repeat(rules("allow:b*"), 7), protocol.OutcomeAllowed, "one of its 7 rules that answer so"},
	} {
		q := protocol.RequestOpened{RequestID: "r", Kind: protocol.RequestApproval, ToolName: "Bash", ToolKind: protocol.ToolExecute, Subject: "go test ./..."}
		r := protocol.RequestResolved{RequestID: "r", Outcome: c.outcome, By: "policy"}
		p := &protocol.Policy{Mode: c.mode, Rules: c.rules}
		if got := Decided(&q, &r, p); got != c.want {
			t.Errorf("%s %v: %q, want %q", c.mode, c.rules, got, c.want)
		}
		r.By = "client:a"
		if got := Decided(&q, &r, p); got != "" {
			t.Errorf("a person's answer: %q", got)
		}
	}
}

// Held against the policy itself, over random ones: the one part that is named is that without which the answer would have been another one, and no part
// that could have answered is left out.
func TestDecidedIsTrue(t *testing.T) {
	tools := []string{"", "execute", "read", "edit", "bash", "Bash", "b*", "mcp__*", "other", "grep"}
	patterns := []string{"", "*", "go test *", "/src/a*", "/src/**", "rm *"}
	actions := []protocol.PolicyAction{protocol.PolicyAllow, protocol.PolicyDeny, protocol.PolicyDenyStop, protocol.PolicyLeave}
	modes := []protocol.PolicyMode{"", protocol.PolicyAsk, protocol.PolicyAllowReads, protocol.PolicyAllowAll, protocol.PolicyDenyAll}
	requests := []protocol.RequestOpened{
		{ToolName: "Bash", ToolKind: protocol.ToolExecute, Subject: "go test ./..."},
		{ToolName: "Bash", ToolKind: protocol.ToolExecute, Subject: "rm -r x && go test ./..."},
		{ToolName: "read", ToolKind: protocol.ToolRead, Subject: "/src/a.go\n/src/b.go"},
		{ToolName: "grep", ToolKind: protocol.ToolSearch},
		{ToolName: "read", ToolKind: protocol.ToolEdit, Subject: "/src/a.go\n/tmp/x"}, // a name that is a kind
		{ToolName: "mcp__do", Subject: "anything"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	named := 0
	for range 30_000 {
		p := &protocol.Policy{Mode: modes[r.IntN(len(modes))]}
		for range r.IntN(5) {
			p.Rules = append(p.Rules, protocol.PolicyRule{Tool: tools[r.IntN(len(tools))], Pattern: patterns[r.IntN(len(patterns))], Action: actions[r.IntN(len(actions))]})
		}
		q := requests[r.IntN(len(requests))]
		q.RequestID, q.Kind = "r", protocol.RequestApproval
		decide := func(p *protocol.Policy) protocol.Outcome {
			v, _ := policy.Answer(policy.Decide(p, &policy.Request{RequestOpened: &q, Folder: "/src"}), &q)
			return v.Outcome
		}
		outcome := decide(p)
		if outcome == "" {
			continue
		}
		said := Decided(&q, &protocol.RequestResolved{RequestID: "r", Outcome: outcome, By: "policy"}, p)
		if said == "" {
			t.Fatalf("%+v of %+v: nobody has decided %s", p, q, outcome)
		}
		without := *p
		without.Rules = slices.Clone(p.Rules)
		rule, isRule := strings.CutPrefix(said, "its rule ")
		switch {
		case strings.Contains(said, "or its mode"), strings.HasPrefix(said, "one of"):
			continue
		case isRule:
			n, _, _ := strings.Cut(rule, ":")
			at, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(said)
			}
			without.Rules[at-1].Action = protocol.PolicyLeave
		default:
			without.Mode = protocol.PolicyAsk
		}
		named++
		if got := decide(&without); got == outcome {
			t.Fatalf("%+v of %+v: %q, and without it the answer is the same", p, q, said)
		}
	}
	if named < 5000 {
		t.Errorf("only %d of the answers name one part", named)
	}
}
