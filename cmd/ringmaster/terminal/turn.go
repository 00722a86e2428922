package terminal

import (
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// turn is the running turn, or the last one.
type turn struct {
	id     string // empty: it has ended
	began  int64  // its ts
	prompt string // until it was shown
	images []string
	used   protocol.Usage
}

func newTurn(e *protocol.Event, p *protocol.TurnStart) turn {
	t := turn{id: p.TurnID, began: e.Time}
	if p.Prompt != nil {
		t.prompt, t.images = p.Prompt.Text, p.Prompt.Images
	}
	return t
}

// use adds the tokens of a request of the agent's to its provider.
func (t *turn) use(u *protocol.Usage) {
	t.used.InputTokens += u.InputTokens
	t.used.CachedInputTokens += u.CachedInputTokens
	t.used.OutputTokens += u.OutputTokens
}

// repeated notes that an entry had the text, which is not shown again as the prompt. Where the entry has no pictures those of the prompt are shown with it.
func (t *turn) repeated(n *pen, text string, images []string) []string {
	if t.prompt != text {
		return nil
	}
	left := t.images
	t.prompt, t.images = "", nil
	if len(images) > 0 {
		return nil
	}
	return n.pictures(left)
}

// showPrompt shows the prompt of a turn whose agent did not repeat it as an entry.
func (t *turn) showPrompt(n *pen) []string {
	if t.prompt == "" && len(t.images) == 0 {
		return nil
	}
	p := &part{kind: protocol.EntryUserMessage}
	lines := wrap(n.strip(t.prompt), n.textColumns())
	out := append(p.textLines(n, lines), n.pictures(t.images)...)
	t.prompt, t.images = "", nil
	return out
}

// end shows how the turn ended, how long it took and what it used.
func (t *turn) end(n *pen, e *protocol.Event, p *protocol.TurnEnd) []string {
	out := t.showPrompt(n)
	tail := ""
	if t.id == p.TurnID && t.began > 0 {
		tail = "  " + durationText(e.Time-t.began)
	}
	if u := t.used; u.InputTokens > 0 || u.OutputTokens > 0 {
		tail += " · " + countText(u.InputTokens) + " tokens in"
		if u.CachedInputTokens > 0 {
			tail += " (" + countText(u.CachedInputTokens) + " cached)"
		}
		tail += ", " + countText(u.OutputTokens) + " out"
	}
	t.id, t.began = "", 0
	switch {
	case p.Failed():
		out = append(out, n.style.Bad("✗ failed"+n.reason(p.Error))+n.style.Dim(tail))
	case p.Status == protocol.TurnCompleted:
		out = append(out, n.style.Good("✓ done")+n.style.Dim(tail))
	default:
		out = append(out, n.style.Warn("■ interrupted"+n.reason(p.Error))+n.style.Dim(tail))
	}
	return append(out, n.hint(p.Hint)...)
}
