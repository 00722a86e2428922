package topic

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// maxWeighed is of how many pictures the size is asked, of the newest.
const maxWeighed = 20

// pictures are those of a session, as far as its log is read.
type pictures struct {
	session string
	shown   func() []terminal.Picture // by its log, as far as it is read
	sizes   map[string]string         // in words, by digest; empty: it was asked for
}

// Pictures are the pictures of a session, of which shown gives those that its log has named so far, the newest last.
func Pictures(session string, shown func() []terminal.Picture) Topic {
	return &pictures{session: session, shown: shown}
}

func (p *pictures) Title() string { return "pictures" }

// newest has the newest first.
func (p *pictures) newest() []terminal.Picture {
	all := p.shown()
	out := make([]terminal.Picture, 0, len(all))
	for i := range all {
		out = append(out, all[len(all)-1-i])
	}
	return out
}

// read asks how large the newest are that nobody has asked for.
func (p *pictures) Read() []desk.Wish {
	list := p.newest()
	var ask []string
	for i := range list[:min(len(list), maxWeighed)] {
		if _, is := p.sizes[list[i].Digest]; !is {
			ask = append(ask, list[i].Digest)
		}
	}
	if len(ask) == 0 {
		return nil
	}
	if p.sizes == nil {
		p.sizes = map[string]string{}
	}
	for _, digest := range ask {
		p.sizes[digest] = ""
	}
	return []desk.Wish{desk.Weigh{Session: p.session, Digests: ask}}
}

func (p *pictures) Take(n desk.News) []desk.Wish {
	switch n := n.(type) {
	case desk.Weighed:
		if n.Session != p.session || p.sizes == nil {
			return nil
		}
		for digest, size := range n.Sizes {
			p.sizes[digest] = picture.Size(size)
		}
		for digest, err := range n.Errs {
			p.sizes[digest] = "not there: " + err
		}
	case desk.Lines:
		if n.Session == p.session {
			return p.Read()
		}
	default:
	}
	return nil
}

func (p *pictures) Rows() (list []Row, none string) {
	for _, one := range p.newest() {
		list = append(list, Row{ID: one.Digest, Text: one.Name() + "  " + one.Where, Mark: p.sizes[one.Digest]})
	}
	return list, "no picture, as far as the log is shown"
}

func (p *pictures) Notes() []string { return nil }

func (p *pictures) Keys() string {
	return "? keys  ↑↓ choose  Enter writes it into a file here  o shows it  Esc back"
}

func (p *pictures) Key(k keys.Key, row *Row, t *Touch) []desk.Wish {
	if row == nil || !k.Is("enter", "o") {
		return nil
	}
	for _, one := range p.newest() {
		if one.Digest == row.ID {
			t.Note = "Reading it…"
			return []desk.Wish{desk.SavePicture{Session: p.session, Digest: one.Digest, Media: one.Media, Show: k.Is("o")}}
		}
	}
	return nil
}
