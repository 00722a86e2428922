// Package task makes tasks of what prompts come to, and has the extension of MCP by which clients look at them.
package task

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/api/mcp/call"
	"github.com/ringmaster-agents/ringmaster/api/mcp/feed"
	"github.com/ringmaster-agents/ringmaster/api/mcp/form"
	"github.com/ringmaster-agents/ringmaster/api/mcp/output"
	"github.com/ringmaster-agents/ringmaster/api/mcp/problem"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// A task is what a prompt made: it is computed from the session's log, so it is there as long as the log is, after a restart
// of the daemon too, and every client sees the same. Its id names session and prompt.

// ID names a task.
func ID(sessionID, promptID string) string { return sessionID + "." + promptID }

// ParseID takes the id of a task apart.
func ParseID(id string) (sessionID, promptID string, ok bool) {
	sessionID, promptID, ok = strings.Cut(id, ".")
	return sessionID, promptID, ok && protocol.ValidSessionID(sessionID) && promptID != ""
}

// Tasks remember folds, as feed.Views do.
type Tasks struct {
	door     *control.Door
	requests *form.Requests
	tell     *problem.Teller
	foreign  func(id string) Source // has tasks that are none of a session; nil: none of this id

	mu    sync.Mutex
	folds map[string]*taskFold
	order []string
}

const maxTasks = 1024

// New remembers nothing yet.
func New(d *control.Door, q *form.Requests, tell *problem.Teller, foreign func(id string) Source) *Tasks {
	return &Tasks{door: d, requests: q, tell: tell, foreign: foreign, folds: map[string]*taskFold{}}
}

func (t *Tasks) fold(id, promptID string) *taskFold {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.folds[id]
	if f == nil {
		f = &taskFold{taskLog: taskLog{promptID: promptID}}
		t.folds[id] = f
		t.order = append(t.order, id)
		if len(t.order) > maxTasks {
			delete(t.folds, t.order[0])
			t.order = t.order[1:]
		}
	}
	return f
}

// errNoTask is a prompt that its session's log does not know.
var errNoTask = errors.New("no such task")

// task gives the fold of a task, locked, or an error for a client of tasks.
func (t *Tasks) task(ctx context.Context, id string) (f *taskFold, sessionID string, err error) {
	f, sessionID, err = t.read(ctx, id)
	switch {
	case err == nil:
	case errors.Is(err, errNoTask), problem.Of(err).Code == protocol.CodeSessionNotFound:
		err = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "There is no such task."}
	default:
		err = t.tell.Method("tasks", err)
	}
	return f, sessionID, err
}

// read reads on in the log and gives the fold, locked.
func (t *Tasks) read(ctx context.Context, id string) (f *taskFold, sessionID string, err error) {
	sessionID, promptID, ok := ParseID(id)
	if !ok {
		return nil, "", errNoTask
	}
	f = t.fold(id, promptID)
	f.mu.Lock()
	log, err := feed.Open(ctx, t.door, sessionID, "mcp task")
	if err == nil {
		defer log.Close()
		if f.epoch != log.Epoch { // events were lost: what was read may not have been
			f.taskLog = taskLog{promptID: promptID, epoch: log.Epoch}
		}
		f.damage = log.Reader.Damage
		if f.at == 0 {
			err = f.place(ctx, log)
		}
		if log.At = f.at; err == nil && f.state == "" {
			_, err = log.Read(ctx, func(e *protocol.Event) bool {
				f.apply(e)
				return f.state == ""
			})
		}
	}
	switch {
	case err != nil || f.seen:
	case f.damage != nil:
		err = protocol.NewProblem(protocol.CodeDamaged, "The prompt is not in what can be read of the log: "+f.damage.String()+".", f.damage.Hint)
	default:
		err = errNoTask
	}
	if err != nil {
		f.mu.Unlock()
		return nil, "", err
	}
	return f, sessionID, nil
}

// placeFirst is how many of the newest events are looked at first for a prompt.
const placeFirst = 64

// place puts a fold that has read nothing behind the newest turn that was over when the prompt came: what a prompt costs does not grow with
// the log before it.
func (f *taskFold) place(ctx context.Context, log *feed.Feed) error {
	for n := uint64(placeFirst); ; n *= 8 {
		from := log.Head() - min(n, log.Head())
		rest, queued := uint64(0), false
		log.At = from
		if _, err := log.Read(ctx, func(e *protocol.Event) bool {
			id := ""
			switch p := e.Payload.(type) {
			case *protocol.TurnEnd:
				rest = e.Seq
			case *protocol.PromptQueued:
				id, queued = p.PromptID, p.PromptID == f.promptID
			case *protocol.PromptRemoved:
				id = p.PromptID
			case *protocol.TurnStart:
				if p.Prompt != nil {
					id = p.Prompt.PromptID
				}
			default:
			}
			return id != f.promptID
		}); err != nil {
			return err
		}
		if from == 0 || queued && rest > 0 {
			f.at = rest
			return nil
		}
	}
}

// Get gives a task as it stands.
func (t *Tasks) Get(ctx context.Context, id string, forms bool) (*Wire, error) {
	f, sessionID, err := t.task(ctx, id)
	if err != nil {
		return nil, err
	}
	defer f.mu.Unlock()
	w := f.wire(id, forms && access.Of(ctx).Writes())
	for _, r := range f.asks() {
		if w.InputRequests[r.RequestID] == nil {
			continue
		}
		if w.InputRequests[r.RequestID], err = t.requests.Form(ctx, sessionID, r); err != nil {
			return nil, t.tell.Method("tasks/get", err)
		}
	}
	return w, nil
}

// Stop takes the prompt out of the queue, or stops its turn and no other.
func (t *Tasks) Stop(ctx context.Context, id string) error {
	for waited := true; ; waited = false {
		f, sessionID, err := t.task(ctx, id)
		if err != nil {
			return err
		}
		turn, over, prompt := f.turnID, f.state != "", f.promptID
		f.mu.Unlock()
		switch {
		case over:
			return nil
		case turn != "":
			_, err = t.door.Interrupt(ctx, sessionID, turn, call.AskedBy(access.Of(ctx)))
		default:
			err = t.door.Cancel(ctx, sessionID, prompt)
		}
		switch {
		case err == nil:
			return nil
		case turn == "" && waited: // it may have been dispatched meanwhile
		default:
			return t.tell.Method("tasks/cancel", err)
		}
	}
}

// Update passes answers on to the requests that the task waits for. What it does not wait for is ignored.
func (t *Tasks) Update(ctx context.Context, id string, responses map[string]json.RawMessage) error {
	f, sessionID, err := t.task(ctx, id)
	if err != nil {
		return err
	}
	open := append([]*protocol.RequestOpened(nil), f.asks()...)
	f.mu.Unlock()
	for _, r := range open {
		raw, ok := responses[r.RequestID]
		if !ok {
			continue
		}
		var res sdk.ElicitResult
		if err := json.Unmarshal(raw, &res); err != nil {
			return badResponse(r.RequestID)
		}
		switch res.Action {
		case "accept", "decline", "cancel":
		default:
			return badResponse(r.RequestID)
		}
		answer := form.Elicited(r, &res, "client:mcp")
		if answer == nil {
			continue
		}
		if err := t.requests.Resolve(ctx, sessionID, answer); err != nil {
			return t.tell.Method("tasks/update", err)
		}
	}
	return nil
}

func badResponse(requestID string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The response to " + requestID + " is no result of an elicitation."}
}

// Outcome is what has become of a prompt, and whether that is over.
func (t *Tasks) Outcome(ctx context.Context, sessionID, promptID string) (r output.Result, over bool, err error) {
	f, _, err := t.read(ctx, ID(sessionID, promptID))
	if err != nil {
		return r, false, noPrompt(err, promptID)
	}
	defer f.mu.Unlock()
	return f.outcome(), f.state != "", nil
}

// Fate is what became of a prompt whose receipt somebody has, and the turn that it made or went into.
func (t *Tasks) Fate(ctx context.Context, sessionID, promptID string) (state, turn string, r output.Result, err error) {
	f, _, err := t.read(ctx, ID(sessionID, promptID))
	switch {
	case errors.Is(err, errNoTask), err != nil && problem.Of(err).Code == protocol.CodeDamaged:
		return output.PromptUnknown, "", r, nil
	case err != nil:
		return "", "", r, err
	}
	defer f.mu.Unlock()
	r = f.outcome()
	switch {
	case f.lost():
		state = output.PromptUnknown
	case f.state != "":
		state = output.PromptSettled
	case f.turnID != "":
		state = output.PromptRunning
	default:
		state = output.PromptQueued
	}
	return state, f.turnID, r, nil
}

// noPrompt is why nothing could be read of a prompt.
func noPrompt(err error, id string) error {
	if !errors.Is(err, errNoTask) {
		return err
	}
	return &protocol.Problem{
		Code: protocol.CodePromptNotFound, Detail: "The session has no prompt " + protocol.Head(id, 40) + ".",
		Hint: "prompt_id is what session_message has answered; session_prompts lists those that wait.",
	}
}
