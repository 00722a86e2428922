package droid

import (
	"crypto/sha1" //nolint:gosec // the hash of RFC 9562 §5.5, not a secret
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
)

// prompts follows the messages that were sent, until the agent has shown them.
type prompts struct {
	session string             // our id of it, of which those of messages are made
	list    []*prompt          // not shown yet, the oldest first
	waiting map[string]*prompt // whose requests are not answered, by the ids of these
	past    map[string]bool    // ids of messages that the agent's session has already
}

// prompt is a message on its way into the conversation.
type prompt struct {
	id       string // of the Prompt command; empty: somebody else sent it
	message  string // its message id; empty: the agent gives one
	request  string // id of the request
	text     string
	images   []string // references
	answered bool     // PromptAnswered was said
}

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

// send sends a message. Droid takes it at any time: see the package's comment.
func (p *prompts) send(c adapters.Prompt, calls *calls, out *adapters.Output) {
	x := &prompt{id: c.ID, message: p.messageID(c.ID), text: c.Text}
	params := messageParams{MessageID: x.message, Text: c.Text}
	for _, i := range c.Images {
		params.Images = append(params.Images, picture{"base64", base64.StdEncoding.EncodeToString(i.Data), i.MediaType})
		x.images = append(x.images, i.Ref)
	}
	x.request = calls.ask(call{method: methodMessage}, params, out)
	p.add(x)
}

// sent takes a message that somebody else sent.
func (p *prompts) sent(e *envelope) {
	var m struct {
		MessageID string `json:"messageId"`
		Text      string `json:"text"`
	}
	_ = native.Decode(e.Params, &m)
	p.add(&prompt{message: m.MessageID, request: e.ID, text: m.Text})
}

func (p *prompts) add(x *prompt) {
	p.list = append(p.list, x)
	p.waiting[x.request] = x
}

// messageID derives the id of a prompt's message. Droid accepts an id that it has seen and then ignores the message; an id
// that its session has, of a prompt that is sent again after the process was lost, is therefore passed over.
func (p *prompts) messageID(id string) string {
	for n := 1; ; n++ {
		name := "prompt " + id
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if m := uuid(p.session, name); !p.past[m] {
			p.past[m] = true
			return m
		}
	}
}

// uuid is a name-based UUID (RFC 9562 §5.5), with the text of the session's id as the namespace.
func uuid(session, name string) string {
	sum := sha1.Sum([]byte(session + "\x00" + name)) //nolint:gosec // see the import
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// accepted takes the agent's answer that it has a message; on: a turn is.
func (p *prompts) accepted(request string, on bool, out *adapters.Output) {
	x := p.waiting[request]
	delete(p.waiting, request)
	if x == nil {
		return
	}
	result := adapters.PromptStarted
	if on {
		result = adapters.PromptQueued
	}
	x.answer(result, out)
}

// refused takes the agent's answer that it does not have a message, and says whether that was one of ours.
func (p *prompts) refused(request, problem string, out *adapters.Output) (ours bool) {
	x := p.waiting[request]
	delete(p.waiting, request)
	if x == nil {
		return false
	}
	p.refuse(x, problem, out)
	return x.id != ""
}

// discard drops what waits in the agent's queue.
func (p *prompts) discard(problem string, out *adapters.Output) {
	for len(p.list) > 0 {
		p.refuse(p.list[0], problem, out)
	}
}

func (p *prompts) refuse(x *prompt, problem string, out *adapters.Output) {
	p.forget(x)
	if x.id != "" {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: adapters.PromptRefused, Error: problem})
	}
}

// shown finds the prompt that a user's message shows, and takes it off the list; nil: it shows none.
func (p *prompts) shown(message, request string) *prompt {
	x := p.find(func(x *prompt) bool { return message != "" && x.message == message })
	if x == nil {
		x = p.find(func(x *prompt) bool { return request != "" && x.request == request })
	}
	p.forget(x)
	return x
}

// unshown finds the prompt of a turn that shows none, and takes it off the list: the one with this message, or else the oldest; nil: there
// is none.
func (p *prompts) unshown(message string) *prompt {
	x := p.find(func(x *prompt) bool { return message != "" && x.message == message })
	if x == nil && len(p.list) > 0 {
		x = p.list[0]
	}
	p.forget(x)
	return x
}

func (p *prompts) find(is func(*prompt) bool) *prompt {
	if i := slices.IndexFunc(p.list, is); i >= 0 {
		return p.list[i]
	}
	return nil
}

func (p *prompts) forget(x *prompt) {
	p.list = slices.DeleteFunc(p.list, func(y *prompt) bool { return x == y })
}

// answer says what became of a prompt of ours, unless that was said.
func (x *prompt) answer(result adapters.PromptResult, out *adapters.Output) {
	if x.id != "" && !x.answered {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: result})
	}
}

// joined says that a prompt of ours went into the running turn, also where it was said that it waits.
func (x *prompt) joined(out *adapters.Output) {
	if x.id != "" {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: adapters.PromptHandled})
	}
}
