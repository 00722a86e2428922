package form

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// Forms are what the user of one client of the old era is asked: one goroutine for each, at most MaxForms at once. Whoever else answers first
// takes the form away. What stands in the logs of two sessions is asked once; a form that was closed is not shown again.
type Forms struct {
	ss       *sdk.ServerSession
	who      *access.Principal
	life     context.Context // of the client: done when it ends
	start    func(run func()) bool
	requests *Requests

	mu     sync.Mutex
	all    map[Key]*form              // also those that were closed, while their requests are open
	at     map[string]protocol.Cursor // by session: how far it was when what it asks was last shown
	change context.CancelFunc
	turn   context.Context // done when a form has opened or ended, or a stream has
}

// Key is a request: the session that asks, and the id there.
type Key struct{ sessionID, requestID string }

type form struct {
	seen   string // the session in whose log it was seen
	closed bool   // nobody answers it here
	cancel context.CancelFunc
}

// MaxForms is how many forms one client is shown at once.
const MaxForms = 16

// MaxWatched is how many sessions one client has pushed, or is asked of; it polls further ones.
const MaxWatched = 256

// New shows nothing yet. Goroutines are begun by start, which says whether that is still possible.
func New(life context.Context, ss *sdk.ServerSession, who *access.Principal, q *Requests, start func(run func()) bool) *Forms {
	f := &Forms{ss: ss, who: who, life: life, start: start, requests: q, all: map[Key]*form{}, at: map[string]protocol.Cursor{}}
	f.turn, f.change = context.WithCancel(life)
	return f
}

// changed wakes those who wait for a turn. With mu held.
func (f *Forms) changed() {
	f.change()
	f.turn, f.change = context.WithCancel(f.life)
}

// Wake wakes those who wait for a turn.
func (f *Forms) Wake() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed()
}

// Next is done when something has changed.
func (f *Forms) Next() context.Context {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.turn
}

// Can says that the client's user can be asked. An agent's user is asked by its own session.
func (f *Forms) Can() bool {
	init := f.ss.InitializeParams()
	if init == nil || init.Capabilities == nil || f.who.Scope == access.Agent {
		return false
	}
	e := init.Capabilities.Elicitation
	return e != nil && (e.Form != nil || e.URL == nil)
}

// KeyOf is the request of a session, wherever it was seen.
func KeyOf(id string, r *protocol.RequestOpened) Key {
	if r.SessionID != "" {
		return Key{r.SessionID, strings.TrimSuffix(r.RequestID, "@"+r.SessionID)}
	}
	return Key{id, r.RequestID}
}

// Show asks what is open in a session and is the client's to answer, and takes away what is not. Several look at one session, and the one that
// looked first may come last: that changes nothing. ctx says on which stream: of its call, or else of notifications; nil: on none.
func (f *Forms) Show(ctx context.Context, id string, at protocol.Cursor, open []protocol.RequestOpened) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at[id].After(at) {
		return
	}
	f.note(id, at)
	now, shown := map[Key]bool{}, 0
	for i := range open {
		now[KeyOf(id, &open[i])] = true
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
		if ctx != nil && shown < MaxForms && f.all[KeyOf(id, r)] == nil && Formed(r) && Answerable(f.who, r.Kind) && f.Can() {
			f.open(ctx, id, r)
			shown++
		}
	}
}

// note keeps how far a session was. Where there are many, those that have a form are kept, which an older look could take away. With mu held.
func (f *Forms) note(id string, at protocol.Cursor) {
	if len(f.at) >= 2*MaxWatched {
		kept := map[string]protocol.Cursor{}
		for _, x := range f.all {
			kept[x.seen] = f.at[x.seen]
		}
		f.at = kept
	}
	f.at[id] = at
}

// Drop takes away what was seen in a session that is watched no longer: nobody would say that it was answered.
func (f *Forms) Drop(id string) {
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

// Formed says that there are forms for such a request: callers answer the calls of their tools as ever.
func Formed(r *protocol.RequestOpened) bool { return r.Kind != protocol.RequestCallerTool }

// Shows says that the user is being asked a request, or that the session has gone on since it was seen: its end may be why no form is shown.
func (f *Forms) Shows(id string, at protocol.Cursor, r *protocol.RequestOpened) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	x := f.all[KeyOf(id, r)]
	return f.at[id].After(at) || x != nil && !x.closed
}

// open shows a form. With mu held.
func (f *Forms) open(ctx context.Context, id string, r *protocol.RequestOpened) {
	key, onCall := KeyOf(id, r), ctx != f.life
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx)) // the answer may come when the call is over
	gone := context.AfterFunc(f.life, cancel)
	x := &form{seen: id, cancel: cancel}
	asked := *r
	if !f.start(func() {
		defer cancel()
		defer gone()
		answered, err := f.ask(ctx, id, &asked)
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

// Any says that a form of a session is shown.
func (f *Forms) Any(id string) bool {
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
func (f *Forms) ask(ctx context.Context, id string, r *protocol.RequestOpened) (answered bool, err error) {
	p, err := f.requests.Form(ctx, id, r)
	if err != nil {
		return false, err
	}
	res, err := f.ss.Elicit(ctx, p)
	return err == nil && f.requests.Answer(ctx, id, r, res), err
}
