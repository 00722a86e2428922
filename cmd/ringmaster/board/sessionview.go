package board

import (
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/needs"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

func (v *view) ofSession() {
	sum, known := v.list.roster.Session(v.open.session)
	head := "ringmaster"
	if known {
		head = v.style.Bold(one(needs.Name(&sum), max(10, v.columns/2))) +
			v.style.Dim(" · "+one(sum.Agent, 12)+" · "+strings.ReplaceAll(string(sum.Status.State), "_", " ")+one(needs.At(&sum), 30))
	}
	others := v.list.roster.Count(needs.NeedsYou)
	row, is := v.list.roster.Row(v.open.session)
	if is && row.Group == needs.NeedsYou {
		others--
	}
	if others > 0 && v.opt.Session == "" {
		head += v.style.Warn(" · " + plural(others, "other needs you", "others need you"))
	}
	if v.list.away != "" {
		head += v.style.Bad(" · not current: " + one(v.list.away, v.columns))
	} else if v.open.paused != "" {
		head += v.style.Bad(" · " + one(v.open.paused, v.columns))
	}
	v.add(head)
	n := v.bodyRows()
	v.transcript(n)
	v.fill(1 + n)
	v.below(&row)
	switch {
	case v.drafts.now != nil:
		v.foot(composeKeys)
	case v.open.find.writing:
		f := &v.open.find
		line, x := asked.Field(f.text.Text, f.text.At, max(v.columns-30, 8))
		v.fill(v.rows - 1)
		if f.text.Text != "" {
			line += "  " + v.style.Dim(f.place())
		}
		v.last("search: " + line)
		v.frame.X, v.frame.Y = 8+x, v.rows-1
	case v.dialog != nil: // it has the keys
		v.foot("? keys  Esc leaves it unanswered  PgDn PgUp show all of it  q quit")
	case v.open.find.active():
		v.foot(v.open.find.words() + "  n above  N below  / another text  Esc ends the search")
	case v.open.reading:
		v.foot("? keys  ↑↓ PgUp PgDn  End newest  p prompt  x interrupt  Esc back  q quit")
	default:
		v.foot("? keys  p prompt  s steer  x interrupt  a answer  / search  Esc back  q quit")
	}
}

// below is what stands between the log and the last row: what is asked, and what is being written.
func (v *view) below(row *needs.Row) {
	switch {
	case v.dialog != nil:
		v.ofDialog()
	case len(row.Requests) > 0:
		v.add(v.style.Warn("? "+one(row.Session.Agent+" asks: "+needs.About(&row.Requests[0].Request), max(10, v.columns-14))) + v.style.Bold("  a answers"))
	}
	if v.drafts.now != nil {
		v.ofCompose()
	}
}

// transcript shows the newest lines, or those that somebody reads.
func (v *view) transcript(rows int) {
	lines := v.open.body(v.now)
	top := max(0, len(lines)-rows)
	if v.open.reading {
		top = min(v.open.top, top)
	}
	if top == 0 && v.open.log != nil && v.open.log.Left && rows > 1 {
		v.add(v.style.Dim("… what came before is not shown here: ringmaster log " + short(v.open.session)))
		rows--
	}
	for i, l := range lines[top:min(len(lines), top+rows)] {
		if f := &v.open.find; f.active() && f.line == top+i {
			l = v.marked(l)
		}
		v.add(l)
	}
}

// marked shows the line in which the text was found: with a mark at its beginning, and the text in other colours.
func (v *view) marked(line string) string {
	plain := terminal.Plain(line)
	lower, text := strings.ToLower(plain), strings.ToLower(v.open.find.text.Text)
	if at := strings.Index(lower, text); at >= 0 && len(lower) == len(plain) {
		return v.style.Warn("▸ ") + behindMark(plain[:at]) + v.style.Found(plain[at:at+len(text)]) + plain[at+len(text):]
	}
	return v.style.Warn("▸ ") + behindMark(plain)
}

// behindMark is what stands behind the mark: most lines begin with two columns that are free, or with a sign of their own.
func behindMark(text string) string {
	r := []rune(text)
	if len(r) >= 2 && r[1] == ' ' && terminal.Cells(string(r[:2])) == 2 {
		return string(r[2:])
	}
	return text
}
