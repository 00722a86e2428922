package peer

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
)

// Away is control.Away by the HTTP of the session's node.
type Away struct{ Forwarder *Forwarder }

// Send gives a session a prompt. With a key it is taken once.
func (a Away) Send(ctx context.Context, id string, p *resource.NewPrompt, key string) (r session.Receipt, here bool, err error) {
	var there resource.PromptAccepted
	done, err := a.Forwarder.Call(ctx, id, http.MethodPost, "/prompts", p, key, &there)
	if !done || err != nil {
		return session.Receipt{}, !done, err
	}
	cursor, err := protocol.ParseCursor(there.Cursor)
	return session.Receipt{PromptID: there.PromptID, Cursor: cursor, Position: there.Position, Repeated: there.Repeated}, false, err
}

// Delete ends a session and removes it.
func (a Away) Delete(ctx context.Context, id string) (here bool, err error) {
	return a.call(ctx, id, http.MethodDelete, "", nil, nil)
}

// Cancel is control.Away's, as all that follow.
func (a Away) Cancel(ctx context.Context, id, prompt string) (here bool, err error) {
	return a.call(ctx, id, http.MethodDelete, "/prompts/"+url.PathEscape(prompt), nil, nil)
}

// Move gives a prompt another place.
func (a Away) Move(ctx context.Context, id, prompt string, to control.Place) (position int, here bool, err error) {
	var there resource.PromptMoved
	here, err = a.call(ctx, id, http.MethodPost, "/prompts/"+url.PathEscape(prompt)+"/move", moving(to), &there)
	return there.Position, here, err
}

// Resolve answers a request.
func (a Away) Resolve(ctx context.Context, id string, by control.Answer) (done session.Resolution, here bool, err error) {
	var there resource.RequestResolution
	here, err = a.call(ctx, id, http.MethodPost, "/requests/"+url.PathEscape(by.RequestID), resource.RequestAnswer{
		Outcome: by.Outcome, Option: by.Option, Answers: by.Answers, Result: by.Result, Message: by.Message, ClientID: clientOf(by.By),
	}, &there)
	return session.Resolution{Outcome: there.Outcome, Option: there.Option}, here, err
}

// Interrupt stops the running turn, or only the one that is named.
func (a Away) Interrupt(ctx context.Context, id, turn, by string) (stopped string, here bool, err error) {
	var there resource.InterruptAccepted
	asks := map[string]string{"clientId": clientOf(by)}
	if turn != "" {
		asks["turnId"] = turn
	}
	here, err = a.call(ctx, id, http.MethodPost, "/interrupt", asks, &there)
	return there.TurnID, here, err
}

// Choose chooses a model or a mode.
func (a Away) Choose(ctx context.Context, id string, what session.Setting, value string, when session.When) (session.Applied, bool, error) {
	var there struct {
		Applied session.Applied `json:"applied"`
	}
	choice := map[string]string{string(what): value}
	if when != "" {
		choice["when"] = string(when)
	}
	here, err := a.call(ctx, id, http.MethodPost, "/"+string(what), choice, &there)
	return there.Applied, here, err
}

// Change changes properties.
func (a Away) Change(ctx context.Context, id string, c control.Change) (here bool, err error) {
	return a.call(ctx, id, http.MethodPatch, "", patchOf(&c), nil)
}

// End ends a session.
func (a Away) End(ctx context.Context, id, reason string) (here bool, err error) {
	ending := map[string]string{}
	if reason != "" {
		ending["reason"] = reason
	}
	return a.call(ctx, id, http.MethodPost, "/end", ending, nil)
}

func (a Away) call(ctx context.Context, id, method, path string, in, out any) (here bool, err error) {
	done, err := a.Forwarder.Call(ctx, id, method, path, in, "", out)
	return !done, err
}

// clientOf is the client's own word in the log's name of who did something.
func clientOf(by string) string {
	client, _ := strings.CutPrefix(by, "client:")
	return client
}

// moving is the body of a move.
func moving(to control.Place) map[string]any {
	switch {
	case to.Before != "":
		return map[string]any{"before": to.Before}
	case to.Position == math.MaxInt:
		return map[string]any{"before": nil}
	}
	return map[string]any{"position": to.Position}
}

// patchOf is the merge patch of a change.
func patchOf(c *control.Change) map[string]any {
	patch := map[string]any{}
	if c.Title != nil {
		patch["title"] = orNull(*c.Title)
	}
	if c.Labels != nil {
		patch["labels"] = c.Labels
	}
	if c.Pinned != nil {
		patch["pinned"] = *c.Pinned
	}
	if p := c.Policy; p != nil {
		policy := map[string]any{}
		if p.Clear { // what is not given is taken away
			policy = map[string]any{"mode": nil, "rules": nil, "deadline": nil, "default": nil}
		}
		if p.Mode != nil {
			policy["mode"] = orNull(*p.Mode)
		}
		if p.Rules != nil {
			policy["rules"] = append([]protocol.PolicyRule{}, *p.Rules...)
		}
		if p.Deadline != nil {
			policy["deadline"] = orNull(*p.Deadline)
		}
		if p.Default != nil {
			policy["default"] = orNull(*p.Default)
		}
		patch["policy"] = policy
	}
	return patch
}

func orNull[T comparable](v T) any {
	var none T
	if v == none {
		return nil
	}
	return v
}
