package session

import (
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// decide says what a policy answers to a request (spec §4.10): PolicyLeave where a person has to. cwd is the session's; subjects of limit bytes
// may have been cut.
func decide(p *protocol.Policy, cwd string, limit int, r *protocol.RequestOpened) protocol.PolicyAction {
	if p == nil || r.Kind != protocol.RequestApproval {
		return protocol.PolicyLeave
	}
	for i := range p.Rules {
		rule := &p.Rules[i]
		switch {
		case ruleMatches(rule, cwd, limit, r):
			return rule.Action
		case rule.Action != protocol.PolicyAllow && mayConcern(rule, limit, r):
			return protocol.PolicyLeave
		}
	}
	switch p.Mode {
	case protocol.PolicyAllowReads:
		if r.ToolKind == protocol.ToolRead || r.ToolKind == protocol.ToolSearch {
			return protocol.PolicyAllow
		}
	case protocol.PolicyAllowAll:
		return protocol.PolicyAllow
	case protocol.PolicyDenyAll:
		return protocol.PolicyDeny
	case protocol.PolicyAsk:
	}
	return protocol.PolicyLeave
}

// mayConcern says that a rule compares a subject that is not known, or not to its end: what it keeps from happening must not
// happen unasked because of that.
func mayConcern(rule *protocol.PolicyRule, limit int, r *protocol.RequestOpened) bool {
	whole := r.Subject != "" && !cutAt(limit, r.Subject)
	return !whole && !anyPattern(rule.Pattern) && (rule.Tool == "" || toolMatches(rule.Tool, r, false))
}

// cutAt says that the end of a subject may be missing. Some adapters cut at adapters.MaxText, whatever the limit is.
func cutAt(limit int, subject string) bool {
	if limit <= 0 || limit > adapters.MaxText {
		limit = adapters.MaxText
	}
	return len(subject) >= limit-utf8.UTFMax // between characters
}

func anyPattern(p string) bool { return p == "" || p == "*" || p == "**" }

func ruleMatches(rule *protocol.PolicyRule, cwd string, limit int, r *protocol.RequestOpened) bool {
	allows := rule.Action == protocol.PolicyAllow
	if rule.Tool != "" && !toolMatches(rule.Tool, r, allows) {
		return false
	}
	if anyPattern(rule.Pattern) {
		return true
	}
	if allows && cutAt(limit, r.Subject) {
		return false
	}
	return subjectOf(r, cwd).matches(rule.Pattern, allows)
}

// toolMatches compares with the name and with the kind. A rule that allows and names a kind means the kind alone: tools choose
// their names themselves.
func toolMatches(pattern string, r *protocol.RequestOpened, allows bool) bool {
	kind := r.ToolKind
	if kind == "" {
		kind = protocol.ToolOther
	}
	p := newGlob(strings.ToLower(pattern), "")
	if p.match(string(kind), anything) {
		return true
	}
	return !(allows && isToolKind(pattern)) && p.match(strings.ToLower(r.ToolName), anything)
}

func isToolKind(word string) bool {
	switch protocol.ToolKind(strings.ToLower(word)) {
	case protocol.ToolRead, protocol.ToolSearch, protocol.ToolEdit, protocol.ToolExecute, protocol.ToolFetch, protocol.ToolOther:
		return true
	}
	return false
}

// verdict is an answer of a policy, in the terms of one request.
type verdict struct {
	outcome protocol.Outcome
	option  string
	stop    bool // the turn has to be stopped: the agent has no answer that does it
}

// answerTo puts an action into the options that the agent has. There is none for asking, and for allowing where the agent knows
// nothing less than for always: no policy grants that.
func answerTo(a protocol.PolicyAction, r *protocol.RequestOpened) (v verdict, ok bool) {
	has := func(id string) bool { return hasOption(r.Options, id) }
	switch a {
	case protocol.PolicyAllow:
		if len(r.Options) > 0 && !has(protocol.AllowOnce) {
			return verdict{}, false
		}
		v = verdict{outcome: protocol.OutcomeAllowed, option: protocol.AllowOnce}
	case protocol.PolicyDeny:
		v = verdict{outcome: protocol.OutcomeDenied, option: protocol.DenyContinue}
		if !has(v.option) && has(protocol.DenyStop) {
			v.option = protocol.DenyStop
		}
	case protocol.PolicyDenyStop:
		v = verdict{outcome: protocol.OutcomeDenied, option: protocol.DenyStop}
		if !has(v.option) {
			v.option, v.stop = protocol.DenyContinue, true
		}
	case protocol.PolicyLeave:
		return verdict{}, false
	default: // of another build
		return verdict{}, false
	}
	if !has(v.option) {
		v.option = "" // the outcome decides
	}
	return v, true
}
