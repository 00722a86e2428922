package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// joined is a session that somebody waits for, as it was when it was last looked at.
type joined struct {
	waits  *waits
	feed   *feed.Feed
	who    *access.Principal
	ask    *inquiry
	prompt string // what is waited for; empty: that the session comes to rest

	told    session.Description
	newest  newestTurn
	of      output.Result // of the prompt
	resting bool
	gone    bool // deleted meanwhile
}

// rest returns when the session has come to rest, or with the context's error.
func (j *joined) rest(ctx context.Context) error {
	for {
		changed := j.ask.changed()
		err := j.look(ctx)
		if err == nil && !j.resting {
			err = j.missing(j.newsOr(ctx, changed))
		}
		if err != nil || j.resting {
			return err
		}
	}
}

// newsOr waits for news, or until a form has changed.
func (j *joined) newsOr(ctx, changed context.Context) error {
	some, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(changed, cancel)()
	if err := j.news(some); err != nil && (ctx.Err() != nil || changed.Err() == nil) {
		return err
	}
	return nil
}

// missing notes that the session is not there any more; other errors it gives back.
func (j *joined) missing(err error) error {
	if err == nil || problem.Of(err).Code != protocol.CodeSessionNotFound {
		return err
	}
	j.gone, j.resting = true, true
	return nil
}

// look asks the session and reads the end of its log. A session may know more than its log shows yet, and the other way round: it
// rests when both say so.
func (j *joined) look(ctx context.Context) (err error) {
	for {
		if j.told, err = j.feed.Door.Describe(ctx, j.feed.ID); err == nil {
			err = j.readEnd(ctx)
		}
		if j.told.Damage != nil {
			j.told.Requests = nil // nobody can answer them any more
		}
		switch {
		case err != nil:
			return j.missing(err)
		case j.newest.news <= j.told.Seq:
			j.ask.see(ctx, j.feed.ID, j.told.Cursor(), j.told.Requests)
			if j.prompt != "" {
				return j.lookAtPrompt(ctx)
			}
			j.resting = j.atRest() && j.newest.state == j.told.Status.State
			return nil
		}
	}
}

// atRest says that nothing will happen unless somebody does something, as far as the waiting one is concerned: what only people
// answer is no business of an agent.
func (j *joined) atRest() bool {
	if j.told.Damage != nil || j.needed() {
		return true
	}
	state := j.told.Status.State
	return state.Ended() || state == protocol.StateIdle && len(j.told.Queue) == 0
}

// needed says that something waits for the one that waits here.
func (j *joined) needed() bool {
	return slices.ContainsFunc(j.told.Requests, func(r protocol.RequestOpened) bool {
		if r.Kind == protocol.RequestCallerTool {
			return j.waits.callers.OfferedBy(j.feed.ID, r.CallerID, j.ask.call)
		}
		return form.Answerable(j.who, r.Kind) && !j.ask.asks(j.feed.ID, j.told.Cursor(), &r)
	})
}

// lookAtPrompt looks what has become of the prompt that is waited for, and of no other.
func (j *joined) lookAtPrompt(ctx context.Context) error {
	of, over, err := j.waits.tasks.Outcome(ctx, j.feed.ID, j.prompt)
	if err != nil {
		return j.missing(err)
	}
	j.of = of
	asked := j.needed() // also by another prompt's turn, for which this one waits
	j.resting = over || asked || j.told.Status.State.Ended() || j.told.Damage != nil
	if asked && !over {
		j.of.Outcome = output.Waiting
	}
	return nil
}

// done says that it rests for another reason than a request.
func (j *joined) done() bool {
	return j.resting && !slices.ContainsFunc(j.told.Requests, func(r protocol.RequestOpened) bool { return form.Formed(&r) })
}

// needsInput says that the call has to be answered with what the session asks: nothing else has it answered.
func (j *joined) needsInput() bool {
	return !j.gone && j.ask.modern && slices.ContainsFunc(j.told.Requests, func(r protocol.RequestOpened) bool { return j.ask.wants(j.feed.ID, &r) })
}

// readEnd reads the newest turn, and leaves the feed behind it.
func (j *joined) readEnd(ctx context.Context) error {
	for n := uint64(256); ; n *= 8 {
		head := j.feed.Head()
		j.feed.At, j.newest = head-min(n, head), newestTurn{}
		if _, err := j.feed.Read(ctx, func(e *protocol.Event) bool {
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
	if j.feed.Ended() {
		again, err := feed.Open(ctx, j.feed.Door, j.feed.ID, j.feed.Name)
		if err == nil {
			j.feed.Close()
			j.feed = again
		}
		return err
	}
	for {
		if err := j.feed.Wait(ctx); err != nil {
			return err
		}
		was := j.newest.news
		if _, err := j.feed.Read(ctx, func(e *protocol.Event) bool {
			j.newest.apply(e)
			return true
		}); err != nil {
			return err
		}
		if j.newest.news != was || j.feed.Ended() || j.feed.Lost {
			j.feed.Lost = false
			return nil
		}
	}
}

func (j *joined) output() joinedOutput {
	if j.gone {
		return joinedOutput{
			SessionID: j.feed.ID, Resting: true, Status: protocol.StateTerminated.ItemStatus(), State: string(protocol.StateTerminated),
			LastIndex: -1, Result: output.Result{Outcome: output.Failed, Error: "The session was deleted."}, Requests: []output.Request{},
		}
	}
	d := &j.told
	out := joinedOutput{
		SessionID: d.ID, PromptID: j.prompt, Title: output.Brief(d.Title, output.MaxLine), Resting: j.resting,
		Status: d.Status.State.ItemStatus(), State: string(d.Status.State), LastIndex: int(d.Seq) - 1, Requests: output.RequestsOf(d.Requests),
		Damage: output.EndsEarly(d.Damage),
	}
	if j.prompt != "" {
		out.Result = j.of
		return out
	}
	out.Result = output.Result{Outcome: j.newest.outcome, Text: j.newest.text, Entry: j.newest.entry, Error: j.newest.problem}
	if d.EndError != "" {
		out.Outcome, out.Error = output.Failed, strings.TrimSpace(d.EndError+"\n"+d.EndHint)
	}
	if j.newest.begun && out.Outcome == "" && d.Damage != nil {
		out.Outcome, out.Error = output.Failed, output.EndUnknown
	}
	if j.newest.begun && out.Outcome == "" {
		if out.Outcome = output.Working; j.resting && len(d.Requests) > 0 {
			out.Outcome = output.Waiting
		}
	}
	return out
}

// close lets go of the session.
func (j *joined) close() { j.feed.Close() }

// settled is the prompt that the answer is of, and whether that is over.
func (j *joined) settled() (prompt string, over bool) {
	if j.gone {
		return "", false
	}
	if j.prompt != "" {
		return j.prompt, output.Final(j.of.Outcome)
	}
	return j.newest.prompt, output.Final(j.newest.outcome)
}
