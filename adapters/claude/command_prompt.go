package claude

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// prompts follows what went in until a turn has taken it. Prompts of ours have a uuid, by which command_lifecycle tells what
// becomes of them. Those of others may have none. Then one that finds the agent idle begins a turn of its own; those that
// find it at work join the turn with its next model request, or wait and begin the next one together.
type prompts struct {
	session string             // ours, which the ids of prompts are made of
	known   map[string]*prompt // by uuid; those that were taken stay as nil, so that echoes of them are known
	waiting []*prompt          // not taken, in the order of their coming
	unnamed []string           // texts of those without a uuid that the running turn has taken; echoes bring uuids of their own
	tells   bool               // the agent tells of the lifecycle of prompts
}

type prompt struct {
	uuid   string
	id     string // of the Prompt command; empty: somebody else's
	text   string
	images []string // references
	steer  bool
	queued bool // it did not find the agent idle
}

// maxKnown is how many uuids of prompts are remembered.
const maxKnown = 1024

// maxUnnamed is of how many prompts without a uuid a turn expects echoes.
const maxUnnamed = 64

// userMessage is a prompt on its way to the agent.
type userMessage struct {
	Type    string      `json:"type"`
	Message userContent `json:"message"`
	UUID    string      `json:"uuid"`
	Parent  *string     `json:"parent_tool_use_id"`
	Session string      `json:"session_id"`
}

type userContent struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// part is one block of a prompt with images.
type part struct {
	Type   string  `json:"type"`
	Text   string  `json:"text,omitempty"`
	Source *source `json:"source,omitempty"`
}

// send sends a prompt. The agent takes one at any time: into the running turn at its next model request, else into the next
// turn. on says that a turn is running.
func (s *prompts) send(p adapters.Prompt, on bool, out *adapters.Output) {
	own := &prompt{uuid: promptUUID(s.session, p.ID), id: p.ID, text: p.Text, steer: p.Steer}
	body := encode(p.Text)
	if len(p.Images) > 0 {
		var parts []part
		if p.Text != "" {
			parts = append(parts, part{Type: "text", Text: p.Text})
		}
		for _, i := range p.Images {
			own.images = append(own.images, i.Ref)
			parts = append(parts, part{Type: "image", Source: &source{
				Type: "base64", MediaType: i.MediaType, Data: base64.StdEncoding.EncodeToString(i.Data),
			}})
		}
		body = encode(parts)
	}
	s.wait(own, on)
	send(out, userMessage{Type: "user", Message: userContent{Role: "user", Content: body}, UUID: own.uuid})
}

// promptUUID names a prompt for the agent: a UUID of version 8 made of the ids of session and prompt.
func promptUUID(session, prompt string) string {
	sum := sha256.Sum256([]byte("prompt\x00" + session + "\x00" + prompt))
	sum[6] = sum[6]&0x0f | 0x80
	sum[8] = sum[8]&0x3f | 0x80
	s := hex.EncodeToString(sum[:16])
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}

// sent takes a prompt that somebody else sent. Its pictures are not named: nobody here has them.
func (s *prompts) sent(uuid string, list []contentWire, on bool) {
	var texts []contentWire
	for _, c := range list {
		if c.Type == "text" {
			texts = append(texts, c)
		}
	}
	if _, known := s.known[uuid]; known && uuid != "" {
		return
	}
	s.wait(&prompt{uuid: uuid, text: plain(texts)}, on)
}

func (s *prompts) wait(p *prompt, on bool) {
	p.queued = on || len(s.waiting) > 0
	if p.uuid != "" {
		s.remember(p.uuid, p)
	}
	if s.waiting = append(s.waiting, p); len(s.waiting) > maxKnown/2 {
		delete(s.known, s.waiting[0].uuid)
		s.waiting = s.waiting[1:]
	}
}

func (s *prompts) remember(uuid string, p *prompt) {
	if len(s.known) >= maxKnown {
		maps.DeleteFunc(s.known, func(_ string, p *prompt) bool { return p == nil })
	}
	s.known[uuid] = p
}

// taken forgets a prompt that waits, and says that it did.
func (s *prompts) taken(p *prompt) bool {
	i := slices.Index(s.waiting, p)
	if i < 0 {
		return false
	}
	s.waiting = slices.Delete(s.waiting, i, i+1)
	if p.uuid != "" {
		s.known[p.uuid] = nil
	} else if len(s.unnamed) < maxUnnamed {
		s.unnamed = append(s.unnamed, p.text)
	}
	return true
}

// takable lists the prompts that wait and of which the agent tells nothing.
func (s *prompts) takable() []*prompt {
	var list []*prompt
	for _, p := range s.waiting {
		if p.uuid == "" || !s.tells {
			list = append(list, p)
		}
	}
	return list
}

// before lists the prompts that came before another and of which the agent tells nothing: it takes them in their order.
func (s *prompts) before(p *prompt) []*prompt {
	if i := slices.Index(s.waiting, p); i > 0 {
		return slices.DeleteFunc(slices.Clone(s.waiting[:i]), func(p *prompt) bool { return p.uuid != "" })
	}
	return nil
}

// beginning lists the prompts that a turn begins with of which the agent tells nothing: the one that found it idle, or all that did not.
func (s *prompts) beginning() []*prompt {
	list := s.takable()
	if len(list) > 0 && !list[0].queued {
		list = list[:1]
	}
	return list
}

// replayed takes the echo of a user message, and gives the prompts that the agent takes with it. It is news only where the message itself was
// not seen going in: then there are none.
func (s *prompts) replayed(uuid, text string, on bool) []*prompt {
	if _, known := s.known[uuid]; known || s.echoed(uuid, text) {
		return nil
	}
	waiting := slices.DeleteFunc(slices.Clone(s.waiting), func(p *prompt) bool { return p.uuid != "" })
	texts := make([]string, len(waiting))
	for i, p := range waiting {
		texts[i] = p.text
	}
	if i, n := echo(texts, text); n > 0 {
		return waiting[i : i+n]
	}
	p := &prompt{uuid: uuid, text: text}
	s.wait(p, on)
	return []*prompt{p}
}

// echoed says that a text is the echo of prompts that the turn has taken, and expects it no more.
func (s *prompts) echoed(uuid, text string) bool {
	i, n := echo(s.unnamed, text)
	s.unnamed = slices.Delete(s.unnamed, i, i+n)
	if n > 0 {
		s.remember(uuid, nil)
	}
	return n > 0
}

// echo finds the n texts in a row, the first of them at i, that the agent repeats as one: it joins the prompts that it takes
// together. n is 0 where they are none of these.
func echo(texts []string, text string) (i, n int) {
	for i := range texts {
		rest := text
		for n, t := range texts[i:] {
			after, ok := strings.CutPrefix(rest, t)
			if ok && after == "" {
				return i, n + 1
			}
			if !ok || after[0] != '\n' {
				break
			}
			rest = after[1:]
		}
	}
	return 0, 0
}

// first is the prompt of a turn. limit is that of a text, in bytes.
func (p *prompt) first(limit int) *protocol.Prompt {
	s, _ := native.Cut(p.text, limit)
	return &protocol.Prompt{Text: s, Images: p.images}
}

// message is the prompt as an entry: the agent does not echo it.
func (p *prompt) message(limit int) *protocol.MessageData {
	data := &protocol.MessageData{Role: "user", Images: p.images}
	data.Text, data.Cut = native.Cut(p.text, limit)
	return data
}

// answer answers the command that the prompt came of, where there is one.
func (p *prompt) answer(result adapters.PromptResult, problem string, out *adapters.Output) {
	if p.id != "" {
		out.Draft(adapters.PromptAnswered{ID: p.id, Result: result, Error: problem})
	}
}
