// Package join waits for what becomes of prompts and sessions, and asks the user of the waiting client meanwhile.
package join

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Joined is a session that somebody waits for, as it was when it was last looked at.
type Joined struct {
	waits  *Waits
	Feed   *feed.Feed
	who    *access.Principal
	ask    *Inquiry
	prompt string // what is waited for; empty: that the session comes to rest

	Told    session.Description
	newest  NewestTurn
	Of      output.Result // of the prompt
	Resting bool
	Gone    bool // deleted meanwhile
}

// A session that cannot be looked at may be on its way from one node to another: for so long it is looked for again.
const (
	onItsWay = 10 * time.Second
	lookFor  = 250 * time.Millisecond
)

// rest returns when the session has come to rest, or with the context's error.
func (j *Joined) rest(ctx context.Context) error {
	for away := (Absence{}); ; {
		changed := j.ask.changed()
		err := j.Look(ctx)
		if err == nil && !j.Resting {
			err = j.missing(j.newsOr(ctx, changed))
		}
		switch {
		case err == nil && !j.Resting:
			away = Absence{}
		case err == nil, away.IsOver(err):
			return err
		default:
			if err := j.lookAgain(ctx, &away); err != nil {
				return err
			}
		}
	}
}

// Absence is the time in which a session cannot be looked at.
type Absence struct{ since time.Time }

// IsOver says that an error is the answer: it is none of a session on its way, or that has lasted for too long.
func (a *Absence) IsOver(err error) bool {
	if problem.Of(err).Code != protocol.CodeUnavailable {
		return true
	}
	if a.since.IsZero() {
		a.since = time.Now()
	}
	return time.Since(a.since) >= onItsWay
}

// Wait waits until it may be there again.
func (a *Absence) Wait(ctx context.Context) error {
	again := time.NewTimer(lookFor)
	defer again.Stop()
	select {
	case <-again.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lookAgain opens the session's log anew, after a while, where it can be by then.
func (j *Joined) lookAgain(ctx context.Context, away *Absence) error {
	if err := away.Wait(ctx); err != nil {
		return err
	}
	if f, err := feed.Open(ctx, j.Feed.Door, j.Feed.ID, j.Feed.Name); err == nil {
		j.Feed.Close()
		j.Feed = f
	}
	return nil
}

// newsOr waits for news, or until a form has changed.
func (j *Joined) newsOr(ctx, changed context.Context) error {
	some, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(changed, cancel)()
	if err := j.news(some); err != nil && (ctx.Err() != nil || changed.Err() == nil) {
		return err
	}
	return nil
}

// missing notes that the session is not there any more; other errors it gives back.
func (j *Joined) missing(err error) error {
	if err == nil || problem.Of(err).Code != protocol.CodeSessionNotFound {
		return err
	}
	j.Gone, j.Resting = true, true
	return nil
}

// Look asks the session and reads the end of its log. A session may know more than its log shows yet, and the other way round: it
// rests when both say so.
func (j *Joined) Look(ctx context.Context) (err error) {
	for {
		if j.Told, err = j.Feed.Door.Describe(ctx, j.Feed.ID); err == nil {
			err = j.readEnd(ctx)
		}
		if j.Told.Damage != nil {
			j.Told.Requests = nil // nobody can answer them any more
		}
		switch {
		case err != nil:
			return j.missing(err)
		case j.newest.news <= j.Told.Seq:
			j.ask.see(ctx, j.Feed.ID, j.Told.Cursor(), j.Told.Requests)
			if j.prompt != "" {
				return j.lookAtPrompt(ctx)
			}
			j.Resting = j.atRest() && j.newest.state == j.Told.Status.State
			return nil
		}
	}
}

// atRest says that nothing will happen unless somebody does something, as far as the waiting one is concerned: what only people
// answer is no business of an agent.
func (j *Joined) atRest() bool {
	if j.Told.Damage != nil || j.needed() {
		return true
	}
	state := j.Told.Status.State
	return state.Ended() || state == protocol.StateIdle && len(j.Told.Queue) == 0
}

// needed says that something waits for the one that waits here.
func (j *Joined) needed() bool {
	return slices.ContainsFunc(j.Told.Requests, func(r protocol.RequestOpened) bool {
		if r.Kind == protocol.RequestCallerTool {
			return j.waits.callers.OfferedBy(j.Feed.ID, r.CallerID, j.ask.call)
		}
		return form.Answerable(j.who, r.Kind) && !j.ask.asks(j.Feed.ID, j.Told.Cursor(), &r)
	})
}

// lookAtPrompt looks what has become of the prompt that is waited for, and of no other.
func (j *Joined) lookAtPrompt(ctx context.Context) error {
	of, over, err := j.waits.tasks.Outcome(ctx, j.Feed.ID, j.prompt)
	if err != nil {
		return j.missing(err)
	}
	j.Of = of
	asked := j.needed() // also by another prompt's turn, for which this one waits
	j.Resting = over || asked || j.Told.Status.State.Ended() || j.Told.Damage != nil
	if asked && !over {
		j.Of.Outcome = output.Waiting
	}
	return nil
}

// Done says that it rests for another reason than a request.
func (j *Joined) Done() bool {
	return j.Resting && !slices.ContainsFunc(j.Told.Requests, func(r protocol.RequestOpened) bool { return form.Formed(&r) })
}

// needsInput says that the call has to be answered with what the session asks: nothing else has it answered.
func (j *Joined) needsInput() bool {
	return !j.Gone && j.ask.modern && slices.ContainsFunc(j.Told.Requests, func(r protocol.RequestOpened) bool { return j.ask.wants(j.Feed.ID, &r) })
}

// readEnd reads the newest turn, and leaves the feed behind it.
func (j *Joined) readEnd(ctx context.Context) error {
	for n := uint64(256); ; n *= 8 {
		head := j.Feed.Head()
		j.Feed.At, j.newest = head-min(n, head), NewestTurn{}
		if _, err := j.Feed.Read(ctx, func(e *protocol.Event) bool {
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
func (j *Joined) news(ctx context.Context) error {
	if j.Feed.Ended() {
		again, err := feed.Open(ctx, j.Feed.Door, j.Feed.ID, j.Feed.Name)
		if err == nil {
			j.Feed.Close()
			j.Feed = again
		}
		return err
	}
	for {
		if err := j.Feed.Wait(ctx); err != nil {
			return err
		}
		was := j.newest.news
		if _, err := j.Feed.Read(ctx, func(e *protocol.Event) bool {
			j.newest.apply(e)
			return true
		}); err != nil {
			return err
		}
		if j.newest.news != was || j.Feed.Ended() || j.Feed.Lost {
			j.Feed.Lost = false
			return nil
		}
	}
}

// Output is what is told of it.
func (j *Joined) Output() SessionOutput {
	if j.Gone {
		return SessionOutput{
			SessionID: j.Feed.ID, Resting: true, Status: protocol.StateTerminated.ItemStatus(), State: string(protocol.StateTerminated),
			LastIndex: -1, Result: output.Result{Outcome: output.Failed, Error: "The session was deleted."}, Requests: []output.Request{},
		}
	}
	d := &j.Told
	out := SessionOutput{
		SessionID: d.ID, PromptID: j.prompt, Title: output.Brief(d.Title, output.MaxLine), Resting: j.Resting,
		Status: d.Status.State.ItemStatus(), State: string(d.Status.State), LastIndex: int(d.Seq) - 1, Requests: output.RequestsOf(d.Requests),
		Damage: output.EndsEarly(d.Damage),
	}
	if j.prompt != "" {
		out.Result = j.Of
		return out
	}
	out.Result = output.Result{Outcome: j.newest.Outcome, Text: j.newest.text, Entry: j.newest.entry, Error: j.newest.Problem}
	if d.EndError != "" {
		out.Outcome, out.Error = output.Failed, strings.TrimSpace(d.EndError+"\n"+d.EndHint)
	}
	if j.newest.begun && out.Outcome == "" && d.Damage != nil {
		out.Outcome, out.Error = output.Failed, output.EndUnknown
	}
	if j.newest.begun && out.Outcome == "" {
		if out.Outcome = output.Working; j.Resting && len(d.Requests) > 0 {
			out.Outcome = output.Waiting
		}
	}
	return out
}

// Close lets go of the session.
func (j *Joined) Close() { j.Feed.Close() }

// settled is the prompt that the answer is of, and whether that is over.
func (j *Joined) settled() (prompt string, over bool) {
	if j.Gone {
		return "", false
	}
	if j.prompt != "" {
		return j.prompt, output.Final(j.Of.Outcome)
	}
	return j.newest.prompt, output.Final(j.newest.Outcome)
}
