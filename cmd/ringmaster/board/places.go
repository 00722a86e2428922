package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// openLog wants the log of a session.
func (s *State) openLog(id string) []desk.Wish {
	if s.open.session == id {
		return nil
	}
	s.open = newOpened(id, terminal.Options{Columns: s.columns, Colour: s.opt.Colour, Keys: true})
	sum, _ := s.list.roster.Session(id)
	return []desk.Wish{desk.Open{Session: id, Cursor: sum.Cursor}}
}

// enter goes into a session.
func (s *State) enter(id string) []desk.Wish {
	s.at, s.note = inSession, ""
	s.dialog = nil
	s.open.reading = false
	return s.openLog(id)
}

// peek shows a session below the list, and what it asks in the first place.
func (s *State) peek(row *needs.Row) []desk.Wish {
	s.at, s.note = inPeek, ""
	s.list.choose(row.Session.ID)
	if len(row.Requests) > 0 {
		return s.show(ask{row, s.sending.first(row)})
	}
	s.dialog = nil
	if row.Group == needs.NeedsYou { // the list says so before the inbox says what
		s.expects = row.Session.ID
	}
	return s.openLog(row.Session.ID)
}

// expected shows what a session asks that was gone to for that.
func expected(s *State) []desk.Wish {
	row, _ := s.list.roster.Row(s.expects)
	if s.at != inPeek || s.list.chosen != s.expects || s.dialog != nil || s.drafts.now != nil {
		s.expects = ""
	}
	if s.expects == "" || len(row.Requests) == 0 {
		return nil
	}
	s.expects = ""
	return s.show(ask{&row, s.sending.first(&row)})
}

// ask is a request in its row of the list.
type ask struct {
	row     *needs.Row
	request resource.InboxRequest
}

// show goes to a request: in the session that is shown, where its row has the request, or below the list. A search ends there: its keys are answers.
func (s *State) show(a ask) []desk.Wish {
	here, _ := s.list.roster.Row(s.open.session)
	if s.at != inSession || here.Session.ID != a.row.Session.ID {
		s.at = inPeek
		s.list.choose(a.row.Session.ID)
	}
	s.note, s.open.find = "", finder{line: -1}
	sum, _ := s.list.roster.Session(a.request.SessionID)
	var wishes []desk.Wish
	s.dialog, wishes = newDialog(a.request, sum.Policy)
	return wishes
}

// closeDialog ends a dialog whose request is over. Nothing moves while somebody writes a prompt, and what somebody writes to
// the request is no command.
func (s *State) closeDialog(note string) []desk.Wish {
	if s.spent = s.dialog.Typing(); s.spent {
		note = spentNote
	}
	s.dialog = nil
	s.note = note
	switch {
	case s.at == inPeek && s.drafts.now != nil: // somebody writes to this session
		return s.openLog(s.list.chosen)
	case s.at == inPeek:
		s.at, s.list.moved = inRoster, false // the first one is who needs somebody next
	case s.at == inHelp && s.before == inPeek:
		s.before, s.list.moved = inRoster, false
	case s.page != nil && s.page.from == inPeek:
		s.page.from, s.list.moved = inRoster, false
	}
	return nil
}

// back leads out of where one is, step by step; it never quits.
func (s *State) back() []desk.Wish {
	s.note = ""
	switch {
	case s.dialog != nil && s.at == inSession:
		s.dialog = nil
	case s.at == inSession && s.open.find.active():
		s.open.find = finder{line: -1}
	case s.at == inHelp:
		s.at = s.before
	case s.at == inPage:
		s.at, s.page = s.page.from, nil
		if s.at == inRoster {
			return s.open.close()
		}
	case s.at == inNew:
		s.at = inRoster
		if blank(s.form.prompt.Text) { // else it is a draft
			s.form = nil
		}
		if s.opt.Session != "" {
			s.at = inSession
		}
	case s.at == inPeek:
		s.at = inRoster
		s.dialog = nil
		return s.open.close()
	case s.at == inSession && s.opt.Session == "":
		s.at = inRoster
		return s.open.close()
	case s.at == inSession && s.open.session != s.opt.Session: // one that was made from here
		return s.openLog(s.opt.Session)
	case s.at == inRoster && s.list.filter.Text != "":
		s.list.filter.Set("")
	}
	return nil
}
