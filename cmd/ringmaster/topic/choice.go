package topic

import (
	"cmp"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
)

// choice is the models, or the modes, that a session can have.
type choice struct {
	session string
	what    desk.Setting
	have    desk.Choices
	known   bool
	sending string // the one that was chosen, while that is on its way
}

// Choice is the models, or the modes, that a session can have.
func Choice(session string, what desk.Setting) Topic { return &choice{session: session, what: what} }

func (c *choice) Title() string { return "the " + string(c.what) }

func (c *choice) Read() []desk.Wish {
	return []desk.Wish{desk.ListChoices{Session: c.session, What: c.what}}
}

func (c *choice) Take(n desk.News) []desk.Wish {
	switch n := n.(type) {
	case desk.Choices:
		if n.Session == c.session && n.What == c.what {
			c.have, c.known = n, true
		}
	case desk.Listed: // in force, or chosen, by somebody else
		for i := range n.Sessions {
			s := &n.Sessions[i]
			now, next := s.Model, s.PendingModel
			if c.what == desk.Mode {
				now, next = s.Mode, s.PendingMode
			}
			if s.ID == c.session && c.known && c.have.Err == "" && (now != c.have.Current || next != c.have.Pending) {
				c.have.Current, c.have.Pending = now, next
			}
		}
	case desk.Done:
		switch w := n.Wish.(type) {
		case desk.ListChoices:
			if w.Session == c.session && w.What == c.what {
				c.have, c.known = desk.Choices{Err: n.Err}, true
			}
		case desk.Choose:
			if w.Session == c.session && w.What == c.what {
				c.sending = ""
				return c.Read()
			}
		default:
		}
	default:
	}
	return nil
}

func (c *choice) Rows() (list []Row, none string) {
	found := c.have.Current == ""
	for _, o := range c.have.List {
		row := Row{ID: o.ID, Text: o.ID}
		if o.Label != "" && o.Label != o.ID {
			row.Text = o.Label + "  (" + o.ID + ")"
		}
		row.Mark = c.mark(o.ID)
		found = found || o.ID == c.have.Current
		list = append(list, row)
	}
	if !found {
		list = append([]Row{{ID: c.have.Current, Text: c.have.Current, Mark: c.mark(c.have.Current)}}, list...)
	}
	switch {
	case !c.known:
		none = "reading what there is…"
	case c.have.Err != "":
		none = "not known: " + c.have.Err
	default:
		none = "What there is, is not known: no agent runs, or it has not said."
	}
	return list, none
}

func (c *choice) mark(id string) string {
	switch id {
	case c.sending:
		return "on its way"
	case c.have.Current:
		return "in force"
	case c.have.Pending:
		return "chosen"
	}
	return ""
}

func (c *choice) Notes() []string {
	if c.known && c.have.Others && c.have.Err == "" {
		return []string{"The agent may take others: ringmaster " + string(c.what) + " " + short(c.session) + " NAME"}
	}
	return nil
}

func (c *choice) Keys() string { return "? keys  ↑↓ choose  Enter takes it  / filter  Esc back" }

func (c *choice) Key(k keys.Key, row *Row, t *Touch) []desk.Wish {
	switch {
	case row == nil || !k.Is("enter"):
		return nil
	case c.sending != "":
		t.Note = "Wait: another one is on its way."
		return nil
	case row.ID == cmp.Or(c.have.Pending, c.have.Current):
		t.Note = "It is that one already."
		return nil
	}
	c.sending, t.Note = row.ID, "Choosing…"
	return []desk.Wish{desk.Choose{Session: c.session, What: c.what, Value: row.ID}}
}
