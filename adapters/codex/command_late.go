package codex

import (
	"slices"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// late are commands that wait for the connection, oldest first.
type late []adapters.Command

// maxLate is how many commands wait for the connection.
const maxLate = 64

// add keeps a command; ok is false where there is no room.
func (w *late) add(c adapters.Command) (ok bool) {
	if len(*w) >= maxLate {
		return false
	}
	*w = append(*w, c)
	return true
}

// takeBack forgets the prompts that an interrupt finds, and gives those that the session does not take back itself.
func (w *late) takeBack() (prompts []adapters.Prompt) {
	*w = slices.DeleteFunc(*w, func(c adapters.Command) bool {
		p, ok := c.(adapters.Prompt)
		if ok && !p.Steer {
			prompts = append(prompts, p)
		}
		return ok
	})
	return prompts
}

// lose notes what was under way when the connection was lost: its answer does not come any more.
func (p *prompts) lose() {
	p.unsure, p.way = append(p.unsure, p.way...), nil
	for _, one := range p.doubtful {
		p.unsure = append(p.unsure, &asking{method: "turn/steer", prompt: one})
	}
	p.doubtful = nil
}

// settle goes on with what was under way, once it is known what has become of the thread.
func (p *prompts) settle(r *turn, l *link, out *adapters.Output) {
	unsure := p.unsure
	p.unsure, p.starting = nil, false
	for _, a := range unsure {
		one := a.prompt
		switch {
		case one.taken:
			out.Draft(accepted(a))
		case r.on: // it may be about to
			p.doubtful = append(p.doubtful, one)
		case one.back:
			p.refused(one.ID, "interrupted while the connection to the agent was lost", out)
		case one.tries >= maxTries:
			p.refused(one.ID, "the connection to the agent was lost again and again", out)
		case p.starting:
			p.steers = append(p.steers, one)
		default:
			p.start(one, r, l, out)
		}
	}
	if !p.starting {
		p.stop = false
	}
}

// giveUp refuses what was under way: the thread is not joined again.
func (p *prompts) giveUp(why string, out *adapters.Output) {
	for _, a := range p.unsure {
		p.refused(a.prompt.ID, why, out)
	}
	p.unsure = nil
}

// accepted answers a prompt that the server has taken although its answer was lost.
func accepted(a *asking) adapters.PromptAnswered {
	answer := adapters.PromptAnswered{ID: a.prompt.ID, Result: adapters.PromptHandled}
	if a.method == "turn/start" && a.prompt.into == "" {
		answer.Result = adapters.PromptStarted
	}
	return answer
}

// took notes that a prompt's message has come, by the id that it was sent with.
func (p *prompts) took(id string, out *adapters.Output) {
	if id == "" {
		return
	}
	for _, a := range slices.Concat(p.way, p.unsure) {
		a.prompt.taken = a.prompt.taken || a.prompt.ID == id
	}
	p.doubtful = slices.DeleteFunc(p.doubtful, func(one *prompting) bool {
		if one.ID == id {
			out.Draft(adapters.PromptAnswered{ID: id, Result: adapters.PromptHandled})
		}
		return one.ID == id
	})
}

// isUnsure says that a prompt was under way when the connection was lost.
func (p *prompts) isUnsure(id string) bool {
	return slices.ContainsFunc(p.unsure, func(a *asking) bool { return a.prompt.ID == id })
}

// ranLast notes that a turn runs and has no message yet: it began with what was sent last.
func (p *prompts) ranLast() {
	for _, a := range p.unsure {
		a.prompt.taken = a.prompt.taken || a.method == "turn/start"
	}
}
