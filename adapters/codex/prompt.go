package codex

import (
	"encoding/base64"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompts follows what was sent to start or steer a turn.
type prompts struct {
	started  *protocol.Prompt    // what somebody else sent to the idle thread
	starting bool                // a turn/start of ours has not led to its turn yet
	stop     bool                // Interrupt was asked for before the turn began
	steers   []*prompting        // that wait for the turn to be known, or to end where it cannot be steered
	unsure   []*asking           // turn/start and turn/steer that were under way when the connection was lost
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

// turnStart are the parameters of turn/start and, with ExpectedTurnID, of turn/steer.
type turnStart struct {
	ThreadID       string `json:"threadId"`
	ExpectedTurnID string `json:"expectedTurnId,omitempty"`
	Input          []any  `json:"input"`
	MessageID      string `json:"clientUserMessageId,omitempty"`
}

type textInput struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type imageInput struct {
	Type string `json:"type"`
	URL  string `json:"url"`
}

// Command puts a command into lines.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	if t.link.quiet() && t.waits(cmd, out) {
		return
	}
	switch c := cmd.(type) {
	case adapters.Prompt:
		t.prompt(c, out)
	case adapters.Interrupt:
		t.interrupt(out)
	case adapters.Answer:
		t.answer(c, out)
	case adapters.SetModel:
		t.setModel(c, out)
	case adapters.SetMode:
		t.setMode(c, out)
	}
}

func (t *Translator) prompt(c adapters.Prompt, out *adapters.Output) {
	switch {
	case t.spec.Child:
		t.refused(c.ID, "a sub-agent takes no prompts; ask the session that started it", out)
		return
	case t.thread == "" || t.history.joining:
		t.refused(c.ID, "the thread has not begun", out)
		return
	}
	for _, i := range c.Images {
		t.prompts.images[c.ID] = append(t.prompts.images[c.ID], i.Ref)
	}
	p := &prompting{Prompt: c}
	switch {
	case !c.Steer || !t.turn.on && !t.prompts.starting:
		t.startTurn(p, out)
	case t.turn.on && t.turn.id != "":
		t.steer(p, out)
	default:
		t.prompts.steers = append(t.prompts.steers, p)
	}
}

func (t *Translator) refused(id, why string, out *adapters.Output) {
	delete(t.prompts.images, id)
	out.Draft(adapters.PromptAnswered{ID: id, Result: adapters.PromptRefused, Error: why})
}

func (t *Translator) startTurn(p *prompting, out *adapters.Output) {
	p.into, p.taken = t.turn.id, false
	p.tries++
	t.prompts.starting = true
	t.ask(&asking{method: "turn/start", prompt: p}, turnStart{ThreadID: t.thread, Input: input(p.Prompt), MessageID: p.ID}, out)
}

func (t *Translator) steer(p *prompting, out *adapters.Output) {
	p.into, p.taken = t.turn.id, false
	p.tries++
	t.ask(&asking{method: "turn/steer", prompt: p}, turnStart{
		ThreadID: t.thread, ExpectedTurnID: t.turn.id, Input: input(p.Prompt), MessageID: p.ID,
	}, out)
}

// input is what the user says, images as data URLs.
func input(p adapters.Prompt) []any {
	list := []any{textInput{"text", p.Text}}
	for _, i := range p.Images {
		list = append(list, imageInput{"image", "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)})
	}
	return list
}

// pictures names the images of a message that came through Prompt: nobody has the bytes of others.
func (t *Translator) pictures(clientID string, parts []userInput) []string {
	refs := t.prompts.images[clientID]
	n := 0
	for _, p := range parts {
		if p.Type == "image" {
			n++
		}
	}
	return refs[:min(n, len(refs))]
}

// turnAnswered takes the answer to turn/start. On a turn that runs already it acts as a steer: the answer names that turn.
func (t *Translator) turnAnswered(a *asking, result []byte, problem string, out *adapters.Output) {
	p := a.prompt
	if p == nil {
		if problem != "" {
			t.prompts.started = nil
			out.Draft(adapters.Notice{Level: "warning", Kind: "prompt_refused", Text: problem})
		}
		return
	}
	id := text(result, "turn", "id")
	if problem != "" || t.turn.on || t.ended.has(id) {
		t.prompts.starting, t.prompts.stop = false, false
	}
	switch {
	case problem == "":
		answer := adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptStarted}
		if p.into != "" && id == p.into {
			answer.Result = adapters.PromptHandled
		}
		out.Draft(answer)
	case t.turn.on && p.tries < maxTries: // one that cannot be steered: after it
		t.prompts.steers = append(t.prompts.steers, p)
	default:
		t.refused(p.ID, problem, out)
	}
}

// steerAnswered takes the answer to turn/steer. The turn may have ended meanwhile, or be another one than was thought.
func (t *Translator) steerAnswered(a *asking, problem string, out *adapters.Output) {
	p := a.prompt
	switch {
	case p == nil: // somebody else's: its message shows whether it worked
	case problem == "":
		out.Draft(adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptHandled})
	case p.tries >= maxTries:
		t.refused(p.ID, problem, out)
	case !t.turn.on:
		t.startTurn(p, out)
	case strings.HasPrefix(problem, "no active turn"):
		t.startTurn(p, out) // its end is on the way
	default:
		if id := activeTurn(problem); id != "" && id != t.turn.id {
			t.turn.alias, t.turn.id = t.turn.id, id
			t.steer(p, out)
			return
		}
		t.prompts.steers = append(t.prompts.steers, p)
	}
}

// activeTurn reads the turn that runs out of a refusal: expected active turn id `A` but found `B`, with or without quotes.
func activeTurn(problem string) string {
	_, id, _ := strings.Cut(problem, "but found ")
	return strings.Trim(id, "`")
}

// sendSteers sends the steers that waited for the turn to be known.
func (t *Translator) sendSteers(out *adapters.Output) {
	if t.turn.id == "" || t.link.quiet() {
		return
	}
	steers := t.prompts.steers
	t.prompts.steers = nil
	for _, p := range steers {
		t.steer(p, out)
	}
}

// retrySteers starts a turn with the first of the steers that the last turn did not take; the others go into that one.
func (t *Translator) retrySteers(out *adapters.Output) {
	if len(t.prompts.steers) == 0 || t.prompts.starting || t.link.quiet() {
		return
	}
	p := t.prompts.steers[0]
	t.prompts.steers = t.prompts.steers[1:]
	t.startTurn(p, out)
}

// interrupt stops the turn. Before the server has said that it runs it would refuse.
func (t *Translator) interrupt(out *adapters.Output) {
	t.takeBack(out)
	if t.turn.on {
		t.turn.stop, t.turn.stopping = true, false
		t.stopNow(out)
	} else if t.prompts.starting {
		t.prompts.stop = true
	}
}

// stopNow sends the interrupt that was asked for as soon as the turn is known.
func (t *Translator) stopNow(out *adapters.Output) {
	if t.turn.stop && !t.turn.stopping && t.turn.id != "" && !t.link.quiet() {
		t.turn.stopping = true
		t.ask(&asking{method: "turn/interrupt", id: t.turn.id}, inThread{t.thread, t.turn.id}, out)
	}
}

func (t *Translator) interruptAnswered(a *asking, problem string, out *adapters.Output) {
	if !a.mine || !t.turn.is(a.id) || problem == "" {
		return
	}
	if id := activeTurn(problem); id != "" && id != t.turn.id && id != t.turn.alias {
		t.turn.alias, t.turn.id = t.turn.id, id
	} else if t.turn.started {
		return // its end is on the way
	}
	t.turn.stopping = false
	if t.turn.started || t.turn.alias != "" {
		t.stopNow(out)
	}
}
