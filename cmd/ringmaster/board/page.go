package board

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
)

// page is a page about one session, or about none, in the place of what was shown: its queue, what can be chosen, its pictures; the nodes. Its rows are
// chosen as sessions are in the list.
type page struct {
	session string // empty: none
	from    place  // where it leads back to
	about   topic.Topic
	chosen  string      // id of a row
	at      int         // where it was, for when it has gone
	filter  keys.Editor // words that the rows must have
	filters bool        // keys write them
}

// shown are the rows with all words of the filter, and at the chosen one among them.
func (p *page) shown() (list []topic.Row, at int, none string) {
	all, none := p.about.Rows()
	words := strings.Fields(strings.ToLower(p.filter.Text))
	for _, row := range all {
		text := strings.ToLower(row.Text + " " + row.ID)
		has := true
		for _, w := range words {
			has = has && strings.Contains(text, w)
		}
		if has {
			list = append(list, row)
		}
	}
	if len(list) == 0 && len(all) > 0 {
		none = "nothing matches the filter"
	}
	for i := range list {
		if list[i].ID == p.chosen {
			return list, i, none
		}
	}
	return list, max(0, min(p.at, len(list)-1)), none
}

// key takes a key; took: it means something here. It moves by pages of so many rows.
func (p *page) key(k keys.Key, rows int, t *topic.Touch) (wishes []desk.Wish, took bool) {
	list, at, _ := p.shown()
	switch {
	case p.filters:
		p.write(k)
		return nil, true
	case k.Is("/"):
		p.filters = true
		return nil, true
	case k.Is("down", "j"):
		at++
	case k.Is("up", "k"):
		at--
	case k.Is("pgdown"):
		at += rows
	case k.Is("pgup"):
		at -= rows
	case k.Is("home", "g"):
		at = 0
	case k.Is("end", "G"):
		at = len(list)
	default:
		var row *topic.Row
		if len(list) > 0 {
			row = &list[at]
			p.chosen, p.at = row.ID, at
		}
		wishes = p.about.Key(k, row, t)
		return wishes, len(wishes) > 0 || t.Note != ""
	}
	if len(list) > 0 {
		p.at = min(max(at, 0), len(list)-1)
		p.chosen = list[p.at].ID
	}
	return nil, true
}

// write takes a key of the filter.
func (p *page) write(k keys.Key) {
	switch {
	case k.Is("enter", "down", "up"):
		p.filters = false
	case k.Is("esc"):
		p.filters = false
		p.filter.Set("")
	default:
		p.filter.Key(k)
		p.chosen, p.at = "", 0
	}
}

// take takes news; a nil page takes none.
func (p *page) take(n desk.News) []desk.Wish {
	if p == nil {
		return nil
	}
	return p.about.Take(n)
}
