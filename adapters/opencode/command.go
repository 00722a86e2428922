package opencode

import (
	"encoding/base64"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/httpline"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Command puts a command into calls.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
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

// prompt sends a prompt. To a busy session it is a steering one, always: OpenCode stores it at once and takes it into its next
// model request.
func (t *Translator) prompt(p adapters.Prompt, out *adapters.Output) {
	if t.session == "" {
		out.Draft(adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptRefused, Error: "the agent has no session yet"})
		return
	}
	var in struct {
		Model *modelIn `json:"model,omitempty"`
		Agent string   `json:"agent,omitempty"`
		Parts []partIn `json:"parts"`
	}
	in.Model, in.Agent = t.wanted(out), t.settings.mode
	if p.Text != "" || len(p.Images) == 0 {
		in.Parts = append(in.Parts, partIn{Type: "text", Text: p.Text})
	}
	w := prompted{id: p.ID, text: p.Text, steer: p.Steer}
	for i, image := range p.Images {
		w.images = append(w.images, image.Ref)
		in.Parts = append(in.Parts, partIn{
			Type: "file", Mime: image.MediaType, Filename: "image-" + itoa(i+1),
			URL: "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data),
		})
	}
	t.prompts.waiting = append(t.prompts.waiting, w)
	t.ask(out, call{
		kind: askPrompt, method: "POST", path: "/session/" + t.session + "/prompt_async", body: body(in), prompt: p.ID,
	})
}

// interrupt stops the run. Requests that are open die with it, silently.
func (t *Translator) interrupt(out *adapters.Output) {
	t.abortSent()
	t.asked.dropAll(out)
	if t.session != "" {
		t.ask(out, call{kind: askAbort, method: "POST", path: "/session/" + t.session + "/abort"})
	}
}

// abortSent notes an abort. Not every aborted run ends with an error that says so.
func (t *Translator) abortSent() {
	if t.run.on || len(t.before) > 0 || len(t.prompts.waiting) > 0 {
		t.run.aborted = true
	}
}

func (t *Translator) abortAnswered(a *httpline.Answer, c call, out *adapters.Output) {
	if a.OK() || c.foreign || t.again(a, c, out) {
		return
	}
	out.Draft(adapters.Notice{Level: "warning", Kind: "interrupt_failed", Text: "The agent was not interrupted: " + problem(a)})
}

// refusal is what the agent is told when somebody denies a call without saying why. Without any words it would stop.
const refusal = "The user does not allow this call. Go on without it."

// answer answers a request; one that is no longer open needs none.
func (t *Translator) answer(a adapters.Answer, out *adapters.Output) {
	id, ok := t.asked.keys[a.Key]
	if !ok {
		return
	}
	r := t.asked.open[id]
	if r.answered {
		return
	}
	r.answered = true
	c := call{kind: askReply, method: "POST", request: id}
	base := ""
	if r.next {
		base = "/api/session/" + t.session
	}
	switch {
	case r.question && a.Outcome == protocol.OutcomeAnswered:
		c.path = base + "/question/" + id + "/reply"
		c.body = body(struct {
			Answers [][]string `json:"answers"`
		}{a.Answers})
	case r.question:
		t.run.denied = t.run.on
		c.path = base + "/question/" + id + "/reject"
	default:
		c.path = base + "/permission/" + id + "/reply"
		c.body = body(t.reply(a))
	}
	t.ask(out, c)
}

// replyIn answers a permission.
type replyIn struct {
	Reply   string `json:"reply"`
	Message string `json:"message,omitempty"`
}

func (t *Translator) reply(a adapters.Answer) replyIn {
	switch {
	case a.Outcome == protocol.OutcomeAllowed && a.Option == protocol.AllowAlways:
		return replyIn{Reply: "always"}
	case a.Outcome == protocol.OutcomeAllowed:
		return replyIn{Reply: "once"}
	case a.Outcome == protocol.OutcomeDenied && a.Option != protocol.DenyStop:
		if a.Message == "" {
			a.Message = refusal
		}
		return replyIn{Reply: "reject", Message: a.Message}
	}
	t.run.denied = t.run.on
	return replyIn{Reply: "reject"}
}

// replyAnswered takes what became of an answer. A request that is no longer there needed none.
func (t *Translator) replyAnswered(a *httpline.Answer, c call, out *adapters.Output) {
	if a.OK() || a.Status == 404 || t.again(a, c, out) {
		if x := t.entryOf(c.request); a.OK() && x != nil {
			t.showRunning(x, out)
		}
		return
	}
	out.Draft(adapters.Notice{Level: "warning", Kind: "answer_failed", Text: "The agent did not take the answer: " + problem(a)})
}

// entryOf is the call that a request is about.
func (t *Translator) entryOf(request string) *part {
	r := t.asked.open[request]
	if r == nil || r.entry == 0 {
		return nil
	}
	for _, x := range t.parts {
		if x.key == r.entry && !x.closed {
			return x
		}
	}
	return nil
}

// userFile notes a picture of the user's. Its message is said with its text; one without a text is said here, once.
func (t *Translator) userFile(p *partWire, out *adapters.Output) {
	t.seen.add(p.ID)
	if w, ok := t.prompts.pictures(p.ID); ok {
		t.userMessage(w, out)
	}
}

// noReplySent notes a prompt of somebody else that starts nothing.
func (t *Translator) noReplySent(sent []byte) {
	var b struct {
		NoReply bool `json:"noReply"`
		Parts   []struct {
			Text string `json:"text"`
		} `json:"parts"`
	}
	if native.Decode(sent, &b) != nil || !b.NoReply || len(t.prompts.quiet) >= maxBefore {
		return
	}
	for _, p := range b.Parts {
		t.prompts.quiet = append(t.prompts.quiet, p.Text)
	}
}
