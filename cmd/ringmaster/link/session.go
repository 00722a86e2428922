package link

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/picture"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// tell reads what a face wants to know of one session, or of the nodes. That it could not be read is told as well.
func (l *Link) tell(w desk.Wish) {
	var n desk.News
	switch w := w.(type) {
	case desk.ListQueue:
		list, err := l.client.Session(w.Session).Prompts(l.ctx)
		n = desk.Queue{Session: w.Session, Prompts: list, Err: exit.Words(err)}
	case desk.ListNodes:
		list, err := client.ListNodes(l.ctx, l.client)
		n = desk.Nodes{List: list, Err: exit.Words(err)}
	case desk.ListChoices:
		n = l.choices(w)
	case desk.Weigh:
		n = l.weigh(w)
	case desk.ReadSpent:
		before, err := l.spentBefore(w)
		var away *client.Unreachable
		n = desk.SpentBefore{
			Session: w.Session, Since: w.Since, Before: before, Err: exit.Words(err), Away: errors.As(err, &away), Far: errors.Is(err, errFar),
		}
	default:
		return
	}
	if l.ctx.Err() == nil {
		l.box.put(n)
	}
}

// act changes something of one session, and tells what became of it.
func (l *Link) act(w desk.Wish) {
	var how string
	var err error
	switch w := w.(type) {
	case desk.MovePrompt:
		_, err = l.client.Session(w.Session).Move(l.ctx, w.Prompt, client.Spot{Before: w.Before})
	case desk.CancelPrompt:
		err = l.client.Session(w.Session).Cancel(l.ctx, w.Prompt)
	case desk.Choose:
		how, err = l.choose(w)
	case desk.SavePicture:
		how, err = l.save(w)
	default:
		return
	}
	if l.ctx.Err() == nil {
		l.box.put(desk.Done{Wish: w, How: how, Err: exit.Words(err)})
	}
}

// choices asks the session, and where its agent has not said what it offers, what the newest session of that agent offered.
func (l *Link) choices(w desk.ListChoices) desk.Choices {
	s := l.client.Session(w.Session)
	ask := s.Models
	if w.What == desk.Mode {
		ask = s.Modes
	}
	c, err := ask(l.ctx)
	if err == nil && !c.Known {
		c, err = l.offered(w, c)
	}
	return desk.Choices{
		Session: w.Session, What: w.What, List: c.List, Current: c.Current, Pending: c.Pending, Others: !c.All || !c.Known, Err: exit.Words(err),
	}
}

func (l *Link) offered(w desk.ListChoices, c client.Choices) (client.Choices, error) {
	detail, err := l.client.Session(w.Session).Show(l.ctx)
	if err != nil {
		return c, err
	}
	list, err := l.client.Agents(l.ctx)
	for _, a := range list.Agents {
		if a.Name != detail.Agent {
			continue
		}
		c.Known, c.List, c.All = a.ModelsKnown, a.Models, a.AllModels
		if w.What == desk.Mode {
			c.Known, c.List, c.All = a.ModesKnown, a.Modes, true
		}
	}
	return c, err
}

// applied is from when on a setting counts, in words.
var applied = map[string]string{
	"now": "now", "next_turn": "from the next turn on", "when_idle": "when the turn has ended", "at_start": "when the agent is ready",
}

// choose chooses; how says from when on it counts.
func (l *Link) choose(w desk.Choose) (how string, err error) {
	s := l.client.Session(w.Session)
	switch w.What {
	case desk.Policy:
		_, err = s.SetPolicyMode(l.ctx, protocol.PolicyMode(w.Value))
		return "for what is asked from now on", err
	case desk.Mode:
		how, err = s.SetMode(l.ctx, w.Value, false)
	case desk.Model:
		how, err = s.SetModel(l.ctx, w.Value, false)
	}
	return cmp.Or(applied[how], "now"), err
}

// prompt sends a prompt with its pictures, which are read first.
func (l *Link) prompt(w desk.Prompt) error {
	p := client.Prompt{Text: w.Text, StreamingBehavior: w.Behavior, Key: w.Key}
	for _, path := range w.Pictures {
		image, err := picture.Read(path)
		if err != nil {
			return err
		}
		p.Images = append(p.Images, image)
	}
	_, err := l.client.Prompt(l.ctx, w.Session, p)
	return err
}

// weigh says how large pictures are: their events do not.
func (l *Link) weigh(w desk.Weigh) desk.Weighed {
	n := desk.Weighed{Session: w.Session, Sizes: map[string]int64{}, Errs: map[string]string{}}
	for _, digest := range w.Digests {
		body, err := l.client.Session(w.Session).Image(l.ctx, digest)
		if err == nil {
			n.Sizes[digest], err = io.Copy(io.Discard, io.LimitReader(body, picture.MaxFile))
			err = errors.Join(err, body.Close())
		}
		if err != nil {
			delete(n.Sizes, digest)
			n.Errs[digest] = exit.Words(err)
		}
	}
	return n
}

// save writes a picture into a file; how says where it is.
func (l *Link) save(w desk.SavePicture) (how string, err error) {
	r := picture.Ref{Digest: w.Digest, Media: w.Media}
	folder := l.desktop.Folder
	if w.Show {
		if !r.Known() {
			return "", errors.New("only PNG, JPEG, GIF and WebP are shown")
		}
		if folder, err = os.MkdirTemp("", "ringmaster-picture-"); err != nil { // nobody else's names are in it
			return "", err
		}
		made := folder
		defer func() { _ = os.Remove(made) }() // where nothing was written
	}
	body, err := l.client.Session(w.Session).Image(l.ctx, w.Digest)
	if err != nil {
		return "", err
	}
	defer func() { _ = body.Close() }()
	path, err := picture.Write(folder, r, body)
	if err != nil || !w.Show {
		return path, err
	}
	if err := l.desktop.Show(l.ctx, path); err != nil {
		return "", fmt.Errorf("%w; it is written to %s", err, path)
	}
	return path, nil
}

// maxSpent bounds how much of a log is read for what was spent, in events.
const maxSpent = 1 << 16

// errFar says that too much has happened since to be read.
var errFar = errors.New("too much has happened since")

// spentBefore reads a log backwards, in pieces that double, until one of them begins before the time that is meant.
func (l *Link) spentBefore(w desk.ReadSpent) (before protocol.Spent, err error) {
	at, err := protocol.ParseCursor(w.Cursor)
	if err != nil {
		return before, err
	}
	for n := uint64(1 << 11); n <= maxSpent; n *= 2 {
		from := earlier(at, n)
		since, reaches, err := l.spentSince(w, from, at)
		if err != nil {
			return before, err
		}
		if reaches || from.Start() {
			before.TotalTokens = w.Total.TotalTokens - since.TotalTokens
			before.CostMicros = w.Total.CostMicros - since.CostMicros
			before.EstimatedMicros = w.Total.EstimatedMicros - since.EstimatedMicros
			return before, nil
		}
	}
	return before, errFar
}

// spentSince adds up what was spent in a piece of a log since a time; reaches: the piece begins before it.
func (l *Link) spentSince(w desk.ReadSpent, from, to protocol.Cursor) (spent protocol.Spent, reaches bool, err error) {
	body, err := l.client.Session(w.Session).OpenLog(l.ctx, client.LogQuery{Since: from, Settled: true})
	if err != nil {
		return spent, false, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	lines := protocol.NewLineReader(body, 0)
	for {
		text, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return spent, reaches, nil
		}
		if err != nil {
			return spent, false, err
		}
		e, err := protocol.Decode(text)
		if err != nil {
			continue // a signal, or of a later version
		}
		if e.Seq > to.Seq {
			return spent, reaches, nil
		}
		if e.Time < w.Since.UnixMilli() {
			reaches = true
			continue
		}
		if _, is := e.Payload.(*protocol.TokenUsage); is {
			spent.Apply(&e, false, false)
		}
	}
}
