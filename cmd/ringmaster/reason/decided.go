package reason

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// maxNamed bounds how many rules are named by their numbers.
const maxNamed = 4

// Decided says which part of a policy has answered a request; empty: it was not the policy, or the log does not tell. The log names no rule, so that this is
// what follows from the policy in force: the rules and the mode that answer so, without those that are about other tools, and without what stands behind a
// rule that answers everything of this tool. Where one is left it is the one.
func Decided(q *protocol.RequestOpened, r *protocol.RequestResolved, p *protocol.Policy) string {
	if r.By != "policy" || r.Message != "" || p == nil || q.Kind != protocol.RequestApproval {
		return "" // the message says it: the deadline
	}
	rules, behind := candidates(p, q, r.Outcome)
	mode := !behind && modeAnswers(p.Mode, q, r.Outcome)
	switch {
	case len(rules) == 0 && mode:
		return "its mode " + string(p.Mode)
	case len(rules) == 0:
		return ""
	}
	text := "one of its " + strconv.Itoa(len(rules)) + " rules that answer so"
	switch {
	case len(rules) == 1:
		text = "its rule " + strconv.Itoa(rules[0]+1) + ": " + Rule(&p.Rules[rules[0]])
	case len(rules) <= maxNamed:
		numbers := make([]string, len(rules))
		for i, n := range rules {
			numbers[i] = strconv.Itoa(n + 1)
		}
		text = "one of its rules " + strings.Join(numbers, ", ")
	}
	if mode {
		return text + ", or its mode " + string(p.Mode)
	}
	return text
}

// candidates are the rules that may have answered so; last: one of them answers all that those behind it could, and the mode.
func candidates(p *protocol.Policy, q *protocol.RequestOpened, outcome protocol.Outcome) (rules []int, last bool) {
	for i := range p.Rules {
		rule := &p.Rules[i]
		about := aboutTool(rule, q)
		if about == never {
			continue
		}
		if answers(rule.Action, outcome) {
			rules = append(rules, i)
		}
		if about == always && (rule.Pattern == "" || rule.Pattern == "*" || rule.Pattern == "**") {
			return rules, true
		}
	}
	return rules, false
}

type about int

const (
	perhaps about = iota
	never
	always
)

// aboutTool says whether a rule is about the tool of a request (spec §4.10). For a glob with wildcards, and for names beyond ASCII, the daemon alone knows.
func aboutTool(rule *protocol.PolicyRule, q *protocol.RequestOpened) about {
	tool, kind, name := strings.ToLower(rule.Tool), cmp.Or(string(q.ToolKind), string(protocol.ToolOther)), strings.ToLower(q.ToolName)
	switch {
	case tool == "" || tool == kind:
		return always
	case strings.ContainsFunc(tool+name, func(r rune) bool { return r >= 0x80 }), strings.ContainsAny(tool, `*?\`):
		return perhaps
	case tool == name && !(rule.Action == protocol.PolicyAllow && isKind(tool)): // one that allows and names a kind means the kind alone
		return always
	default:
		return never
	}
}

func isKind(word string) bool {
	switch protocol.ToolKind(word) {
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute, protocol.ToolFetch, protocol.ToolOther:
		return true
	}
	return false
}

func answers(a protocol.PolicyAction, outcome protocol.Outcome) bool {
	if outcome == protocol.OutcomeAllowed {
		return a == protocol.PolicyAllow
	}
	return outcome == protocol.OutcomeDenied && (a == protocol.PolicyDeny || a == protocol.PolicyDenyStop)
}

func modeAnswers(mode protocol.PolicyMode, q *protocol.RequestOpened, outcome protocol.Outcome) bool {
	switch mode {
	case protocol.PolicyAllowAll:
		return outcome == protocol.OutcomeAllowed
	case protocol.PolicyAllowReads:
		return outcome == protocol.OutcomeAllowed && (q.ToolKind == protocol.ToolRead || q.ToolKind == protocol.ToolSearch)
	case protocol.PolicyDenyAll:
		return outcome == protocol.OutcomeDenied
	case protocol.PolicyAsk:
	}
	return false
}

// Rule says a rule in the words of the command line: allow execute "go test *".
func Rule(r *protocol.PolicyRule) string {
	text := string(r.Action)
	if r.Tool != "" {
		text += fmt.Sprintf(" %.80s", r.Tool)
	}
	if r.Pattern != "" {
		text += fmt.Sprintf(" %.80q", r.Pattern)
	}
	return text
}

// Mode says what a policy's mode does, for people.
func Mode(m protocol.PolicyMode) string {
	switch m {
	case "", protocol.PolicyAsk:
		return "asks about everything"
	case protocol.PolicyAllowReads:
		return "allows what only reads, and asks about all else"
	case protocol.PolicyAllowAll:
		return "allows everything"
	case protocol.PolicyDenyAll:
		return "denies everything"
	default:
		return string(m)
	}
}
