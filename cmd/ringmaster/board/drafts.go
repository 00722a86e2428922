package board

import (
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/keys"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// drafts are prompts that were begun, by their sessions, and the one that is being written.
type drafts struct {
	kept map[string]draft
	now  *compose // nil: nothing is being written
}

// draft is a prompt that was begun.
type draft struct {
	text     string
	pictures []string // paths
	refused  bool     // it was sent, and nobody has gone on with it since
}

func (d draft) empty() bool { return blank(d.text) && len(d.pictures) == 0 }

// compose is a prompt that somebody writes.
type compose struct {
	session  string
	text     keys.Editor
	steer    bool // into the running turn
	pictures []string
	path     *keys.Editor // of another picture; nil: keys write the prompt
}

func (c *compose) draft() draft { return draft{text: c.text.Text, pictures: c.pictures} }

// begin goes on with the draft of a session, which is not kept any more: what is kept for it from now on is another one.
func (d *drafts) begin(session string, steer bool) {
	kept := d.kept[session]
	delete(d.kept, session)
	d.now = &compose{session: session, steer: steer, pictures: kept.pictures}
	d.now.text.Set(kept.text)
}

// keep keeps a draft.
func (d *drafts) keep(session string, one draft) {
	if one.empty() {
		delete(d.kept, session)
		return
	}
	d.kept[session] = one
}

// refused keeps what was sent and refused. It was written before what is written to that session now, or was kept for it meanwhile, so it stands before that.
func (d *drafts) refused(session string, was draft) {
	was.refused = true
	if c := d.now; c != nil && c.session == session {
		at := len(c.text.Text) - c.text.At
		all := joined(was, c.draft())
		c.text.Set(all.text)
		c.text.At -= at // one goes on to write where one was
		c.pictures = all.pictures
		return
	}
	switch kept, is := d.kept[session]; {
	case !is:
		d.keep(session, was)
	case kept.refused: // it was sent earlier
		d.keep(session, joined(kept, was))
	default:
		d.keep(session, joined(was, kept))
	}
}

// joined is one draft behind another.
func joined(a, b draft) draft {
	text := a.text + "\n" + b.text
	switch {
	case blank(a.text):
		text = b.text
	case b.text == "":
		text = a.text
	}
	return draft{text, slices.Concat(a.pictures, b.pictures), a.refused && b.refused}
}

// unsent says that something was written.
func (d *drafts) unsent() bool {
	return len(d.kept) > 0 || d.now != nil && !d.now.draft().empty()
}

// key takes a key of the prompt that is being written; send is the prompt that is to be sent, without its key, and note what somebody is told. busy: a turn
// runs.
func (d *drafts) key(k keys.Key, busy bool) (send *desk.Prompt, note string) {
	c := d.now
	switch {
	case c.path != nil:
		return nil, c.attach(k)
	case k.Is("ctrl+o"):
		c.path = &keys.Editor{}
	case k.Is("esc"):
		d.keep(c.session, c.draft())
		d.now = nil
	case k.Is("tab"):
		c.steer = !c.steer && busy
	case k.Is("enter"):
		d.now = nil
		if c.draft().empty() {
			return nil, ""
		}
		send = &desk.Prompt{Session: c.session, Text: c.text.Text, Pictures: c.pictures, Behavior: protocol.FollowUp}
		if c.steer {
			send.Behavior = protocol.Steer
		}
	case k.Name == keys.Paste:
		if path, is := picture.Path(k.Text); is { // a file that was dropped on the terminal
			return nil, c.add(path)
		}
		c.text.Key(k)
	default:
		c.text.Key(k)
	}
	return send, ""
}

// attach takes a key of a picture's path.
func (c *compose) attach(k keys.Key) (note string) {
	switch {
	case k.Is("esc"):
		c.path = nil
	case k.Is("enter"):
		path := strings.TrimSpace(c.path.Text)
		c.path = nil
		if path != "" {
			return c.add(path)
		}
		if n := len(c.pictures); n > 0 {
			note = "No more with it: " + c.pictures[n-1]
			c.pictures = c.pictures[: n-1 : n-1]
		}
	default:
		c.path.Key(k)
	}
	return note
}

// add puts a picture to the prompt. It is read when the prompt is sent.
func (c *compose) add(path string) (note string) {
	if len(c.pictures) >= picture.MaxPrompt {
		return "A prompt takes no more than " + itoa(picture.MaxPrompt) + " pictures."
	}
	c.pictures = append(c.pictures[:len(c.pictures):len(c.pictures)], path)
	return "With it: " + path + ". Ctrl-O and Enter take it away."
}
