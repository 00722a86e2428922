package mcp

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// forms are what the user of one client of the old era is asked: one goroutine for each, at most maxForms at once. Whoever else answers first
// takes the form away. What stands in the logs of two sessions is asked once; a form that was closed is not shown again.
type forms struct {
	client *client

	mu     sync.Mutex
	all    map[formKey]*form          // also those that were closed, while their requests are open
	at     map[string]protocol.Cursor // by session: how far it was when what it asks was last shown
	change context.CancelFunc
	turn   context.Context // done when a form has opened or ended, or a stream has
}

// formKey is a request: the session that asks, and the id there.
type formKey struct{ sessionID, requestID string }

type form struct {
	seen   string // the session in whose log it was seen
	closed bool   // nobody answers it here
	cancel context.CancelFunc
}

const maxForms = 16

func newForms(x *client) *forms {
	f := &forms{client: x, all: map[formKey]*form{}, at: map[string]protocol.Cursor{}}
	f.turn, f.change = context.WithCancel(x.life)
	return f
}

// changed wakes those who wait for a turn. With mu held.
func (f *forms) changed() {
	f.change()
	f.turn, f.change = context.WithCancel(f.client.life)
}

// wake wakes those who wait for a turn.
func (f *forms) wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed()
}

// next is done when something has changed.
func (f *forms) next() context.Context {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.turn
}

// can says that the client's user can be asked. An agent's user is asked by its own session.
func (f *forms) can() bool {
	init := f.client.ss.InitializeParams()
	if init == nil || init.Capabilities == nil || f.client.who.Scope == access.Agent {
		return false
	}
	e := init.Capabilities.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

func keyOf(id string, r *protocol.RequestOpened) formKey {
	if r.SessionID != "" {
		return formKey{r.SessionID, strings.TrimSuffix(r.RequestID, "@"+r.SessionID)}
	}
	return formKey{id, r.RequestID}
}

// show asks what is open in a session and is the client's to answer, and takes away what is not. Several look at one session, and the one that
// looked first may come last: that changes nothing. ctx says on which stream: of its call, or else of notifications; nil: on none.
func (f *forms) show(ctx context.Context, id string, at protocol.Cursor, open []protocol.RequestOpened) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[id].After(at) {
		return
	}
	f.note(id, at)
	now, shown := map[formKey]bool{}, 0
	for i := range open {
		now[keyOf(id, &open[i])] = true
	}
	for k, x := range f.all {
		switch {
		case x.seen == id && !now[k]:
			x.cancel()
			delete(f.all, k)
		case !x.closed:
			shown++
		}
	}
	for i := range open {
		r := &open[i]
		if ctx != nil && shown < maxForms && f.all[keyOf(id, r)] == nil && formed(r) && answers(f.client.who, r.Kind) && f.can() {
			f.open(ctx, id, r)
			shown++
		}
	}
}

// note keeps how far a session was. Where there are many, those that have a form are kept, which an older look could take away. With mu held.
func (f *forms) note(id string, at protocol.Cursor) {
	if len(f.at) >= 2*maxWatched {
		kept := map[string]protocol.Cursor{}
		for _, x := range f.all {
			kept[x.seen] = f.at[x.seen]
		}
		f.at = kept
	}
	f.at[id] = at
}

// drop takes away what was seen in a session that is watched no longer: nobody would say that it was answered.
func (f *forms) drop(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, x := range f.all {
		if x.seen == id {
			x.cancel()
			delete(f.all, k)
		}
	}
	delete(f.at, id)
}

// formed says that there are forms for such a request: callers answer the calls of their tools as ever.
func formed(r *protocol.RequestOpened) bool { return r.Kind != protocol.RequestCallerTool }

// shows says that the user is being asked a request, or that the session has gone on since it was seen: its end may be why no form is shown.
func (f *forms) shows(id string, at protocol.Cursor, r *protocol.RequestOpened) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.all[keyOf(id, r)]
	return f.at[id].After(at) || x != nil && !x.closed
}

// open shows a form. With mu held.
func (f *forms) open(ctx context.Context, id string, r *protocol.RequestOpened) {
	key, onCall := keyOf(id, r), ctx != f.client.life
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the answer may come when the call is over
	gone := context.AfterFunc(f.client.life, cancel)
	x := &form{seen: id, cancel: cancel}
	asked := *r
	if !f.client.service.start(func() {
		defer cancel()
		defer gone()
		answered, err := f.client.ask(ctx, id, &asked)
		if answered {
			return // the session's word takes it away
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		if x.closed = true; onCall && unsent(err) && f.all[key] == x {
			delete(f.all, key)
		}
		f.changed()
	}) {
		gone()
		cancel()
		return
	}
	f.all[key] = x
	f.changed()
}

// unsent says that a form was not shown, for the call was over before.
func unsent(err error) bool {
	var told *jsonrpc.Error
	return errors.As(err, &told) && told.Code == codeRejected
}

const codeRejected = -32005 // of the SDK, for what it does not send

// any says that a form of a session is shown.
func (f *forms) any(id string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.all {
		if x.seen == id && !x.closed {
			return true
		}
	}
	return false
}

// ask shows a form and passes the answer on. A client that fails to, or whose user closes it, answers nothing: others may.
func (x *client) ask(ctx context.Context, id string, r *protocol.RequestOpened) (answered bool, err error) {
	p, err := x.service.form(ctx, id, r)
	if err != nil {
		return false, err
	}
	res, err := x.ss.Elicit(ctx, p)
	return err == nil && x.service.answerForm(ctx, id, r, res), err
}
