package model

import (
	"fmt"
	"slices"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// State is what the session does: a stronger fact comes first.
func (s *Session) State() protocol.State {
	turn, asked := s.running(), s.open(func(i *Item) bool { return i.Kind == Approval || i.Kind == Question })
	tool := s.open(func(i *Item) bool {
		return i.Kind == Tool && !i.Waits && (i.Turn == "" || turn != nil && i.Turn == turn.ID)
	})
	switch {
	case s.End != "":
		return s.End
	case s.heedBy > 0:
		return protocol.StateInterrupting
	case asked != nil && asked.Kind == Approval:
		return protocol.StateAwaitingApproval
	case asked != nil:
		return protocol.StateAwaitingInput
	case s.phase == protocol.StateRetrying, s.phase == protocol.StateCompacting:
		return s.phase
	case tool != nil:
		return protocol.StateRunningTool
	case turn != nil && s.phase == protocol.StateResponding:
		return protocol.StateResponding
	case turn != nil, s.Agent == Starting && len(s.Queue) > 0:
		return protocol.StateQueued
	case s.Agent == Starting:
		return protocol.StateStarting
	}
	return protocol.StateIdle
}

// dispatch gives the agent what it can take: the first prompt when it is idle, those that steer while it works.
func (s *Session) dispatch() {
	if s.Agent != Ready || s.heedBy > 0 || s.ending {
		return
	}
	if s.running() == nil && s.phase == "" && len(s.Queue) > 0 && s.sent() < 0 {
		s.tell("prompt %s", s.Queue[0].ID)
		s.begin(s.take(0))
	}
	for i := range s.Queue {
		if p := &s.Queue[i]; s.began && !p.Sent && p.Behavior == protocol.Steer {
			p.Sent = true
			s.tell("steer %s", p.ID)
		}
	}
}

func (s *Session) tell(format string, args ...any) {
	s.Told = append(s.Told, fmt.Sprintf(format, args...))
}

// open is the first open item that fits; nil: there is none.
func (s *Session) open(fits func(*Item) bool) *Item {
	i := slices.IndexFunc(s.Items, func(i Item) bool { return i.Status == "" && fits(&i) })
	if i < 0 {
		return nil
	}
	return &s.Items[i]
}

func (s *Session) running() *Item { return s.open(func(i *Item) bool { return i.Kind == Turn }) }

// Entry is the open entry with a key; nil: there is none.
func (s *Session) Entry(key int) *Item {
	return s.open(func(i *Item) bool { return (i.Kind == Message || i.Kind == Tool) && i.Key == key })
}

func (s *Session) waiting(id string) int {
	return slices.IndexFunc(s.Queue, func(p Prompt) bool { return p.ID == id })
}

// sent is the first prompt that the agent has and has not taken up; -1: none.
func (s *Session) sent() int { return slices.IndexFunc(s.Queue, func(p Prompt) bool { return p.Sent }) }

// place is where a prompt waits, from 1; 0: the agent has it.
func (s *Session) place(id string) int {
	return 1 + slices.IndexFunc(s.Queue, func(p Prompt) bool { return p.ID == id && !p.Sent })
}

func (s *Session) take(i int) (id string) {
	id = s.Queue[i].ID
	s.Queue = slices.Delete(s.Queue, i, i+1)
	return id
}

func (s *Session) begin(prompt string) {
	s.turns++
	s.Items = append(s.Items, Item{Kind: Turn, ID: fmt.Sprintf("t%d", s.turns), Text: prompt})
	s.began, s.phase = false, ""
}

// close ends the running turn and what is open with it, but for the tool call with the key and those of earlier turns.
func (s *Session) close(status protocol.TurnStatus, by string, key int) {
	turn := s.running()
	for n := range s.Items {
		switch i := &s.Items[n]; {
		case i.Status != "", i.Kind == Tool && (i.Key == key || key >= 0 && i.Turn != "" && i.Turn != turn.ID):
		case i.Kind == Turn:
			i.Status = string(status)
		case i.Kind == Message, i.Kind == Tool:
			i.Status = "incomplete"
		default:
			s.end(i, by, "cancelled")
		}
	}
	s.began, s.phase, s.heedBy = false, "", 0
}

// resolve answers a request, in the log and towards the agent.
func (s *Session) resolve(i *Item, by, outcome, option string) {
	s.tell("answer %d %s %s", i.Key, outcome, option)
	s.end(i, by, outcome)
}

// end ends a request. A tool call that was allowed goes on.
func (s *Session) end(i *Item, by, outcome string) {
	i.Status, i.By = outcome, by
	other := s.open(func(o *Item) bool { return o.Kind == Approval && o.Tool == i.Tool })
	if tool := s.Entry(i.Tool); tool != nil && outcome == "allowed" && other == nil {
		tool.Waits = false
	}
}
