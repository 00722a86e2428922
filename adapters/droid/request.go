package droid

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/ringmaster-agents/ringmaster/adapters"
	"github.com/ringmaster-agents/ringmaster/adapters/native"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// requests are those of the agent that wait for an answer.
type requests struct {
	limit int // bytes of a text
	own   ownServer
	cwd   string // of the session
	last  native.Counter[adapters.RequestKey]
	byKey map[adapters.RequestKey]*request
	byID  map[string]*request
}

// request is one request of the agent. Each tool of a permission is an approval of its own, for people and policies to decide;
// Droid takes one answer for all.
type request struct {
	id        string
	open      map[adapters.RequestKey]*tool // what is not answered yet, and the calls that it is about; nil: about none
	once      string                        // values of a permission's options; empty: not offered
	always    string
	never     string
	forOnce   bool       // one of the tools was allowed only this time
	questions []question // of ask_user; nil: a permission
}

// asked is what a request asks for one call.
type asked struct {
	call string // its id
	protocol.RequestOpened
}

// read reads a request of the agent; r is nil where it cannot be answered.
func (q *requests) read(e *envelope) (r *request, list []asked) {
	switch e.Method {
	case methodPermission:
		r, list = readPermission(e.Params, &q.own, q.cwd, q.limit)
	case methodAsk:
		r, list = readQuestions(e.Params)
	}
	if r != nil {
		r.id, r.open = e.ID, map[adapters.RequestKey]*tool{}
	}
	return r, list
}

// ask opens what a request asks for one call; nil: for none that is open.
func (q *requests) ask(r *request, a *asked, about *tool, out *adapters.Output) {
	opened := adapters.RequestOpened{Key: q.last.Next(), Request: a.RequestOpened}
	if about != nil {
		opened.Entry, opened.Request.ToolName = about.key, about.name
	}
	r.open[opened.Key] = about
	q.byKey[opened.Key], q.byID[r.id] = r, r
	out.Draft(opened)
}

// answer sends the answer to a request; one that is no longer open needs none. A permission is answered when all of its
// tools are, or one is denied.
func (q *requests) answer(c adapters.Answer, out *adapters.Output) {
	r := q.byKey[c.Key]
	if r == nil {
		return
	}
	about := r.open[c.Key]
	delete(r.open, c.Key)
	delete(q.byKey, c.Key)
	switch {
	case r.questions != nil:
		reply(out, r.id, collect(r.questions, c))
	case c.Outcome != protocol.OutcomeAllowed || r.once == "" && r.always == "":
		q.closeAll(r, adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}, out)
		if r.never == "" {
			refuse(out, r.id, "not allowed") // Droid takes an error for a refusal
		} else {
			reply(out, r.id, permissionResult{r.never, c.Message})
		}
	default:
		about.allowed()
		r.forOnce = r.forOnce || c.Option != protocol.AllowAlways
		if len(r.open) > 0 {
			return
		}
		reply(out, r.id, permissionResult{r.allows(), c.Message})
	}
	delete(q.byID, r.id)
}

// allows is the value of the option that allows all tools of a permission, and no more than was allowed of any.
func (r *request) allows() string {
	if r.once != "" && (r.forOnce || r.always == "") {
		return r.once
	}
	return r.always
}

// resolved closes a permission that was answered elsewhere, or withdrawn, as it is when an interrupt was sent.
func (q *requests) resolved(raw json.RawMessage, aborting bool, out *adapters.Output) {
	var n struct {
		RequestID      string `json:"requestId"`
		SelectedOption string `json:"selectedOption"`
	}
	_ = native.Decode(raw, &n)
	if r := q.byID[n.RequestID]; r != nil {
		q.resolve(r, n.SelectedOption, aborting, out)
	}
}

// answered takes an answer that somebody else sent.
func (q *requests) answered(e *envelope, out *adapters.Output) {
	r := q.byID[e.ID]
	switch {
	case r == nil:
	case r.questions == nil:
		var p permissionResult
		_ = native.Decode(e.Result, &p)
		q.resolve(r, p.SelectedOption, false, out)
	default:
		q.close(r, readAnswers(r.questions, e), out)
	}
}

// resolve closes a permission with the value of an option.
func (q *requests) resolve(r *request, value string, withdrawn bool, out *adapters.Output) {
	c := adapters.RequestClosed{Outcome: protocol.OutcomeAllowed, Option: protocol.AllowAlways}
	switch {
	case value == r.once && value != "":
		c.Option = protocol.AllowOnce
	case strings.HasPrefix(value, "proceed"):
	case withdrawn:
		c = adapters.RequestClosed{Outcome: protocol.OutcomeCancelled}
	default:
		c = adapters.RequestClosed{Outcome: protocol.OutcomeDenied, Option: protocol.DenyStop}
	}
	if c.Outcome == protocol.OutcomeAllowed {
		for _, about := range r.open {
			about.allowed()
		}
	}
	q.close(r, c, out)
}

// close closes a request.
func (q *requests) close(r *request, c adapters.RequestClosed, out *adapters.Output) {
	q.closeAll(r, c, out)
	delete(q.byID, r.id)
}

// closeAll closes what is open of a request, in the order of asking.
func (q *requests) closeAll(r *request, c adapters.RequestClosed, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(r.open)) {
		delete(r.open, key)
		delete(q.byKey, key)
		c.Key = key
		out.Draft(c)
	}
}

// dropAbout closes what was asked for a call that has ended: the agent no longer waits for it.
func (q *requests) dropAbout(t *tool, out *adapters.Output) {
	for _, key := range slices.Sorted(maps.Keys(q.byKey)) {
		r := q.byKey[key]
		if r.open[key] != t {
			continue
		}
		delete(r.open, key)
		delete(q.byKey, key)
		if len(r.open) == 0 {
			delete(q.byID, r.id)
		}
		out.Draft(adapters.RequestClosed{Key: key, Outcome: protocol.OutcomeCancelled})
	}
}

// forget forgets the requests of a turn that has ended: the session closes them.
func (q *requests) forget() {
	clear(q.byKey)
	clear(q.byID)
}
