package link

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/api/client"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/desk"
	"github.com/ringmaster-agents/ringmaster/cmd/ringmaster/exit"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// lookEvery is how often the requests of all sessions are read at most.
const lookEvery = 250 * time.Millisecond

// maxAsked is how many requests are listed, those that have waited longest.
const maxAsked = 200

// before is how far before a request the call begins that it is about, in events: arguments come in pieces.
const before = 400

// Do has a wish carried out. What becomes of it is in the news. Ring, Suspend and Quit are the face's own.
func (l *Link) Do(w desk.Wish) {
	switch w := w.(type) {
	case desk.Look:
		l.want()
	case desk.Open:
		l.log()
		ctx, cancel := context.WithCancel(l.ctx)
		l.log = cancel
		number := l.box.open(w.Session)
		l.spawn(func() { l.readLog(ctx, w, number) })
	case desk.Close:
		l.log()
		l.box.open("")
	case desk.ReadCall:
		l.call(w, func() {
			call, err := l.callOf(w)
			l.box.put(desk.Called{Session: w.Session, Request: w.Request, Call: call, Err: exit.Words(err)})
		})
	case desk.ListAgents:
		l.call(w, func() { l.listAgents(w) })
	case desk.Answer:
		l.change(w, func() (string, error) {
			_, err := l.client.Session(w.Session).Answer(l.ctx, w.Request, w.Reply)
			return "", err
		})
	case desk.Prompt:
		l.change(w, func() (string, error) { return "", l.prompt(w) })
	case desk.Interrupt:
		l.change(w, func() (string, error) {
			_, err := l.client.Session(w.Session).Interrupt(l.ctx)
			return "", err
		})
	case desk.Create:
		l.change(w, func() (string, error) { return l.create(w) })
	case desk.ListQueue, desk.ListChoices, desk.Weigh, desk.ReadSpent, desk.ListNodes:
		l.call(w, func() { l.tell(w) })
	case desk.MovePrompt, desk.CancelPrompt, desk.Choose, desk.SavePicture:
		l.call(w, func() { l.act(w) })
	case desk.Ring, desk.Suspend, desk.Quit:
	}
}

// want has the requests read.
func (l *Link) want() {
	select {
	case l.look <- struct{}{}:
	default:
	}
}

// call carries out a wish beside others, or says that there are too many.
func (l *Link) call(w desk.Wish, do func()) {
	select {
	case l.calls <- struct{}{}:
	default:
		l.box.put(desk.Done{Wish: w, Err: "too much is on its way: wait a moment"})
		return
	}
	l.spawn(func() {
		defer func() { <-l.calls }()
		do()
	})
}

// change carries out what changes something, and tells what became of it.
func (l *Link) change(w desk.Wish, do func() (id string, err error)) {
	l.call(w, func() {
		id, err := do()
		if l.ctx.Err() == nil {
			l.box.put(desk.Done{Wish: w, Err: exit.Words(err), ID: id})
		}
	})
}

func (l *Link) create(w desk.Create) (string, error) {
	n := client.New{NewSession: resource.NewSession{Agent: w.Agent, Cwd: w.Cwd}, Key: w.Key}
	if w.Text != "" {
		n.Prompt = &resource.FirstPrompt{NewPrompt: resource.NewPrompt{Text: w.Text}}
	}
	made, err := l.client.Create(l.ctx, n)
	return made.ID, err
}

func (l *Link) listAgents(w desk.Wish) {
	list, err := l.client.Agents(l.ctx)
	if err != nil {
		l.box.put(desk.Done{Wish: w, Err: exit.Words(err)})
		return
	}
	names := []string{}
	for _, a := range list.Agents {
		if a.Available {
			names = append(names, a.Name)
		}
	}
	l.box.put(desk.Agents{Names: names})
}

// readInbox reads the requests of all sessions whenever somebody wants it, and not more often than a person would notice. A failure is told once, and they
// are read again.
func (l *Link) readInbox() {
	q := client.InboxQuery{
		Kinds: []protocol.RequestKind{protocol.RequestApproval, protocol.RequestQuestion, protocol.RequestElicitation}, Limit: maxAsked,
	}
	for told := ""; ; {
		select {
		case <-l.look:
		case <-l.ctx.Done():
			return
		}
		list, err := l.client.Inbox(l.ctx, q)
		words := exit.Words(err)
		switch {
		case l.ctx.Err() != nil:
			return
		case err == nil:
			l.box.put(desk.Inbox{Requests: list.Requests, Total: list.Total})
		case words != told:
			l.box.put(desk.Done{Wish: desk.Look{}, Err: "what the sessions ask is not current: " + words})
		}
		told = words
		t := time.NewTimer(lookEvery)
		select {
		case <-t.C:
		case <-l.ctx.Done():
			t.Stop()
			return
		}
		if err != nil {
			l.want() // nobody else may
		}
	}
}

// callOf finds the call that a request is about; nil: the log has none there.
func (l *Link) callOf(w desk.ReadCall) (*protocol.ToolCallData, error) {
	at, err := protocol.ParseCursor(w.Cursor)
	if err != nil {
		return nil, err
	}
	var state protocol.SessionState
	for line, err := range l.client.Log(l.ctx, w.Session, earlier(at, before)) {
		if err != nil {
			return nil, err
		}
		state.Apply(&line.Event)
		if line.Event.Seq >= at.Seq {
			break
		}
	}
	if e := state.Entry(w.Entry); e != nil {
		call, _ := e.Data.(*protocol.ToolCallData)
		return call, nil
	}
	return nil, nil
}

// earlier is a cursor so many events before another one.
func earlier(at protocol.Cursor, by uint64) protocol.Cursor {
	if at.Seq <= by {
		return protocol.Cursor{}
	}
	return protocol.Cursor{Epoch: at.Epoch, Seq: at.Seq - by}
}
