package opencode

import (
	"encoding/base64"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompts follows those that were sent until they are messages of the session, and the user's messages until their turn begins. OpenCode's
// answer says little: an accepted prompt can vanish, when its model or its agent is unknown.
//
// They are known again by their text, in the order of sending. OpenCode would take message ids of ours, but orders messages by
// them: one that is older than an answer which has just begun would never be answered.
type prompts struct {
	waiting []prompted
	before  []waiting // messages of the user that came before their turn
	said    []string  // texts of the user in the turn
	quiet   []string  // texts that start nothing, sent by somebody else
}

// waiting is a message of the user that came before its turn, or that no turn follows.
type waiting struct {
	id      string // of the part
	text    string
	images  []string // references of the daemon's
	command string   // id of the Prompt command that it came of
	steer   bool
	beats   int
}

// maxBefore is how many messages of the user may wait for a turn.
const maxBefore = 64

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

// partIn is a part of a prompt.
type partIn struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitempty"`
	Mime     string `json:"mime,omitempty"`
	Filename string `json:"filename,omitempty"`
	URL      string `json:"url,omitempty"` // a data URL
}

type modelIn struct {
	ProviderID string `json:"providerID"`
	ModelID    string `json:"modelID"`
}

// send makes the call that sends a prompt. To a busy session it is a steering one, always: OpenCode stores it at once and takes it into its
// next model request.
func (p *prompts) send(c adapters.Prompt, path string, model *modelIn, mode string) call {
	in := struct {
		Model *modelIn `json:"model,omitempty"`
		Agent string   `json:"agent,omitempty"`
		Parts []partIn `json:"parts"`
	}{Model: model, Agent: mode}
	if c.Text != "" || len(c.Images) == 0 {
		in.Parts = append(in.Parts, partIn{Type: "text", Text: c.Text})
	}
	q := prompted{id: c.ID, text: c.Text, steer: c.Steer}
	for i, image := range c.Images {
		q.images = append(q.images, image.Ref)
		in.Parts = append(in.Parts, partIn{
			Type: "file", Mime: image.MediaType, Filename: "image-" + strconv.Itoa(i+1),
			URL: "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
		})
	}
	p.waiting = append(p.waiting, q)
	return call{kind: askPrompt, method: "POST", path: path, body: body(in), prompt: c.ID}
}

// sentQuiet notes a prompt of somebody else that starts nothing.
func (p *prompts) sentQuiet(sent []byte) {
	var b struct {
		NoReply bool `json:"noReply"`
		Parts   []struct {
			Text string `json:"text"`
		} `json:"parts"`
	}
	if native.Decode(sent, &b) != nil || !b.NoReply || len(p.quiet) >= maxBefore {
		return
	}
	for _, part := range b.Parts {
		p.quiet = append(p.quiet, part.Text)
	}
}

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

// answer answers the command that a message came of.
func (w *waiting) answer(result adapters.PromptResult, out *adapters.Output) {
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

// first is the prompt of the turn that is about to begin; nil: it has none with a text. limit is that of a text, in bytes.
func (p *prompts) first(limit int) *protocol.Prompt {
	for _, w := range p.before {
		if w.text != "" {
			text, _ := native.Cut(w.text, limit)
			return &protocol.Prompt{Text: text}
		}
	}
	return nil
}

// wait keeps a message until its turn begins, and says whether none will.
func (p *prompts) wait(w waiting) (quiet bool) {
	p.before = append(p.before, w)
	return len(p.before) > maxBefore || p.silent(&w)
}

// beat takes a heartbeat, and says whether the messages have waited long enough for a turn.
func (p *prompts) beat() (quiet bool) {
	if len(p.before) == 0 {
		return false
	}
	p.before[0].beats++
	return p.before[0].beats >= maxBeats
}

// any says that a prompt was sent and that no turn has begun with it.
func (p *prompts) any() bool { return len(p.before) > 0 || len(p.waiting) > 0 }

// answered takes the answer to a prompt: that it was accepted, or why not. Where none came, it may have been.
func (p *prompts) answered(a *httpline.Answer, c call, calls *calls, out *adapters.Output) (refused bool) {
	i := p.index(c.prompt)
	switch {
	case i < 0: // it is a message already
		return false
	case !a.OK() && a.Error == "":
		p.refuse(i, problem(a), out)
		return true
	}
	p.waiting[i].accepted = true
	wait := int64(fateMs)
	if a.Error != "" {
		wait = retryAfterMs
	}
	calls.ask(call{kind: askFate, method: "GET", path: "/session/status", afterMs: wait}, out)
	return false
}

// lost says that an accepted prompt is no message, or a message that nothing follows. on says that there is a turn.
func (p *prompts) lost(on bool) bool {
	return slices.ContainsFunc(p.waiting, func(q prompted) bool { return q.accepted }) ||
		!on && slices.ContainsFunc(p.before, func(w waiting) bool { return w.command != "" })
}

// refuseLost refuses the accepted prompts that are no messages: they never will be.
func (p *prompts) refuseLost(a *httpline.Answer, out *adapters.Output) {
	why := "the agent accepted the prompt and did nothing with it"
	if !a.OK() {
		why = "nothing was heard of the prompt: " + problem(a)
	}
	for i := 0; i < len(p.waiting); {
		if !p.waiting[i].accepted {
			i++
			continue
		}
		p.refuse(i, why, out)
	}
}
