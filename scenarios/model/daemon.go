package model

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Restarted says that the daemon has ended, in order or not, and another one has begun.
func (s *Session) Restarted() {
	if s.End == "" {
		s.lose(protocol.TurnInterrupted)
		s.failures, s.anew = 0, false
		if len(s.Queue) > 0 {
			s.Agent = Starting
		}
	}
}

// Parked says that the daemon has let the agent go, as it may while nothing is open.
func (s *Session) Parked() (allowed bool) {
	allowed = s.State() == protocol.StateIdle && len(s.Queue) == 0 && s.open(func(*Item) bool { return true }) == nil
	s.Agent, s.failures, s.anew = Gone, 0, false
	return allowed
}

// Due is when time itself does something next; 0: never.
func (s *Session) Due() (due time.Duration) {
	times := []time.Duration{s.readyBy, s.heedBy}
	for _, i := range s.Items {
		if i.Status == "" {
			times = append(times, i.Due)
		}
	}
	for _, t := range times {
		if t > 0 && (due == 0 || t < due) {
			due = t
		}
	}
	return due
}

// Pass lets time pass.
func (s *Session) Pass(to time.Duration) {
	for due := s.Due(); due > 0 && due <= to; due = s.Due() {
		s.now = due
		switch {
		case due == s.heedBy:
			began := s.Agent == Ready
			s.lose(protocol.TurnInterrupted)
			s.again(began)
		case due == s.readyBy && s.running() != nil:
			s.readyBy += readyGrace
		case due == s.readyBy:
			s.lose(protocol.TurnError)
			s.again(false)
		default:
			i := s.open(func(i *Item) bool { return i.Due == due })
			s.resolve(i, "policy", meaning[i.Late], i.Late)
		}
		s.dispatch()
	}
	s.now = to
}

// again starts the agent once more, unless it was never ready or fails too often: with its own session, unless it is that
// with which it does not start.
func (s *Session) again(began bool) {
	s.Agent, s.failures = Starting, s.failures+1
	s.anew = s.anew || !began && s.failures >= maxResumes
	if !s.resumes || s.failures > maxRestarts {
		s.finish(protocol.StateFailed)
	}
}

// lose is the end of the agent: nothing stays open, and what it had of the queue is nobody's again.
func (s *Session) lose(status protocol.TurnStatus) {
	s.close(status, "daemon", -1)
	for i := range s.Queue {
		s.Queue[i].Sent = false
	}
	s.Agent, s.readyBy = Gone, 0
}

func (s *Session) finish(end protocol.State) { s.End, s.Queue, s.Agent = end, nil, Gone }
