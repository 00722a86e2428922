package terminal

import (
	"strconv"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

const (
	maxPictures = 500 // of a transcript: the newest
	maxNamed    = 20  // of one entry
)

// pictures names the pictures of an entry or a prompt, below its text.
func (n *pen) pictures(refs []string) []string {
	var out []string
	for i, text := range refs {
		if i == maxNamed {
			return append(out, n.style.Dim(indent+"▣ … and "+strconv.Itoa(len(refs)-i)+" more pictures"))
		}
		name := "a picture that the log does not name rightly"
		if r, is := picture.Parse(text); is {
			name = r.Name()
		}
		out = append(out, n.style.Accent(indent+"▣ ")+n.oneLine(name, 4))
	}
	return out
}

// Picture is a picture that a log names, and where.
type Picture struct {
	picture.Ref

	Where string // in whose words, and which
}

// album is the pictures of a log, each once, where it was named first.
type album struct{ list []Picture }

func (a *album) add(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.PromptQueued:
		a.put(p.Images, "prompt: "+p.Text)
	case *protocol.TurnStart:
		if p.Prompt != nil {
			a.put(p.Prompt.Images, "prompt: "+p.Prompt.Text)
		}
	case *protocol.EntryEnd:
		if d, is := p.Data.(*protocol.MessageData); is {
			whose := "agent: "
			if p.EntryType == protocol.EntryUserMessage {
				whose = "prompt: "
			}
			a.put(d.Images, whose+d.Text)
		}
	default:
	}
}

func (a *album) put(refs []string, where string) {
	for _, text := range refs {
		r, is := picture.Parse(text)
		if !is || a.has(r.Digest) {
			continue
		}
		a.list = append(a.list, Picture{r, Cut(Visible(where[:min(len(where), 400)]), 80)})
	}
	if len(a.list) > maxPictures {
		a.list = append([]Picture(nil), a.list[len(a.list)-maxPictures*3/4:]...)
	}
}

func (a *album) has(digest string) bool {
	for i := range a.list {
		if a.list[i].Digest == digest {
			return true
		}
	}
	return false
}
