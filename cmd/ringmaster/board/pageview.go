package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/topic"
)

func (v *view) ofPage() {
	p := v.page
	sum, known := v.list.roster.Session(p.session)
	head := v.style.Bold(p.about.Title())
	switch {
	case p.session == "":
	case known:
		head += v.style.Dim(" · " + one(needs.Name(&sum), max(10, v.columns/2)) + " · " + one(sum.Agent, 12))
	default:
		head += v.style.Bad(" · the session is not there any more")
	}
	v.add(head, "")
	list, at, none := p.shown()
	notes := p.about.Notes()
	room := max(1, v.rows-4)
	if len(list)+1 < room {
		room = len(list) + 1
	} else if len(notes) > 0 {
		room = max(1, room-min(len(notes)+1, room/2))
	}
	if len(list) == 0 {
		v.add("  " + one(none, v.columns-2))
	}
	top := min(max(0, at-room/2), max(0, len(list)-room))
	for i := top; i < min(len(list), top+room); i++ {
		v.add(v.pageRow(&list[i], i == at))
	}
	if len(notes) > 0 {
		v.add("")
	}
	for _, l := range notes {
		v.add(v.style.Dim("  " + one(l, v.columns-2)))
	}
	if p.filters {
		line, x := asked.Field(p.filter.Text, p.filter.At, v.columns-10)
		v.fill(v.rows - 1)
		v.last("filter: " + line)
		v.frame.X, v.frame.Y = 8+x, v.rows-1
		return
	}
	v.foot(p.about.Keys())
}

func (v *view) pageRow(r *topic.Row, chosen bool) string {
	mark, style := "  ", func(s string) string { return s }
	if chosen {
		mark, style = "▸ ", v.style.Bold
	}
	room := max(1, v.columns-2)
	if r.Nth > 0 {
		mark += itoa(r.Nth) + "  "
		room = max(1, room-terminal.Cells(mark)+2)
	}
	word := one(r.Mark, room/2)
	if n := terminal.Cells(word); n > 0 && n+10 < room {
		return mark + style(padded(r.Text, room-n-1)) + " " + v.style.Accent(word)
	}
	return mark + style(one(r.Text, room))
}
