package board

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
)

// Key takes a key, and says what is wanted now.
func (s *State) Key(k keys.Key, now time.Time) []desk.Wish {
	s.now = now
	pressed := s.pressed
	s.pressed, s.note = "", ""
	switch {
	case k.Is("ctrl+z"):
		return []desk.Wish{desk.Suspend{}}
	case k.Is("ctrl+c"):
		return s.quit(pressed, "ctrl+c")
	case s.spent:
		if s.spent = !k.Is("enter", "esc"); s.spent {
			s.note = spentNote
		}
		return nil
	case s.at == inSession && s.open.find.writing:
		s.open.search(k, s.bodyRows())
		return nil
	case s.list.filters:
		s.list.write(k)
		return nil
	case s.drafts.now != nil:
		return s.write(k)
	case s.at == inNew:
		if k.Is("esc") {
			return s.back()
		}
		return s.form.make(k, s)
	case s.at == inHelp: // before the answer of a request that the help hides
		if s.help.key(k, s.rows) {
			return nil
		}
		return s.back()
	case s.at == inPage: // it hides one as well
		return s.inPage(k, pressed)
	case s.dialog != nil:
		if wishes, took := s.inDialog(k, pressed); took {
			return wishes
		}
	}
	return s.command(k, pressed)
}

// command takes a key that writes nothing.
func (s *State) command(k keys.Key, pressed string) []desk.Wish {
	switch {
	case k.Is("q"):
		return s.quit(pressed, "q")
	case k.Is("esc"):
		return s.back()
	case k.Is("?"):
		s.before, s.at, s.help = s.at, inHelp, help{}
		return nil
	case k.Is("c"):
		return s.beginForm()
	case k.Is("a"):
		return s.next()
	case k.Is("p", "s"):
		return s.beginPrompt(k.Is("s"))
	case k.Is("x"):
		return s.interrupt(pressed)
	case (k.Text == nodesKey || topics[k.Text] != nil) && k.Name == "":
		return s.turnTo(k.Text)
	case s.at == inSession && k.Is("/") && s.dialog != nil:
		s.note = "Esc leaves the request first: its answers have keys that a search needs."
		return nil
	case s.at == inSession:
		s.open.scroll(k, s.bodyRows(), s.now)
		return nil
	}
	return s.inRoster(k)
}

// spentNote says that keys write a text of which nothing becomes any more: as commands they would do anything.
const spentNote = "The request that you write to is over. Enter or Esc goes on."

// quit ends the board: at once, or at the second press where something would be lost.
func (s *State) quit(pressed, key string) []desk.Wish {
	if s.unsent() && pressed != key {
		s.pressed = key
		s.note = "Something that you wrote is not sent. Press it again to quit all the same."
		return nil
	}
	return []desk.Wish{desk.Quit{}}
}

// inRoster takes a key of the list.
func (s *State) inRoster(k keys.Key) []desk.Wish {
	row, is := s.list.choice()
	switch {
	case k.Is("/"):
		s.list.filters = true
		if s.at == inPeek { // the filter chooses another session than the one that is shown
			return s.back()
		}
	case !is:
	case k.Is("enter"):
		s.list.choose(row.Session.ID)
		return s.enter(row.Session.ID)
	case k.Is(" "):
		return s.peek(&row)
	case s.list.key(k, max(1, s.rows-4)) && s.at == inPeek:
		row, _ = s.list.choice()
		return s.peek(&row)
	}
	return nil
}

// next shows the request that has waited longest, of this session or else of all, or the one behind that which is shown. One that is answered already
// needs nobody.
func (s *State) next() []desk.Wish {
	rows := s.list.roster.Rows("")
	if s.at == inSession {
		row, is := s.list.roster.Row(s.open.session)
		if is && len(row.Requests) > 0 || s.opt.Session != "" {
			rows = []*needs.Row{&row}
		}
	}
	var open []ask
	at := -1
	for _, row := range rows {
		for _, q := range row.Requests {
			key := needs.Key(q.SessionID, q.Request.RequestID)
			if s.dialog != nil && s.dialog.key() == key {
				at = len(open) - 1
				if s.sending[key] == "" {
					at++
				}
			}
			if s.sending[key] == "" {
				open = append(open, ask{row, q})
			}
		}
	}
	if len(open) == 0 {
		s.note = "Nothing more is asked."
		return nil
	}
	return s.show(open[(at+1)%len(open)])
}

// interrupt stops the running turn, at the second press.
func (s *State) interrupt(pressed string) []desk.Wish {
	id, is := s.target()
	sum, known := s.list.roster.Session(id)
	switch {
	case !is || !known:
		return nil
	case !sum.Status.State.Busy():
		s.note = "Nothing is running there."
		return nil
	case pressed != "x"+id:
		s.pressed = "x" + id
		s.note = "Press x again to interrupt the turn of: " + needs.Name(&sum)
		return nil
	}
	s.note = "Interrupting…"
	return []desk.Wish{desk.Interrupt{Session: id}}
}

// inDialog takes a key of an answer; took: it means something there.
func (s *State) inDialog(k keys.Key, pressed string) (wishes []desk.Wish, took bool) {
	d := s.dialog
	sheet := s.sheet()
	if _, sent := s.sending[d.key()]; sent {
		if k.Is("y", "n", "N", "A", "m") {
			return nil, true // pressed twice
		}
	} else if k.Is("y", "A") && !d.Typing() && d.unseen() && (pressed != "blind" || !d.warned) {
		s.pressed, s.note = "blind", d.blind()
		return nil, true
	} else {
		if k.Is("A") {
			s.pressed = pressed // asked twice all the same, and not a third time for what was not seen
		}
		reply, words, took := d.Key(k)
		if reply != nil {
			s.sending[d.key()] = words
			s.note = "Sending: " + words + "…"
			return []desk.Wish{desk.Answer{Session: d.session, Request: d.Request.RequestID, Reply: *reply}}, true
		}
		if took {
			s.note = ""
			return nil, true
		}
	}
	switch {
	case k.Is("pgdown", " "):
		d.top += max(1, sheet.most-1)
	case k.Is("pgup"):
		d.top = max(0, d.top-max(1, sheet.most-1))
	case s.at == inSession && k.Is("down"):
		d.top++
	case s.at == inSession && k.Is("up"):
		d.top = max(0, d.top-1)
	default:
		return nil, false
	}
	d.top = min(d.top, max(0, len(sheet.what)-sheet.most))
	return nil, true
}

// beginPrompt begins a prompt to the session that is shown or chosen.
func (s *State) beginPrompt(steer bool) []desk.Wish {
	id, is := s.target()
	if !is {
		return nil
	}
	sum, _ := s.list.roster.Session(id)
	if sum.Status.State.Ended() {
		s.note = "The session has ended."
		return nil
	}
	s.drafts.begin(id, steer && sum.Status.State.Busy())
	if s.at != inRoster {
		return nil
	}
	s.at = inPeek
	s.list.choose(id)
	return s.openLog(id)
}

// write takes a key of a prompt.
func (s *State) write(k keys.Key) []desk.Wish {
	sum, _ := s.list.roster.Session(s.drafts.now.session)
	wish, note := s.drafts.key(k, sum.Status.State.Busy())
	s.note = note
	if wish == nil {
		return nil
	}
	wish.Key = s.opt.Key()
	s.sending[wish.Key] = "prompt"
	s.note = "Sending…"
	s.open.reading = false
	return []desk.Wish{*wish}
}

// beginForm asks for a new session: with the agent and in the folder of the one that is chosen. One whose prompt was written goes on as it was left.
func (s *State) beginForm() []desk.Wish {
	if s.form == nil {
		m := &form{}
		m.cwd.Set(s.opt.Cwd)
		id, _ := s.target()
		if sum, is := s.list.roster.Session(id); is {
			m.want = sum.Agent
			m.cwd.Set(sum.Cwd)
		}
		s.form = m
	}
	s.at, s.dialog = inNew, nil
	return []desk.Wish{desk.ListAgents{}}
}
