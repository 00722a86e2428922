package pi

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompts follows the prompts that wait for their answer, and Pi's queue of them.
type prompts struct {
	limit    int               // bytes of a text
	waiting  map[string]string // native id → id of the Prompt command
	images   map[[32]byte]bool // pictures that Prompt sent
	started  *protocol.Prompt  // what somebody else sent to the idle agent
	sentID   string            // native id of that
	clearing bool              // clear_queue was sent and is not answered
}

// promptPrefix begins the native ids of prompts, so that they never meet those of other commands.
const promptPrefix = "p-"

// send sends a prompt. Pi takes "steer" also when it is idle, and then starts a run: a prompt that was meant for a
// running turn is not lost when that turn has just ended.
func (p *prompts) send(prompt adapters.Prompt, out *adapters.Output) {
	c := command{ID: promptPrefix + prompt.ID, Type: "prompt", Message: &prompt.Text}
	if prompt.Steer {
		c.Behavior = string(protocol.Steer)
	}
	for _, i := range prompt.Images {
		p.images[sha256.Sum256(i.Data)] = true
		c.Images = append(c.Images, picture{"image", base64.StdEncoding.EncodeToString(i.Data), i.MediaType})
	}
	p.waiting[c.ID] = prompt.ID
	send(out, c)
}

// begins notes a prompt that somebody else sent to the idle agent: the next turn is about it.
func (p *prompts) begins(c *command) {
	if c.Message != nil {
		s, _ := native.Cut(*c.Message, p.limit)
		p.started, p.sentID = &protocol.Prompt{Text: s}, c.ID
	}
}

// first gives the prompt that begins a turn, once; nil where the daemon sent it.
func (p *prompts) first() *protocol.Prompt {
	started := p.started
	p.started = nil
	return started
}

// answered says what became of a prompt, and whether Pi has told its disposition. Pi 0.73 has none: what it takes, it starts or,
// where a turn is on, queues.
func (p *prompts) answered(r *response, on bool, out *adapters.Output) (disposed bool) {
	var d struct {
		Disposition string `json:"disposition"`
	}
	_ = native.Decode(r.Data, &d)
	disposed = d.Disposition != ""
	if r.ID == p.sentID && (!r.Success || d.Disposition == "handled") {
		p.started = nil
	}
	id, ours := p.waiting[r.ID]
	if !ours {
		if !r.Success {
			out.Draft(adapters.Notice{Level: "warning", Kind: "prompt_refused", Text: native.Head(r.Error, maxNoticed)})
		}
		return disposed
	}
	delete(p.waiting, r.ID)
	a := adapters.PromptAnswered{ID: id}
	switch {
	case !r.Success:
		a.Result, a.Error = adapters.PromptRefused, native.Head(r.Error, maxNoticed)
		if a.Error == "" {
			a.Error = "the agent refused the prompt"
		}
	case d.Disposition == "handled":
		a.Result = adapters.PromptHandled
	case d.Disposition == "queued", !disposed && on:
		a.Result = adapters.PromptQueued
	default:
		a.Result = adapters.PromptStarted
	}
	out.Draft(a)
	return disposed
}

// queue reports Pi's own queue. It is emptied by clear_queue, or by delivering what was in it.
func (p *prompts) queue(line []byte, out *adapters.Output) {
	var q struct {
		Steering []string `json:"steering"`
		FollowUp []string `json:"followUp"`
	}
	_ = native.Decode(line, &q)
	out.Draft(adapters.NativeQueue{
		Steering: q.Steering, FollowUp: q.FollowUp,
		Cleared: p.clearing && len(q.Steering)+len(q.FollowUp) == 0,
	})
}

// pictures names the pictures of a message that came through Prompt: nobody has the bytes of others.
func (p *prompts) pictures(list []contentWire) []string {
	var refs []string
	for _, c := range list {
		if c.Type != "image" {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if sum := sha256.Sum256(data); err == nil && p.images[sum] {
			refs = append(refs, "sha256:"+hex.EncodeToString(sum[:])+";"+c.MimeType)
		}
	}
	return refs
}
