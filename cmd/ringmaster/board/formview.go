package board

import (
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/asked"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/terminal"
)

func (v *view) ofForm() {
	m := v.form
	v.add(v.style.Bold("a new session"), "")
	agent := "reading which agents there are…"
	switch {
	case m.agents != nil && len(m.agents) == 0:
		agent = "there is none: ringmaster doctor says what is missing"
	case len(m.agents) > 0:
		agent = "‹ " + m.agents[m.agent] + " ›"
	}
	v.field(0, "agent", agent, nil)
	v.field(1, "folder", "", &m.cwd)
	v.field(2, "prompt", "", &m.prompt)
	v.foot("Tab next field  ←→ another agent  Enter goes on, and makes it  Esc back")
}

// field shows a field of the new session.
func (v *view) field(n int, name, text string, e *keys.Editor) {
	mark, style := "  ", v.style.Dim
	if v.form.field == n {
		mark, style = "▸ ", v.style.Bold
	}
	head := mark + padded(name, 7) + " "
	if e == nil {
		v.add(style(head) + one(text, v.columns-terminal.Cells(head)))
		return
	}
	line, x := asked.Field(e.Text, e.At, v.columns-terminal.Cells(head)-1)
	v.add(style(head) + line)
	if v.form.field == n {
		v.frame.X, v.frame.Y = min(terminal.Cells(head)+x, v.columns-1), min(len(v.frame.Lines), v.rows)-1
	}
}
