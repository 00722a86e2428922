package opencode

import (
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
)

// prompts follows those that were sent until they are messages of the session. OpenCode's answer says little: an accepted
// prompt can vanish, when its model or its agent is unknown.
//
// They are known again by their text, in the order of sending. OpenCode would take message ids of ours, but orders messages by
// them: one that is older than an answer which has just begun would never be answered.
type prompts struct {
	waiting []prompted
	quiet   []string // texts that start nothing, sent by somebody else
}

// prompted is a prompt that was sent.
type prompted struct {
	id       string // of the command
	text     string
	images   []string
	steer    bool
	accepted bool
}

// fateMs is how long after a prompt was accepted it is asked what became of it, in milliseconds. The first prompt in a folder
// takes OpenCode some seconds.
const fateMs = 20_000

// match finds the prompt that a message of the user is, and takes it.
func (p *prompts) match(w *waiting) {
	for i, q := range p.waiting {
		if q.text == w.text {
			w.command, w.images, w.steer = q.id, q.images, q.steer
			p.waiting = slices.Delete(p.waiting, i, i+1)
			return
		}
	}
}

// pictures makes the message of a prompt that has no text.
func (p *prompts) pictures(id string) (waiting, bool) {
	for i, q := range p.waiting {
		if q.text == "" && len(q.images) > 0 {
			p.waiting = slices.Delete(p.waiting, i, i+1)
			return waiting{id: id, command: q.id, images: q.images, steer: q.steer}, true
		}
	}
	return waiting{}, false
}

// silent says that a text starts nothing.
func (p *prompts) silent(w *waiting) bool {
	i := slices.Index(p.quiet, w.text)
	if i < 0 {
		return false
	}
	p.quiet = slices.Delete(p.quiet, i, i+1)
	return true
}

// taken answers the command that a message came of.
func (p *prompts) taken(w *waiting, result adapters.PromptResult, out *adapters.Output) {
	if w.command != "" {
		out.Draft(adapters.PromptAnswered{ID: w.command, Result: result})
	}
}

// refuseOldest refuses the oldest prompt that is no message yet; false: there is none.
func (p *prompts) refuseOldest(why string, out *adapters.Output) bool {
	if len(p.waiting) == 0 {
		return false
	}
	p.refuse(0, why, out)
	return true
}

func (p *prompts) refuse(i int, why string, out *adapters.Output) {
	out.Draft(adapters.PromptAnswered{ID: p.waiting[i].id, Result: adapters.PromptRefused, Error: why})
	p.waiting = slices.Delete(p.waiting, i, i+1)
}

func (p *prompts) index(id string) int {
	return slices.IndexFunc(p.waiting, func(q prompted) bool { return q.id == id })
}

// promptAnswered takes the answer to a prompt: that it was accepted, or why not. Where none came, it may have been.
func (t *Translator) promptAnswered(a *httpline.Answer, c call, out *adapters.Output) {
	i := t.prompts.index(c.prompt)
	if i < 0 {
		return // it is a message already
	}
	if !a.OK() && a.Error == "" {
		t.prompts.refuse(i, problem(a), out)
		t.forgetAbort()
		return
	}
	t.prompts.waiting[i].accepted = true
	wait := int64(fateMs)
	if a.Error != "" {
		wait = retryAfterMs
	}
	t.ask(out, call{kind: askFate, method: "GET", path: "/session/status", afterMs: wait})
}

// fate looks, some time after prompts were accepted, whether any of them was not heard of.
func (t *Translator) fate(_ *httpline.Answer, out *adapters.Output) {
	if t.lost() {
		t.ask(out, call{kind: askFateMessages, method: "GET", path: "/session/" + t.session + "/message", query: pageQuery})
	}
}

// lost says that an accepted prompt is no message, or a message that nothing follows.
func (t *Translator) lost() bool {
	return slices.ContainsFunc(t.prompts.waiting, func(q prompted) bool { return q.accepted }) ||
		!t.run.on && slices.ContainsFunc(t.before, func(w waiting) bool { return w.command != "" })
}

// fateMessages looks whether prompts that nothing was heard of are messages of the session. Those that are not never will be.
func (t *Translator) fateMessages(a *httpline.Answer, out *adapters.Output) {
	if !t.lost() {
		return
	}
	if a.OK() {
		t.foldAnswer(a, out)
	}
	for i := 0; i < len(t.prompts.waiting); {
		if !t.prompts.waiting[i].accepted {
			i++
			continue
		}
		why := "the agent accepted the prompt and did nothing with it"
		if !a.OK() {
			why = "nothing was heard of the prompt: " + problem(a)
		}
		t.prompts.refuse(i, why, out)
	}
	if !t.run.on {
		t.flush(out)
	}
	t.forgetAbort()
}

// forgetAbort forgets the abort of a run that never began.
func (t *Translator) forgetAbort() {
	if !t.run.on && len(t.before) == 0 && len(t.prompts.waiting) == 0 {
		t.run.aborted = false
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
