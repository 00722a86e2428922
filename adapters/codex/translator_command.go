package codex

import "github.com/ringmaster-agents/ringmaster/adapters"

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	if t.link.quiet() && t.waits(cmd, out) {
		return
	}
	switch c := cmd.(type) {
	case adapters.Prompt:
		switch {
		case t.spec.Child:
			t.refuse(c, "a sub-agent takes no prompts; ask the session that started it", out)
		case t.link.thread == "" || t.joining:
			t.refuse(c, "the thread has not begun", out)
		default:
			t.prompts.send(c, &t.turn, &t.link, out)
		}
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		if line := t.requests.answer(c); line != nil && !t.link.quiet() { // else it is asked again
			out.Line(line)
		}
	case adapters.SetModel:
		if t.spec.Child {
			t.refuse(c, "a sub-agent is set by the session that started it", out)
			return
		}
		t.settings.setModel(c, &t.link, out)
	case adapters.SetMode:
		if t.spec.Child {
			t.refuse(c, "a sub-agent is set by the session that started it", out)
			return
		}
		t.settings.setMode(c, &t.link, out)
	}
}

// interrupt stops the turn, and what is about to start one.
func (t *Translator) interrupt(out *adapters.Output) {
	t.prompts.takeBack()
	for _, p := range t.late.takeBack() {
		t.refuse(p, "interrupted while the connection to the agent was lost", out)
	}
	if t.turn.on {
		t.turn.interrupt(&t.link, out)
	} else if t.prompts.starting {
		t.prompts.stop = true
	}
}
