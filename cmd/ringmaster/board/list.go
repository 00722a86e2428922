package board

import (
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
)

// list is the list of sessions, and where somebody is in it.
type list struct {
	roster  needs.Roster
	known   bool        // it was read once
	away    string      // why it is not current; empty: it is
	chosen  string      // the session that somebody has chosen
	moved   bool        // somebody has: until then the first one is
	filter  keys.Editor // words that the rows must have
	filters bool        // keys write them
	today   needs.Today
}

func (l *list) choose(session string) { l.chosen, l.moved = session, true }

// ask wants to know what a session has spent before today, where that is not known; the list has changed. While it is not current there is nobody to ask.
func (l *list) ask(now time.Time) []desk.Wish {
	l.today.Changed()
	if !l.known || l.away != "" {
		return nil
	}
	s, since, is := l.today.Ask(&l.roster, now)
	if !is {
		return nil
	}
	return []desk.Wish{desk.ReadSpent{Session: s.ID, Cursor: s.Cursor, Total: s.Spent, Since: since}}
}

// spent takes what a session had spent before today, and wants to know it of the next one. Where no daemon has answered, the list says when one does.
func (l *list) spent(n desk.SpentBefore, now time.Time) []desk.Wish {
	switch {
	case n.Err == "":
		l.today.Have(n.Session, n.Since, n.Before)
	case n.Away:
		l.today.Untried(n.Session, n.Since)
		return nil
	default:
		l.today.Failed(n.Session, n.Since, n.Far)
	}
	return l.ask(now)
}

// rows are those that are shown, and at the chosen one among them. Where that has gone, or nobody has chosen, it is the first one.
func (l *list) rows() (rows []*needs.Row, at int) {
	rows = l.roster.Rows(l.filter.Text)
	if l.moved {
		for i := range rows {
			if rows[i].Session.ID == l.chosen {
				return rows, i
			}
		}
	}
	return rows, 0
}

// choice is the chosen row.
func (l *list) choice() (needs.Row, bool) {
	rows, at := l.rows()
	if len(rows) == 0 {
		return needs.Row{}, false
	}
	return *rows[at], true
}

// key takes a key that moves, by pages of so many rows; took is false for another one.
func (l *list) key(k keys.Key, page int) (took bool) {
	rows, at := l.rows()
	switch {
	case k.Is("down", "j"):
		at++
	case k.Is("up", "k"):
		at--
	case k.Is("pgdown"):
		at += page
	case k.Is("pgup"):
		at -= page
	case k.Is("home", "g"):
		at = 0
	case k.Is("end", "G"):
		at = len(rows)
	default:
		return false
	}
	if len(rows) > 0 {
		l.choose(rows[min(max(at, 0), len(rows)-1)].Session.ID)
	}
	return true
}

// write takes a key of the filter.
func (l *list) write(k keys.Key) {
	switch {
	case k.Is("enter", "down", "up"):
		l.filters = false
	case k.Is("esc"):
		l.filters = false
		l.filter.Set("")
	default:
		l.filter.Key(k)
		l.moved = false
	}
}
