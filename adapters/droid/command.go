package droid

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

type messageParams struct {
	MessageID string    `json:"messageId,omitempty"`
	Text      string    `json:"text"`
	Images    []picture `json:"images,omitempty"`
}

// picture is an image of a prompt: JPEG, PNG, GIF or WebP.
type picture struct {
	Type      string `json:"type"` // base64
	Data      string `json:"data"`
	MediaType string `json:"mediaType"`
}

// Command puts a command into lines. Before the session stands, it waits.
func (t *Translator) Command(cmd adapters.Command, out *adapters.Output) {
	_, stop := cmd.(adapters.Interrupt)
	if !t.told.ready && !stop {
		t.waiting = append(t.waiting, cmd)
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
		if c.Model == "" {
			out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: "no model was named"})
			return
		}
		t.set(asked{setting: c.ID, model: c.Model}, settings{ModelID: &c.Model}, out)
	case adapters.SetMode:
		var s settings
		if !s.setMode(c.Mode) {
			out.Draft(adapters.SettingAnswered{ID: c.ID, Result: adapters.SettingRefused, Error: native.Head(unknownMode(c.Mode), maxNoticed)})
			return
		}
		t.set(asked{setting: c.ID, mode: c.Mode}, s, out)
	}
}

func unknownMode(mode string) string {
	var ids []string
	for _, c := range modes(nil) {
		ids = append(ids, c.ID)
	}
	return fmt.Sprintf("Droid has no mode %q, but %s", mode, strings.Join(ids, ", "))
}

func (t *Translator) set(a asked, s settings, out *adapters.Output) {
	a.method = methodSettings
	t.asked[t.send(out, methodSettings, s)] = a
}

// prompt sends a message. Droid takes it at any time: see the package's comment.
func (t *Translator) prompt(p adapters.Prompt, out *adapters.Output) {
	t.aborting = false
	x := &prompt{id: p.ID, message: t.prompts.messageID(t.spec.SessionID, p.ID), text: p.Text, steer: p.Steer}
	params := messageParams{MessageID: x.message, Text: p.Text}
	for _, i := range p.Images {
		params.Images = append(params.Images, picture{"base64", base64.StdEncoding.EncodeToString(i.Data), i.MediaType})
		x.images = append(x.images, i.Ref)
	}
	x.request = t.send(out, methodMessage, params)
	t.prompts.list = append(t.prompts.list, x)
	t.asked[x.request] = asked{method: methodMessage, prompt: x}
}

// interrupt stops the turn. Droid withdraws its requests and discards its queue itself.
func (t *Translator) interrupt(out *adapters.Output) {
	if !t.told.ready {
		t.interruptWaiting(out)
		return
	}
	t.aborting = true
	t.asked[t.send(out, methodInterrupt, struct{}{})] = asked{method: methodInterrupt}
}

// interruptWaiting ends prompts that the agent has never seen.
func (t *Translator) interruptWaiting(out *adapters.Output) {
	kept := t.waiting[:0]
	for _, c := range t.waiting {
		p, ok := c.(adapters.Prompt)
		if !ok {
			kept = append(kept, c)
			continue
		}
		out.Draft(adapters.PromptAnswered{ID: p.ID, Result: adapters.PromptStarted})
		out.Draft(adapters.TurnBegan{Prompt: &protocol.Prompt{Text: native.Head(p.Text, t.spec.TextLimit())}})
		out.Draft(adapters.TurnEnded{Status: protocol.TurnInterrupted})
	}
	t.waiting = kept
}

// Sent takes a line that somebody else sent to the agent.
func (t *Translator) Sent(line []byte, out *adapters.Output) {
	var e envelope
	if native.Decode(line, &e) != nil || e.ID == "" {
		return
	}
	if e.Method == "" {
		t.answeredElsewhere(&e, out)
		return
	}
	var p struct {
		SessionID string `json:"sessionId"`
		MessageID string `json:"messageId"`
		Text      string `json:"text"`
	}
	_ = native.Decode(e.Params, &p)
	a := asked{method: e.Method, session: p.SessionID}
	switch e.Method {
	case methodMessage:
		a.prompt = &prompt{message: p.MessageID, request: e.ID, text: p.Text}
		t.prompts.list = append(t.prompts.list, a.prompt)
		t.aborting = false
	case methodInterrupt:
		t.aborting = true
	}
	t.asked[e.ID] = a
}
