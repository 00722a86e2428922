package plain

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
)

// News takes what the daemon's side tells; printed is what somebody should know of it.
func (s *State) News(n desk.News, now time.Time) (printed []string, wishes []desk.Wish) {
	s.now = now
	defer func() {
		s.aside.take(s, n)
		more, wanted := s.flush()
		printed, wishes = append(printed, more...), append(wishes, wanted...)
	}()
	switch n := n.(type) {
	case desk.Listed:
		for _, one := range n.Sessions {
			if s.roster.Put(one) {
				s.want(desk.Look{})
			}
		}
		spent(s)
	case desk.Gone:
		s.roster.Remove(n.Session)
		s.today.Changed()
		if n.Session == s.session {
			s.say("The session has gone.")
		}
	case desk.Connection:
		s.connection(n)
	case desk.Inbox:
		s.inbox(n)
	case desk.Called:
		if s.answer.is(n.Session, n.Request) && !s.answer.sending {
			s.tell(n)
		}
	case desk.Lines:
		s.lines(n)
	case desk.LogPaused:
		s.pause(n)
	case desk.Agents:
		s.agents(n.Names)
	case desk.SpentBefore:
		before(s, n)
	case desk.Queue, desk.Choices, desk.Weighed, desk.Nodes: // for what is looked at
	case desk.Done:
		s.done(n)
	}
	return s.flush()
}

// pause tells that a log pauses or goes on, each change once.
func (s *State) pause(n desk.LogPaused) {
	switch {
	case n.Session != s.session || n.Why == s.paused:
		return
	case n.Why == "":
		s.say("The session's log goes on.")
	default:
		s.say("Nothing comes of this session now: %s.", n.Why)
	}
	s.paused = n.Why
}

func (s *State) connection(n desk.Connection) {
	was := s.away
	s.away = n.Why
	if !n.Up {
		if was != n.Why {
			s.say("The list is not current: %s.", n.Why)
		}
		return
	}
	if was != "" {
		s.say("The list is current again.")
	}
	s.want(desk.Look{})
	s.listed = true
	s.today.Again()
	spent(s)
	s.begin()
}

// begin tells the list, or opens the one session, once all is known.
func (s *State) begin() {
	if !s.listed || !s.ready || s.shown != nil || s.session != "" {
		return
	}
	if s.opt.Session == "" {
		s.shown = []string{}
		s.list()
		return
	}
	s.open(s.opt.Session)
}

// inbox tells what is newly asked, and closes an answer whose request is over.
func (s *State) inbox(n desk.Inbox) {
	fresh := s.roster.SetInbox(n.Requests)
	for _, q := range fresh {
		sum, _ := s.roster.Session(q.SessionID)
		s.say("Needed: %s, %s: %s. Type a to answer.", needs.Name(&sum), sum.Agent, terminal.Cut(needs.About(&q.Request), 200))
	}
	if len(fresh) > 0 && !s.opt.Quiet {
		s.want(desk.Ring{Words: "ringmaster: a session needs you"})
	}
	if a := s.answer; a != nil {
		if _, open := s.roster.Request(a.session, a.request.Request.RequestID); !open {
			if !a.sending {
				s.say("It was answered elsewhere, or is not asked any more.")
			}
			s.answer = nil
		}
	}
	s.ready = true
	s.begin()
}

// lines tells what comes of the open log: the newest lines first, then each as it is whole.
func (s *State) lines(n desk.Lines) {
	if n.Session != s.session || s.log == nil {
		return
	}
	if n.Reset {
		s.log = terminal.NewTranscript(terminal.Options{Keys: true})
		s.say("The log was reset: it is told again.")
	}
	added := s.log.Add(n.Events)
	switch lines := s.log.Lines(); {
	case s.caught:
		s.out = append(s.out, added...)
	case n.Caught:
		s.caught = true
		if s.answer == nil { // what is asked comes first
			s.out = append(s.out, lines[max(0, len(lines)-newest):]...)
		}
	}
}

func (s *State) agents(names []string) {
	if s.making == nil {
		return
	}
	s.making.agents = names
	if len(names) == 0 {
		s.making = nil
		s.say("There is no agent: ringmaster doctor says what is missing.")
		return
	}
	for i, name := range names {
		s.say("%d. %s", i+1, name)
	}
	s.say("Type the number of an agent, or b to go back.")
}

// done tells what became of a wish.
func (s *State) done(n desk.Done) {
	switch w := n.Wish.(type) {
	case desk.Answer:
		if n.Err != "" {
			if s.answer.is(w.Session, w.Request) {
				s.answer.sending, s.answer.given = false, nil
			}
			s.say("Not answered: %s.", n.Err)
			s.want(desk.Look{})
			return
		}
		if s.answer.is(w.Session, w.Request) {
			s.answer = nil
		}
		s.say("Answered.")
		s.want(desk.Look{})
	case desk.MovePrompt, desk.CancelPrompt, desk.Choose, desk.SavePicture:
		s.say("%s", terminal.Cut(topic.Outcome(n), 300))
	case desk.ReadSpent:
		s.today.Untried(w.Session, w.Since) // too much was on its way
	case desk.ListQueue, desk.ListChoices, desk.Weigh, desk.ListNodes:
	case desk.Prompt:
		if n.Err != "" && w.Session == s.session && len(s.pictures) == 0 {
			s.pictures = w.Pictures
		}
		s.outcome(n.Err, "Sent.", "Not sent: %s. It was: %s", w.Text)
	case desk.Interrupt:
		s.outcome(n.Err, "Interrupted.", "Not interrupted: %s. %s", "")
	case desk.Create:
		if n.Err != "" {
			s.say("No session was made: %s.", n.Err)
			return
		}
		s.say("Made. Type l for the list.")
	case desk.ReadCall: // it was not even tried
		if s.answer.is(w.Session, w.Request) && !s.answer.told {
			s.tell(desk.Called{Err: n.Err})
		}
	case desk.Look, desk.Open, desk.Close, desk.ListAgents, desk.Ring, desk.Suspend, desk.Quit:
		if n.Err != "" {
			s.say("%s.", n.Err)
		}
	}
}

// before takes what a session had spent before today, and wants to know it of the next one. Where no daemon has answered, the list says when one does.
func before(s *State, n desk.SpentBefore) {
	switch {
	case n.Err == "":
		s.today.Have(n.Session, n.Since, n.Before)
	case n.Away:
		s.today.Untried(n.Session, n.Since)
		return
	default:
		s.today.Failed(n.Session, n.Since, n.Far)
	}
	spent(s)
}

// spent wants to know what a session has spent before today, where that is not known. While the list is not current there is nobody to ask.
func spent(s *State) {
	s.today.Changed()
	if !s.listed || s.away != "" {
		return
	}
	if one, since, is := s.today.Ask(&s.roster, s.now); is {
		s.want(desk.ReadSpent{Session: one.ID, Cursor: one.Cursor, Total: one.Spent, Since: since})
	}
}

func (s *State) outcome(err, good, bad, text string) {
	if err == "" {
		s.say("%s", good)
		return
	}
	s.say(bad, err, text)
}
