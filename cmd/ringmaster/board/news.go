package board

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// News takes what the daemon's side tells, and says what is wanted now.
func (s *State) News(n desk.News, now time.Time) (wishes []desk.Wish) {
	s.now = now
	defer func() { wishes = append(wishes, s.page.take(n)...) }()
	switch n := n.(type) {
	case desk.Listed:
		look := false
		for _, one := range n.Sessions {
			look = s.list.roster.Put(one) || look
		}
		if _, is := s.list.roster.Session(s.opt.Session); is { // the one that is shown alone waits for no others
			wishes = s.begin()
		}
		if look {
			wishes = append(wishes, desk.Look{})
		}
		return append(wishes, s.list.ask(now)...)
	case desk.Gone:
		s.list.roster.Remove(n.Session)
		s.list.today.Changed()
		if s.dialog != nil && s.dialog.session == n.Session {
			wishes = s.closeDialog("The session has gone.")
		}
		if s.open.session == n.Session {
			s.open.paused = "the session is not there any more"
		}
		return wishes
	case desk.Connection:
		s.list.known, s.list.away = s.list.known || n.Up, n.Why
		if n.Up {
			s.list.today.Again()
			return append(append(s.begin(), desk.Look{}), s.list.ask(now)...)
		}
	case desk.Inbox:
		return s.haveInbox(n.Requests)
	case desk.Called:
		s.dialog.called(n)
	case desk.Lines:
		s.open.take(n)
	case desk.LogPaused:
		if s.open.session == n.Session {
			s.open.paused = n.Why
		}
	case desk.Agents:
		if s.form != nil {
			s.form.have(n.Names)
		}
	case desk.SpentBefore:
		return s.list.spent(n, now)
	case desk.Done:
		return s.done(n)
	case desk.Queue, desk.Choices, desk.Weighed, desk.Nodes: // for a page
	}
	return nil
}

// begin opens the session of a board that shows one alone, once the list has it.
func (s *State) begin() []desk.Wish {
	if s.opt.Session == "" || s.open.session != "" {
		return nil
	}
	return s.openLog(s.opt.Session)
}

// haveInbox takes what is asked now. A dialog whose request is over is closed, and no other one comes in its place: a key that is pressed twice must not
// answer what nobody has read.
func (s *State) haveInbox(list []resource.InboxRequest) (wishes []desk.Wish) {
	fresh := s.list.roster.SetInbox(list)
	if d := s.dialog; d != nil {
		if _, open := s.list.roster.Request(d.session, d.Request.RequestID); !open {
			words, ours := s.sending[d.key()]
			if ours {
				wishes = s.closeDialog("Answered: " + words + ".")
			} else {
				wishes = s.closeDialog("It was answered elsewhere, or is not asked any more.")
			}
		}
	}
	s.sending.settle(&s.list.roster)
	wishes = append(wishes, expected(s)...)
	if len(fresh) == 0 || s.opt.Quiet {
		return wishes
	}
	q := fresh[0]
	words := "ringmaster: " + q.Agent + " needs you"
	if q.Request.ToolKind != "" {
		words += ": " + string(q.Request.ToolKind)
	}
	return append(wishes, desk.Ring{Words: words})
}

// done takes what became of a wish.
func (s *State) done(n desk.Done) []desk.Wish {
	switch w := n.Wish.(type) {
	case desk.Answer:
		key := needs.Key(w.Session, w.Request)
		if n.Err != "" {
			delete(s.sending, key)
			s.note = "Not answered: " + n.Err
			return []desk.Wish{desk.Look{}}
		}
		if s.sending[key] == "" { // the list of requests was faster
			return nil
		}
		return []desk.Wish{desk.Look{}}
	case desk.Prompt:
		delete(s.sending, w.Key)
		s.note = "Sent."
		if n.Err != "" {
			s.note = "Not sent, and kept: " + n.Err
			s.drafts.refused(w.Session, draft{text: w.Text, pictures: w.Pictures})
		}
	case desk.Interrupt:
		s.note = "The turn is interrupted."
		if n.Err != "" {
			s.note = "Not interrupted: " + n.Err
		}
	case desk.Create:
		delete(s.sending, w.Key)
		if n.Err != "" {
			s.note = "No session was made: " + n.Err
			return nil
		}
		shown := s.at == inNew
		if s.form == nil || s.form.sent != w.Key { // left, or another one is written
			shown = false
		} else {
			s.form = nil
		}
		if !shown { // somebody is at something else meanwhile
			s.note = "The new session is made: it is in the list."
			return nil
		}
		s.note = ""
		s.list.choose(n.ID)
		return s.enter(n.ID)
	case desk.ListAgents:
		if n.Err != "" {
			s.note = "The agents are not known: " + n.Err
		}
	case desk.ReadCall: // it was not even tried
		s.dialog.called(desk.Called{Session: w.Session, Request: w.Request, Err: n.Err})
	case desk.MovePrompt, desk.CancelPrompt, desk.Choose, desk.SavePicture:
		s.note = topic.Outcome(n)
	case desk.ReadSpent:
		s.list.today.Untried(w.Session, w.Since) // too much was on its way
	case desk.ListQueue, desk.ListChoices, desk.Weigh, desk.ListNodes: // the page says it
	case desk.Look, desk.Open, desk.Close, desk.Ring, desk.Suspend, desk.Quit:
		if n.Err != "" {
			s.note = n.Err
		}
	}
	return nil
}
