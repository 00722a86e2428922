package asked

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Prompt shows which keys answer now. X is the column of what is written, in the last line; -1: nothing is written.
func (d *Dialog) Prompt(style terminal.Style, columns int) (lines []string, x int) {
	p := paper{style: style, columns: max(columns, 20)}
	if d.Request.Kind == protocol.RequestApproval {
		d.keysOfApproval(&p)
	} else {
		d.keysOfQuestion(&p)
	}
	if !d.writing {
		return p.lines, -1
	}
	line, x := Field(d.text.Text, d.text.At, p.columns-2)
	return append(p.lines, style.Accent("› ")+line), x + 2
}

func (d *Dialog) keysOfApproval(p *paper) {
	if d.writing {
		p.add(p.style.Dim, "A message to the agent, with your answer. Enter keeps it, Esc drops it.")
		return
	}
	var parts []string
	for _, c := range Choices(&d.Request, d.Cut) {
		if c.Key == d.twice {
			p.add(p.style.Warn, "Press "+c.Key+" again: "+c.Words+". "+c.Why)
			return
		}
		parts = append(parts, c.Key+" "+c.Words)
	}
	if m := strings.TrimSpace(d.text.Text); m != "" {
		p.add(p.style.Dim, "with the message: "+m)
		parts = append(parts, "m change it")
	} else {
		parts = append(parts, "m message")
	}
	p.add(p.style.Bold, strings.Join(parts, "  "))
}

func (d *Dialog) keysOfQuestion(p *paper) {
	q := d.question()
	if q == nil {
		p.add(p.style.Bold, "Enter goes on  Ctrl-X gives no answer")
		return
	}
	if all := len(d.Request.Questions); all > 1 {
		p.add(p.style.Dim, fmt.Sprintf("question %d of %d", len(d.answers)+1, all))
	}
	if q.Text != d.Request.Title {
		p.add(nil, q.Text)
	}
	for i, o := range q.Options {
		mark := ""
		if q.Multiple {
			mark = "[ ] "
			if slices.Contains(d.chosen, o.ID) {
				mark = "[x] "
			}
		}
		text := strconv.Itoa(i+1) + " " + mark + orDefault(o.Label, o.ID)
		if o.Description != "" {
			text += "  (" + o.Description + ")"
		}
		p.add(nil, text)
	}
	switch {
	case d.writing:
		p.add(p.style.Dim, "Enter sends, Esc goes back, Ctrl-X gives no answer.")
	case q.Multiple:
		p.add(p.style.Dim, "A number chooses, Enter sends, "+freely(q)+"Ctrl-X gives no answer.")
	default:
		p.add(p.style.Dim, "A number answers, "+freely(q)+"Ctrl-X gives no answer.")
	}
}

func freely(q *protocol.Question) string {
	if q.FreeText {
		return "t answers in your own words, "
	}
	return ""
}

// Field shows the part of a text in which one writes, in one line of so many columns. Newlines are shown as ⏎. x is the column of what comes next.
func Field(text string, at, columns int) (line string, x int) {
	show := func(s string) string {
		return terminal.Visible(strings.ReplaceAll(strings.ReplaceAll(s, "\n", "⏎"), "\t", " "))
	}
	before, behind := show(text[:at]), show(text[at:])
	for terminal.Cells(before) >= max(columns, 8) {
		r := []rune(before)
		before = "…" + string(r[min(len(r), len(r)/4+2):])
	}
	return terminal.Fit(before+behind, columns), terminal.Cells(before)
}
