// Package policy decides what a session's policy answers to an agent's request (spec §4.10). It is pure and knows no session: a policy and a request
// go in, an answer comes out. Commands are judged by what a shell would run (adapters/bash), paths by where they lead, addresses by their
// parts; what is not known to its end is never allowed by a pattern.
package policy

import (
	"strings"
	"unicode/utf8"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Request is a request as a policy judges it.
type Request struct {
	*protocol.RequestOpened
	Folder string   // the session's working folder
	Leads  []string // where the paths of the subject lead to, as in adapters.RequestOpened
	Limit  int      // subjects of so many bytes may have been cut; 0: adapters.MaxText
}

// Source is what of a policy has decided.
type Source struct {
	Rule int                 // its place in the list, from 1; 0: no rule
	Mode protocol.PolicyMode // where no rule has
}

// Decide says what a policy answers to a request, PolicyLeave where a person has to, and what of it has decided. Of several subjects the one counts for
// which the answer is the most careful, the first of these.
func Decide(p *protocol.Policy, r *Request) (action protocol.PolicyAction, by Source) {
	if p == nil || r.Kind != protocol.RequestApproval {
		return protocol.PolicyLeave, Source{}
	}
	action = protocol.PolicyAllow
	for i, s := range subjectsOf(r) {
		one, of := decideOne(p, r.RequestOpened, s)
		if next := careful(action, one); i == 0 || next != action {
			action, by = next, of
		}
	}
	return action, by
}

// careful is the more careful one of two answers.
func careful(a, b protocol.PolicyAction) protocol.PolicyAction {
	for _, c := range []protocol.PolicyAction{protocol.PolicyDenyStop, protocol.PolicyDeny, protocol.PolicyLeave} {
		if a == c || b == c {
			return c
		}
	}
	if a != protocol.PolicyAllow || b != protocol.PolicyAllow { // of another build
		return protocol.PolicyLeave
	}
	return protocol.PolicyAllow
}

// decideOne answers for one subject. Where a rule that does not allow may concern what is not known of it, it is not allowed unasked.
func decideOne(p *protocol.Policy, r *protocol.RequestOpened, s subject) (protocol.PolicyAction, Source) {
	atLeast := protocol.PolicyAllow
	for i := range p.Rules {
		rule := &p.Rules[i]
		switch ruleMatches(rule, r, s) {
		case matches:
			return careful(atLeast, rule.Action), Source{Rule: i + 1}
		case perhaps:
			atLeast = protocol.PolicyLeave
		case differs:
		}
	}
	return careful(atLeast, modeAnswer(p.Mode, r)), Source{Mode: p.Mode}
}

func modeAnswer(mode protocol.PolicyMode, r *protocol.RequestOpened) protocol.PolicyAction {
	switch mode {
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

// cutAt says that the end of a subject may be missing. Some adapters cut at adapters.MaxText, whatever the limit is.
func cutAt(limit int, subject string) bool {
	if limit <= 0 || limit > adapters.MaxText {
		limit = adapters.MaxText
	}
	return len(subject) >= limit-utf8.UTFMax // between characters
}

func anyPattern(p string) bool { return p == "" || p == "*" || p == "**" }

func ruleMatches(rule *protocol.PolicyRule, r *protocol.RequestOpened, s subject) match {
	allows := rule.Action == protocol.PolicyAllow
	if rule.Tool != "" && !toolMatches(rule.Tool, r, allows) {
		return differs
	}
	if anyPattern(rule.Pattern) {
		return matches
	}
	return s.matches(rule.Pattern, allows)
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

// Verdict is an answer of a policy, in the terms of one request.
type Verdict struct {
	Outcome protocol.Outcome
	Option  string // empty: the outcome decides
	Stop    bool   // the turn has to be stopped: the agent has no answer that does it
}

// Answer puts an action into the options that the agent has. ok is false where there is no answer: for asking, and for allowing where the agent
// knows nothing less than for always, which no policy grants.
func Answer(a protocol.PolicyAction, r *protocol.RequestOpened) (v Verdict, ok bool) {
	has := func(id string) bool { return protocol.HasOption(r.Options, id) }
	switch a {
	case protocol.PolicyAllow:
		if len(r.Options) > 0 && !has(protocol.AllowOnce) {
			return Verdict{}, false
		}
		v = Verdict{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowOnce}
	case protocol.PolicyDeny:
		v = Verdict{Outcome: protocol.OutcomeDenied, Option: protocol.DenyContinue}
		if !has(v.Option) && has(protocol.DenyStop) {
			v.Option = protocol.DenyStop
		}
	case protocol.PolicyDenyStop:
		v = Verdict{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop}
		if !has(v.Option) {
			v.Option, v.Stop = protocol.DenyContinue, true
		}
	case protocol.PolicyLeave:
		return Verdict{}, false
	default: // of another build
		return Verdict{}, false
	}
	if !has(v.Option) {
		v.Option = "" // the outcome decides
	}
	return v, true
}
