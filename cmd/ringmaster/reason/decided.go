package reason

import (
	"fmt"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Decided says what of the policy has answered a request, of which p is the session's policy, nil where that is not known; empty: it was not the policy, or
// the message says it (the deadline), or the log is of a daemon that did not tell (spec §4.10).
func Decided(r *protocol.RequestResolved, p *protocol.Policy) string {
	switch n := int(r.Rule); {
	case r.By != "policy":
		return ""
	case n > 0 && p != nil && n <= len(p.Rules):
		return fmt.Sprintf("its rule %d: %s", n, Rule(&p.Rules[n-1]))
	case n > 0:
		return fmt.Sprintf("its rule %d", n)
	case r.Mode != "":
		return "its mode " + string(r.Mode)
	default:
		return ""
	}
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
