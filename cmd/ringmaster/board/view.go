package board

import (
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

// view is a frame on its way.
type view struct {
	*State

	frame terminal.Frame
}

// add adds lines; what has no room is left out.
func (v *view) add(lines ...string) {
	for _, l := range lines {
		if len(v.frame.Lines) < v.rows {
			v.frame.Lines = append(v.frame.Lines, terminal.Fit(l, v.columns))
		}
	}
}

// fill adds empty lines up to a row.
func (v *view) fill(row int) {
	for len(v.frame.Lines) < row {
		v.add("")
	}
}

// foot is the last row: what was last done, or which keys there are.
func (v *view) foot(keys string) {
	v.fill(v.rows - 1)
	switch {
	case v.note != "":
		v.add(v.style.Warn(one(v.note, v.columns)))
	default:
		v.add(v.style.Dim(one(keys, v.columns)))
	}
}

// last replaces what stands in the last row, or adds it.
func (v *view) last(line string) {
	if n := len(v.frame.Lines); n == v.rows && n > 0 {
		v.frame.Lines = v.frame.Lines[:n-1]
	}
	v.add(line)
}

// title has counts alone: nothing that an agent has written.
func (v *view) title() string {
	if n := v.list.roster.Count(needs.NeedsYou); n > 0 {
		return fmt.Sprintf("ringmaster: %d need you", n)
	}
	return "ringmaster"
}

// heading is the first row of the list: how many sessions are in which group, and what all of them have cost.
func (v *view) heading() string {
	parts := []string{v.style.Bold("ringmaster")}
	switch {
	case v.list.away != "":
		parts = append(parts, v.style.Bad("not current: "+one(v.list.away, v.columns)))
	case !v.list.known:
		parts = append(parts, "reading the list of sessions…")
	}
	for _, g := range []struct {
		group needs.Group
		words string
		style func(string) string
	}{
		{needs.NeedsYou, "need you", v.style.Warn}, {needs.Failed, "failed", v.style.Bad}, {needs.Working, "working", v.style.Good},
	} {
		if n := v.list.roster.Count(g.group); n > 0 {
			parts = append(parts, g.style(fmt.Sprintf("%d %s", n, g.words)))
		}
	}
	if f := v.list.filter.Text; f != "" && !v.list.filters {
		parts = append(parts, "filter: "+one(f, 20))
	}
	line := strings.Join(parts, " · ")
	today := v.list.today.Words(&v.list.roster, v.now)
	if room := v.columns - terminal.Cells(terminal.Plain(line)) - terminal.Cells(today); today != "" && room >= 2 {
		line += strings.Repeat(" ", room) + today
	}
	return line
}

// ofDialog shows what is asked in the rows up to the last but one.
func (v *view) ofDialog() {
	sheet := v.sheet()
	top := min(v.dialog.top, max(0, len(sheet.what)-sheet.most))
	shown := sheet.what[top:min(len(sheet.what), top+sheet.most)]
	v.add(v.rule(len(sheet.what), top, sheet.most))
	for _, l := range shown {
		v.add(" " + l)
	}
	for _, l := range sheet.keys {
		v.add(" " + l)
	}
	if x := sheet.x; x >= 0 {
		v.frame.X, v.frame.Y = min(x+1, v.columns-1), min(len(v.frame.Lines), v.rows)-1
	}
}

// rule is a line across, which says how much there is above and below.
func (v *view) rule(all, top, rows int) string {
	text := ""
	if all > rows {
		text = fmt.Sprintf(" lines %d-%d of %d, PgDn and PgUp show more ", top+1, min(all, top+rows), all)
	}
	return v.style.Dim("──" + text + strings.Repeat("─", max(0, v.columns-2-len(text))))
}

// ofCompose shows a prompt that is being written and the session that it goes to, in the row before the last one.
func (v *view) ofCompose() {
	c := v.drafts.now
	sum, _ := v.list.roster.Session(c.session)
	mark, text := " · prompt › ", &c.text
	switch {
	case c.path != nil:
		mark, text = " · file of a picture › ", c.path
	case c.steer:
		mark = " · into the running turn › "
	}
	if v.columns < 50 {
		mark = " › "
	}
	if n := len(c.pictures); n > 0 {
		mark = " · " + plural(n, "picture", "pictures") + mark
	}
	mark = terminal.Cut(one(needs.Name(&sum), max(1, v.columns/4))+mark, max(1, v.columns-10))
	line, x := asked.Field(text.Text, text.At, v.columns-terminal.Cells(mark)-1)
	v.add(v.style.Accent(mark) + line)
	v.frame.X, v.frame.Y = min(terminal.Cells(mark)+x, v.columns-1), min(len(v.frame.Lines), v.rows)-1
}

const composeKeys = "Enter sends  Tab into the turn or not  Ctrl-J new line  Ctrl-O picture  Esc keeps"
