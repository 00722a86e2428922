package codex

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompts follows what was sent to start or steer a turn.
type prompts struct {
	started  *protocol.Prompt    // what somebody else sent to the idle thread
	starting bool                // a turn/start of ours has not led to its turn yet
	stop     bool                // Interrupt was asked for before the turn began
	steers   []*prompting        // that wait for the turn to be known, or to end where it cannot be steered
	way      []*asking           // turn/start and turn/steer that wait for their answers, oldest first
	unsure   []*asking           // of those, what was under way when the connection was lost
	doubtful []*prompting        // of those, what a running turn may have taken: its message, or the turn's end, tells
	images   map[string][]string // references of a prompt's images, by the prompt's id
}

// prompting is a prompt under way.
type prompting struct {
	adapters.Prompt
	tries int
	into  string // the turn that ran when it was sent
	taken bool   // the server has it, whatever becomes of the answer
	back  bool   // it was taken back: it is not sent again
}

// maxTries bounds how often a prompt is sent: each refusal must have told something new.
const maxTries = 5

// send takes a prompt of the session.
func (p *prompts) send(c adapters.Prompt, r *turn, l *link, out *adapters.Output) {
	for _, i := range c.Images {
		p.images[c.ID] = append(p.images[c.ID], i.Ref)
	}
	one := &prompting{Prompt: c}
	switch {
	case !c.Steer || !r.on && !p.starting:
		p.start(one, r, l, out)
	case r.on && r.id != "":
		p.steer(one, r, l, out)
	default:
		p.steers = append(p.steers, one)
	}
}

// start has a prompt start a turn.
func (p *prompts) start(one *prompting, r *turn, l *link, out *adapters.Output) {
	p.starting = true
	p.ask("turn/start", one, "", r, l, out)
}

// steer has the turn that runs take a prompt.
func (p *prompts) steer(one *prompting, r *turn, l *link, out *adapters.Output) {
	p.ask("turn/steer", one, r.id, r, l, out)
}

func (p *prompts) ask(method string, one *prompting, expected string, r *turn, l *link, out *adapters.Output) {
	one.into, one.taken = r.id, false
	one.tries++
	a := &asking{method: method, prompt: one}
	p.way = append(p.way, a)
	l.ask(a, turnStart{ThreadID: l.thread, ExpectedTurnID: expected, Input: input(one.Prompt), MessageID: one.ID}, out)
}

func (p *prompts) refused(id, why string, out *adapters.Output) {
	delete(p.images, id)
	out.Draft(adapters.PromptAnswered{ID: id, Result: adapters.PromptRefused, Error: why})
}

// input is what the user says, images as data URLs.
func input(p adapters.Prompt) []any {
	list := []any{textInput{"text", p.Text}}
	for _, i := range p.Images {
		list = append(list, imageInput{"image", "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)})
	}
	return list
}

// pictures names the images of a message that came as a prompt of the session: nobody has the bytes of others.
func (p *prompts) pictures(w *wireItem) []string {
	refs := p.images[w.ClientID]
	if w.Type != "userMessage" || len(refs) == 0 {
		return nil
	}
	var parts []userInput
	_ = native.Decode(w.Content, &parts)
	n := 0
	for _, part := range parts {
		if part.Type == "image" {
			n++
		}
	}
	return refs[:min(n, len(refs))]
}

// startAnswered takes the answer to turn/start, which names a turn; over says that this one has ended. On a turn that runs already it acts
// as a steer: the answer names that turn.
func (p *prompts) startAnswered(a *asking, id, problem string, over bool, r *turn, out *adapters.Output) {
	p.way = without(p.way, a)
	one := a.prompt
	if one == nil {
		if problem != "" {
			p.started = nil
			out.Draft(adapters.Notice{Level: "warning", Kind: "prompt_refused", Text: problem})
		}
		return
	}
	if problem != "" || r.on || over {
		p.starting, p.stop = false, false
	}
	switch {
	case problem == "":
		answer := adapters.PromptAnswered{ID: one.ID, Result: adapters.PromptStarted}
		if one.into != "" && id == one.into {
			answer.Result = adapters.PromptHandled
		}
		out.Draft(answer)
	case r.on && one.tries < maxTries: // one that cannot be steered: after it
		p.steers = append(p.steers, one)
	default:
		p.refused(one.ID, problem, out)
	}
}

// steerAnswered takes the answer to turn/steer. The turn may have ended meanwhile, or be another one than was thought.
func (p *prompts) steerAnswered(a *asking, problem string, r *turn, l *link, out *adapters.Output) {
	p.way = without(p.way, a)
	one := a.prompt
	switch {
	case one == nil: // somebody else's: its message shows whether it worked
	case problem == "":
		out.Draft(adapters.PromptAnswered{ID: one.ID, Result: adapters.PromptHandled})
	case one.tries >= maxTries:
		p.refused(one.ID, problem, out)
	case !r.on, strings.HasPrefix(problem, "no active turn"): // its end is on the way
		p.start(one, r, l, out)
	default:
		if id := activeTurn(problem); id != "" && id != r.id {
			r.rename(id)
			p.steer(one, r, l, out)
			return
		}
		p.steers = append(p.steers, one)
	}
}

// sendSteers sends the steers that waited for the turn to be known.
func (p *prompts) sendSteers(r *turn, l *link, out *adapters.Output) {
	if r.id == "" || l.quiet() {
		return
	}
	steers := p.steers
	p.steers = nil
	for _, one := range steers {
		p.steer(one, r, l, out)
	}
}

// retrySteers starts a turn with the first of the steers that the last turn did not take; the others go into that one.
func (p *prompts) retrySteers(r *turn, l *link, out *adapters.Output) {
	if len(p.steers) == 0 || p.starting || l.quiet() {
		return
	}
	one := p.steers[0]
	p.steers = p.steers[1:]
	p.start(one, r, l, out)
}

// began notes that a turn has: what was sent to start one has led to it.
func (p *prompts) began() {
	p.started, p.stop, p.starting = nil, false, false
	for _, a := range p.way {
		a.prompt.taken = a.prompt.taken || a.method == "turn/start"
	}
}

// ended notes that a turn has: what it has not taken by now it never does, and starts a turn of its own.
func (p *prompts) ended(r *turn, l *link, out *adapters.Output) {
	doubtful := p.doubtful
	p.doubtful = nil
	for _, one := range doubtful {
		if one.back {
			p.refused(one.ID, "interrupted before the agent took it", out)
		} else {
			p.steers = append(p.steers, one)
		}
	}
	p.retrySteers(r, l, out)
}

// idle says that nothing is on its way: no message with images is to come.
func (p *prompts) idle() bool {
	return !p.starting && len(p.steers)+len(p.unsure)+len(p.doubtful) == 0
}

// takeBack forgets the prompts that an interrupt finds on their way: the session has taken its steers back.
func (p *prompts) takeBack() {
	p.steers = nil
	for _, a := range p.unsure {
		a.prompt.back = true
	}
	for _, one := range p.doubtful {
		one.back = true
	}
}

// without is a list without one of its requests.
func without(list []*asking, a *asking) []*asking {
	return slices.DeleteFunc(list, func(b *asking) bool { return a == b })
}
