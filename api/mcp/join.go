package mcp

import (
	"context"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// joined is a session that somebody waits for, as it was when it was last looked at.
type joined struct {
	feed *feed
	who  *access.Principal

	told    session.Description
	newest  newestTurn
	resting bool
	gone    bool // deleted meanwhile
}

// newestTurn is what the end of a log says.
type newestTurn struct {
	begun   bool
	text    string // the last message that is not empty
	problem string
	state   protocol.State
	news    uint64 // seq of the newest event that may change what is waited for
}

func (n *newestTurn) apply(e *protocol.Event) {
	switch p := e.Payload.(type) {
	case *protocol.TurnStart:
		*n = newestTurn{begun: true, state: n.state, news: n.news}
	case *protocol.EntryEnd:
		if d, ok := p.Data.(*protocol.MessageData); ok && p.EntryType == protocol.EntryAssistantMessage && d.Text != "" {
			n.text = d.Text
		}
	case *protocol.TurnEnd:
		if p.Status == protocol.TurnError {
			n.problem = strings.TrimSpace(p.Error + "\n" + p.Hint)
		}
	case *protocol.Status:
		n.state, n.news = p.State, e.Seq
	case *protocol.RequestOpened:
		n.news = e.Seq
	default:
	}
}

// rest returns when the session has come to rest, or with the context's error.
func (j *joined) rest(ctx context.Context) error {
	for {
		err := j.look(ctx)
		if err == nil && !j.resting {
			err = j.missing(j.news(ctx))
		}
		if err != nil || j.resting {
			return err
		}
	}
}

// missing notes that the session is not there any more; other errors it gives back.
func (j *joined) missing(err error) error {
	if err == nil || problemOf(err).Code != protocol.CodeSessionNotFound {
		return err
	}
	j.gone, j.resting = true, true
	return nil
}

// look asks the session and reads the end of its log. A session may know more than its log shows yet, and the other way round: it
// rests when both say so.
func (j *joined) look(ctx context.Context) (err error) {
	for {
		if j.told, err = describe(ctx, j.feed.backend, j.feed.id); err == nil {
			err = j.readEnd(ctx)
		}
		switch {
		case err != nil:
			return j.missing(err)
		case j.newest.news <= j.told.Seq:
			j.resting = j.atRest() && j.newest.state == j.told.Status.State
			return nil
		}
	}
}

// atRest says that nothing will happen unless somebody does something, as far as the waiting one is concerned: what only people
// answer is no business of an agent.
func (j *joined) atRest() bool {
	for i := range j.told.Requests {
		kind := j.told.Requests[i].Kind
		if kind != protocol.RequestCallerTool && (j.who.Scope != access.Agent || answers(j.who, kind)) {
			return true
		}
	}
	state := j.told.Status.State
	return state.Ended() || state == protocol.StateIdle && len(j.told.Queue) == 0
}

// readEnd reads the newest turn, and leaves the feed behind it.
func (j *joined) readEnd(ctx context.Context) error {
	for n := uint64(256); ; n *= 8 {
		head := j.feed.head()
		j.feed.at, j.newest = head-min(n, head), newestTurn{}
		if _, err := j.feed.read(ctx, func(e *protocol.Event) bool {
			j.newest.apply(e)
			return true
		}); err != nil {
			return err
		}
		if n >= head || j.newest.begun && j.newest.state != "" {
			return nil
		}
	}
}

// news waits for an event that may change what is waited for. A log that has ended while its session has not is that of before a
// revival.
func (j *joined) news(ctx context.Context) error {
	if j.feed.ended() {
		again, err := openFeed(ctx, j.feed.backend, j.feed.id, j.feed.name)
		if err == nil {
			j.feed.close()
			j.feed = again
		}
		return err
	}
	for {
		if err := j.feed.wait(ctx); err != nil {
			return err
		}
		was := j.newest.news
		if _, err := j.feed.read(ctx, func(e *protocol.Event) bool {
			j.newest.apply(e)
			return true
		}); err != nil {
			return err
		}
		if j.newest.news != was || j.feed.ended() || j.feed.lost {
			j.feed.lost = false
			return nil
		}
	}
}

func (j *joined) output() joinedOutput {
	if j.gone {
		return joinedOutput{
			SessionID: j.feed.id, Resting: true, Status: protocol.StateTerminated.ItemStatus(), State: string(protocol.StateTerminated),
			LastIndex: -1, Error: "The session was deleted.", Requests: []requestOutput{},
		}
	}
	d := &j.told
	out := joinedOutput{
		SessionID: d.ID, Title: d.Title, Resting: j.resting, Status: d.Status.State.ItemStatus(), State: string(d.Status.State),
		LastIndex: int(d.Seq) - 1, Text: j.newest.text, Error: j.newest.problem, Requests: requestsOf(d.Requests),
	}
	if d.EndError != "" {
		out.Error = strings.TrimSpace(d.EndError + "\n" + d.EndHint)
	}
	return out
}
