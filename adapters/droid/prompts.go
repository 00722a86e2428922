package droid

import (
	"crypto/sha1" //nolint:gosec // the hash of RFC 9562 §5.5, not a secret
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/ringmaster-agents/ringmaster/adapters"
)

// prompts follows the messages that were sent and that the agent has not shown yet.
type prompts struct {
	list []*prompt
	past map[string]bool // ids of messages that the session has already
}

// prompt is a message on its way into the conversation.
type prompt struct {
	id       string // of the Prompt command; empty: somebody else sent it
	message  string // its message id; empty: the agent gives one
	request  string // id of the request
	text     string
	images   []string // references
	steer    bool
	answered bool // PromptAnswered was said
}

// messageID derives the id of a prompt's message. Droid accepts an id that it has seen and then ignores the message; an id
// that its session has, of a prompt that is sent again after the process was lost, is therefore passed over.
func (p *prompts) messageID(session, id string) string {
	for n := 1; ; n++ {
		name := "prompt " + id
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if m := uuid(session, name); !p.past[m] {
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

// shown finds the prompt that a user's message shows, and takes it off the list.
func (p *prompts) shown(message, request string) *prompt {
	i := slices.IndexFunc(p.list, func(x *prompt) bool { return message != "" && x.message == message })
	if i < 0 {
		i = slices.IndexFunc(p.list, func(x *prompt) bool { return request != "" && x.request == request })
	}
	if i < 0 {
		return nil
	}
	x := p.list[i]
	p.list = slices.Delete(p.list, i, i+1)
	return x
}

// unshown is the prompt of a turn that ends before its message was shown.
func (p *prompts) unshown(message string) *prompt {
	for _, x := range p.list {
		if message != "" && x.message == message {
			return x
		}
	}
	if len(p.list) == 0 {
		return nil
	}
	return p.list[0]
}

func (p *prompts) forget(x *prompt) {
	p.list = slices.DeleteFunc(p.list, func(y *prompt) bool { return x == y })
}

// accepted takes the agent's answer that it has a message.
func (t *Translator) accepted(x *prompt, out *adapters.Output) {
	if x == nil {
		return
	}
	result := adapters.PromptStarted
	if t.run.on {
		result = adapters.PromptQueued
	}
	x.answer(result, out)
}

// answer says what became of a prompt of ours, unless that was said.
func (x *prompt) answer(result adapters.PromptResult, out *adapters.Output) {
	if x.id != "" && !x.answered {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: result})
	}
}

func (p *prompts) refused(x *prompt, problem string, out *adapters.Output) {
	p.forget(x)
	if x.id != "" {
		x.answered = true
		out.Draft(adapters.PromptAnswered{ID: x.id, Result: adapters.PromptRefused, Error: problem})
	}
}

// discard drops what waits in the agent's queue.
func (p *prompts) discard(problem string, out *adapters.Output) {
	for len(p.list) > 0 {
		p.refused(p.list[0], problem, out)
	}
}
