package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Send takes a prompt. A key makes it one prompt, however often it is sent.
func (s *Session) Send(p Prompt, key string) Answer {
	first, used := s.Keys[key]
	switch {
	case used && (first.Text != p.Text || first.Behavior != p.Behavior):
		return Answer{Code: protocol.CodeConflict}
	case used:
		return Answer{Prompt: first.ID, Position: s.place(first.ID), Repeated: true}
	case s.ending || s.End != "":
		return Answer{Code: protocol.CodeSessionEnded}
	case len(s.Queue) >= maxQueue:
		return Answer{Code: protocol.CodeOverloaded}
	}
	s.accepted++
	p.ID = fmt.Sprintf("p%d", s.accepted)
	if key != "" {
		s.Keys[key] = p
	}
	s.Queue, s.Agent = append(s.Queue, p), max(s.Agent, Starting)
	s.dispatch()
	return Answer{Prompt: p.ID, Position: s.place(p.ID)}
}

// Move gives a prompt another place in the queue, from 1; 0 takes it out.
func (s *Session) Move(id string, to int) Answer {
	i := s.waiting(id)
	if i < 0 {
		return Answer{Code: protocol.CodePromptNotFound}
	}
	p := s.Queue[i]
	if p.Sent {
		return Answer{Code: protocol.CodeConflict}
	}
	s.take(i)
	if to = min(to, len(s.Queue)+1); to > 0 {
		s.Queue = slices.Insert(s.Queue, to-1, p)
	}
	return Answer{Position: to}
}

// Interrupt tells the agent to stop its turn. What was to steer it is taken back.
func (s *Session) Interrupt() Answer {
	t := s.running()
	if t == nil {
		return Answer{}
	}
	if s.heedBy == 0 {
		s.heedBy = s.now + heedGrace
		s.Queue = slices.DeleteFunc(s.Queue, func(p Prompt) bool { return p.Sent })
		s.tell("interrupt")
	}
	return Answer{Turn: t.ID}
}

// Answer answers a request: the first answer that fits wins. Outcome and option of an approval follow from each other.
func (s *Session) Answer(id, by, outcome, option string) Answer {
	n := slices.IndexFunc(s.Items, func(i Item) bool { return i.ID == id && i.Kind != Turn })
	if n < 0 {
		return Answer{Code: protocol.CodeRequestNotFound}
	}
	i := &s.Items[n]
	if i.Status != "" {
		return Answer{Code: protocol.CodeRequestAlreadyResolved, By: i.By}
	}
	outcome, option, fits := i.Kind.complete(outcome, option)
	if !fits {
		return Answer{Code: protocol.CodeInvalidRequest}
	}
	s.resolve(i, by, outcome, option)
	return Answer{Outcome: outcome, Option: option, By: by}
}

// complete is an answer as it counts, and whether it fits.
func (k Kind) complete(outcome, option string) (string, string, bool) {
	switch {
	case k == Question:
		return outcome, option, outcome == "answered" || outcome == "cancelled"
	case outcome == "cancelled":
		return outcome, option, option == ""
	}
	option = cmp.Or(option, map[string]string{"allowed": "allow_once", "denied": "deny"}[outcome])
	outcome = cmp.Or(outcome, meaning[option])
	return outcome, option, outcome != "" && outcome == meaning[option]
}

// What an option means, and the options that policies choose.
var (
	atOnce  = map[protocol.PolicyMode]string{protocol.PolicyAllowAll: "allow_once", protocol.PolicyDenyAll: "deny"}
	late    = map[protocol.PolicyAction]string{"": "deny", "deny": "deny", "deny_stop": "deny_stop", "allow": "allow_once"}
	meaning = map[string]string{"allow_once": "allowed", "allow_always": "allowed", "deny": "denied", "deny_stop": "denied"}
)

// SetPolicy says what answers approvals from now on.
func (s *Session) SetPolicy(p protocol.Policy) Answer {
	if s.End != "" {
		return Answer{Code: protocol.CodeSessionEnded}
	}
	s.Policy = p
	return Answer{}
}

// Ends says that the session is to end. It takes no prompts any more, and ends when its agent is gone.
func (s *Session) Ends() { s.ending = true }

// Finish ends the session.
func (s *Session) Finish() Answer {
	if s.End == "" {
		s.lose(protocol.TurnInterrupted)
		s.finish(protocol.StateTerminated)
	}
	return Answer{}
}
