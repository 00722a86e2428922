package board

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
)

func (v *view) ofRoster() {
	v.add(v.heading())
	panel := v.panelRows()
	v.ofList(max(0, v.rows-2-panel))
	v.fill(v.rows - 1 - panel)
	v.panel()
	switch {
	case v.list.filters:
		line, x := asked.Field(v.list.filter.Text, v.list.filter.At, v.columns-10)
		v.fill(v.rows - 1)
		v.add("filter: " + line)
		v.frame.X, v.frame.Y = 8+x, v.rows-1
	case v.drafts.now != nil:
		v.foot(composeKeys)
	case v.at == inPeek:
		v.foot("? keys  Esc back  Enter open  a next request  ↑↓ another  p prompt  q quit")
	case v.list.filter.Text != "":
		v.foot("? keys  Space peek  Enter open  a next  / another filter  Esc shows all  q quit")
	default:
		v.foot("? keys  Space peek  Enter open  a next  p prompt  c new  / filter  q quit")
	}
}

// ofList shows the rows of the list around the chosen one, in so many lines.
func (v *view) ofList(lines int) {
	rows, chosen := v.list.rows()
	if len(rows) == 0 {
		switch {
		case v.list.filter.Text != "":
			v.add("  nothing matches the filter")
		case v.list.known:
			v.add("  no session yet: c makes one")
		}
		return
	}
	var heads []int // the first row of each group
	for i := 0; i < len(rows) && lines > 8; {
		heads = append(heads, i)
		group := rows[i].Group
		i += sort.Search(len(rows)-i, func(k int) bool { return rows[i+k].Group != group })
	}
	before := func(row int) int { n, _ := slices.BinarySearch(heads, row); return n } // headings above a row and its own
	top := min(max(0, chosen+before(chosen+1)-lines/2), max(0, len(rows)+len(heads)-lines))
	row := max(0, top-len(heads)) // no later than the first one that is shown: those above are not looked at
	line := row + before(row)
	show := func(text func() string) {
		if line >= top && line < top+lines {
			v.add(text())
		}
		line++
	}
	for ; row < len(rows) && line < top+lines; row++ {
		r := rows[row]
		if slices.Contains(heads, row) {
			show(func() string { return v.style.Bold(strings.ToUpper(r.Group.String())) })
		}
		show(func() string { return v.row(r, row == chosen) })
	}
}

// row shows one session in one line.
func (v *view) row(r *needs.Row, chosen bool) string {
	mark, style := "  ", func(s string) string { return s }
	if chosen {
		mark, style = "▸ ", v.style.Bold
	}
	age := Age(v.now, r.Since())
	name := needs.Name(&r.Session)
	if r.Below > 0 {
		name += fmt.Sprintf(" (+%d)", r.Below)
	}
	why := r.Why()
	if n := len(r.Requests); n > 1 {
		why = fmt.Sprintf("%d: ", n) + why
	}
	if len(r.Requests) > 0 && v.sending[needs.Key(r.Requests[0].SessionID, r.Requests[0].Request.RequestID)] != "" {
		why = "sending the answer"
	}
	room := v.columns - 2 - 6
	if room < 40 { // a narrow terminal: the name, or what is asked
		if r.Group == needs.NeedsYou {
			name += ": " + why
		}
		return mark + style(padded(name, max(4, room))) + " " + v.style.Dim(fmt.Sprintf("%5s", age))
	}
	agent := 9
	width := (room - agent - 2) * 2 / 5
	line := mark + style(padded(name, width)) + " " + v.style.Accent(padded(r.Session.Agent, agent)) + " "
	why = padded(why, room-width-agent-2)
	switch r.Group {
	case needs.NeedsYou:
		why = v.style.Warn(why)
	case needs.Failed:
		why = v.style.Bad(why)
	default:
		why = v.style.Dim(why)
	}
	return line + why + " " + v.style.Dim(fmt.Sprintf("%5s", age))
}

// Age is how long ago something was, in at most five columns.
func Age(now, then time.Time) string {
	switch d := max(0, now.Sub(then)); {
	case then.IsZero():
		return ""
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", min(int(d.Hours()/24), 9999))
	}
}

// panelRows is how many rows the peek takes below the list.
func (v *view) panelRows() int {
	if v.at != inPeek {
		return 0
	}
	n := max(6, (v.rows-2)/2)
	if v.dialog != nil {
		sheet := v.sheet()
		n = sheet.height()
	}
	if v.drafts.now != nil {
		n++
	}
	return min(n, v.rows-2)
}

// panel is the peek: what is asked, or the newest lines of the session.
func (v *view) panel() {
	if v.at != inPeek {
		return
	}
	if v.dialog != nil {
		v.ofDialog()
	} else {
		n := v.rows - 1 - len(v.frame.Lines) - 1
		if v.drafts.now != nil {
			n--
		}
		v.add(v.rule(0, 0, 0))
		lines := v.open.body(v.now)
		v.add(lines[max(0, len(lines)-max(0, n)):]...)
	}
	if v.drafts.now != nil {
		v.fill(v.rows - 2)
		v.ofCompose()
	}
}
