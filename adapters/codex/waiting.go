package codex

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// maxLate is how many commands wait for the connection.
const maxLate = 64

// settle goes on with what waited, once it is known what has become of the thread.
func (t *Translator) settle(out *adapters.Output) {
	t.link.rejoining = false
	t.atWork(out)
	unsure := t.prompts.unsure
	t.prompts.unsure, t.prompts.starting = nil, false
	for _, a := range unsure {
		p := a.prompt
		switch {
		case p.taken:
			t.accepted(a, out)
		case t.turn.on: // it may be about to
			t.prompts.doubtful = append(t.prompts.doubtful, p)
		case p.back:
			t.refused(p.ID, "interrupted while the connection to the agent was lost", out)
		case p.tries >= maxTries:
			t.refused(p.ID, "the connection to the agent was lost again and again", out)
		case t.prompts.starting:
			t.prompts.steers = append(t.prompts.steers, p)
		default:
			t.startTurn(p, out)
		}
	}
	if !t.prompts.starting {
		t.prompts.stop = false
	}
	t.stopNow(out)
	t.sendSteers(out)
	if !t.turn.on {
		t.retrySteers(out)
	}
	late := t.link.late
	t.link.late = nil
	for _, c := range late {
		t.Command(c, out)
	}
	if t.link.offer {
		t.link.offer = false
		t.askModels(out)
	}
}

// accepted answers a prompt that the server has taken although its answer was lost.
func (t *Translator) accepted(a *asking, out *adapters.Output) {
	answer := adapters.PromptAnswered{ID: a.prompt.ID, Result: adapters.PromptHandled}
	if a.method == "turn/start" && a.prompt.into == "" {
		answer.Result = adapters.PromptStarted
	}
	out.Draft(answer)
}

// took notes that a prompt's message has come, by the id that it was sent with.
func (t *Translator) took(id string, out *adapters.Output) {
	if id == "" {
		return
	}
	for _, a := range t.calls {
		if a.prompt != nil && a.prompt.ID == id {
			a.prompt.taken = true
		}
	}
	for _, a := range t.prompts.unsure {
		a.prompt.taken = a.prompt.taken || a.prompt.ID == id
	}
	t.prompts.doubtful = slices.DeleteFunc(t.prompts.doubtful, func(p *prompting) bool {
		if p.ID == id {
			out.Draft(adapters.PromptAnswered{ID: id, Result: adapters.PromptHandled})
		}
		return p.ID == id
	})
}

// neverTaken takes the end of a turn: what it has not taken by now it never does, and starts a turn of its own.
func (t *Translator) neverTaken(out *adapters.Output) {
	doubtful := t.prompts.doubtful
	t.prompts.doubtful = nil
	for _, p := range doubtful {
		if p.back {
			t.refused(p.ID, "interrupted before the agent took it", out)
		} else {
			t.prompts.steers = append(t.prompts.steers, p)
		}
	}
}

// waits keeps a command for the time when the thread is joined again.
func (t *Translator) waits(cmd adapters.Command, out *adapters.Output) bool {
	if t.spec.Child || !t.told.ready {
		return false
	}
	const why = "the connection to the agent is lost"
	full := len(t.link.late) >= maxLate
	switch c := cmd.(type) {
	case adapters.Prompt:
		if full {
			t.refused(c.ID, why, out)
			return true
		}
	case adapters.SetModel:
		if full {
			out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: why})
			return true
		}
	case adapters.SetMode:
		if full {
			out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: why})
			return true
		}
	case adapters.Interrupt, adapters.Answer:
		return false
	}
	t.link.late = append(t.link.late, cmd)
	return true
}

// takeBack forgets the prompts that an interrupt finds on their way: the session has taken its steers back.
func (t *Translator) takeBack(out *adapters.Output) {
	t.prompts.steers = nil
	for _, a := range t.prompts.unsure {
		a.prompt.back = true
	}
	for _, p := range t.prompts.doubtful {
		p.back = true
	}
	t.link.late = slices.DeleteFunc(t.link.late, func(c adapters.Command) bool {
		p, ok := c.(adapters.Prompt)
		if ok && !p.Steer {
			t.refused(p.ID, "interrupted while the connection to the agent was lost", out)
		}
		return ok
	})
}
