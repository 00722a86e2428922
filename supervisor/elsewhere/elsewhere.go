package elsewhere

import (
	"context"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/directory"
)

// Begin has a supervisor know of the sessions of other nodes. It must be closed before the supervisor is.
func Begin(s *supervisor.Supervisor, cfg Config) *Elsewhere {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Most == 0 {
		cfg.Most = 100_000
	}
	e := &Elsewhere{Supervisor: s, cfg: cfg, hurry: make(chan struct{}, 1), retired: make(chan string, mostRetired), done: make(chan struct{})}
	e.known = known{entries: map[string]*entry{}, roster: s.Roster()}
	e.mirrors.of = map[string]*mirror.Mirror{}
	e.ctx, e.end = context.WithCancel(context.Background())
	go e.run() // ends with Close
	return e
}

// Close ends it: whoever reads a session of another node is let go.
func (e *Elsewhere) Close() {
	e.end()
	<-e.done
	e.mirrors.stopAll(e.Engine())
}

// isHere says that a session is on this node.
func (e *Elsewhere) isHere(id string) bool {
	_, ok := e.Supervisor.Known(id)
	return ok
}

// find gives what is known of a session that is not on this node; Core is asked for one that is not known. The error is what a client is told.
func (e *Elsewhere) find(ctx context.Context, id string) (*entry, error) {
	if x := e.known.get(id); x != nil {
		return x, nil
	}
	return inCore(ctx, e, id, false)
}

// inCore has Core tell of a session that is not on this node; left: it was until now.
func inCore(ctx context.Context, e *Elsewhere, id string, left bool) (*entry, error) {
	c := e.reach.core.Load()
	if c == nil {
		return nil, unreached("session")
	}
	if err := e.reach.failure(); err != nil { // nobody is to wait for it; whether it is back is asked beside
		e.asked.Store(e.cfg.Now().UnixMilli())
		return nil, mirror.Problem(err)
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	p, r, ok, err := (*c).Session(ctx, id)
	switch {
	case err != nil:
		return nil, mirror.Problem(err)
	case !ok:
		return nil, supervisor.NotFound()
	}
	x, err := entryOf(&core.Change{Position: p, Record: r})
	if err != nil {
		return nil, err
	}
	x.left = left
	e.known.put(x, e.cfg.Most)
	return x, nil
}

// lookTime bounds a question for a session of which nothing is known.
const lookTime = 5 * time.Second

// elsewhere gives a session that is not on this node; nil, without an error: it is here.
func (e *Elsewhere) elsewhere(ctx context.Context, id string) (*entry, error) {
	if !protocol.ValidSessionID(id) || e.isHere(id) {
		return nil, nil //nolint:nilnil // the two are one answer
	}
	if e.cfg.Removing(id) {
		return nil, supervisor.NotFound()
	}
	if e.known.get(id) == nil { // it may have been made a moment ago: the supervisor knows
		if _, err := e.Supervisor.Look(ctx, id); !isNotFound(err) {
			return nil, nil //nolint:nilnil // likewise
		}
	}
	return e.find(ctx, id)
}

// Known gives what is known of a session without asking anybody.
func (e *Elsewhere) Known(id string) (directory.Entry, bool) {
	if d, ok := e.Supervisor.Known(id); ok {
		return d, true
	}
	x := e.known.get(id)
	if x == nil {
		return directory.Entry{}, false
	}
	s := &x.sum
	return directory.Entry{Cwd: s.Cwd, Owner: s.Owner, Parent: s.ParentSessionID, Ended: s.Status.State.Ended(), Pinned: s.Pinned}, true
}

// Find gives the actor that answers for a session: its own, or a mirror.
func (e *Elsewhere) Find(ctx context.Context, id string) (session.Ref, error) {
	return e.actor(ctx, id, e.Supervisor.Find, false)
}

// FindAgain is Find where the actor that it gave is gone.
func (e *Elsewhere) FindAgain(ctx context.Context, id string) (session.Ref, error) {
	return e.actor(ctx, id, e.Supervisor.FindAgain, true)
}

func (e *Elsewhere) actor(ctx context.Context, id string, here func(context.Context, string) (session.Ref, error), anew bool) (session.Ref, error) {
	x, err := e.elsewhere(ctx, id)
	switch {
	case err != nil:
		return session.Ref{}, err
	case x == nil:
		return here(ctx, id)
	}
	m, err := e.mirror(x, anew)
	if err != nil {
		return session.Ref{}, err
	}
	return m.Ref, nil
}

// Look gives the summary of a session.
func (e *Elsewhere) Look(ctx context.Context, id string) (session.Summary, error) {
	x, err := e.elsewhere(ctx, id)
	switch {
	case err != nil:
		return session.Summary{}, err
	case x == nil:
		return e.Supervisor.Look(ctx, id)
	}
	return x.sum, nil
}

// AtRest gives what there is to tell of a session where its record tells all of it.
func (e *Elsewhere) AtRest(ctx context.Context, id string) (*session.Description, error) {
	x, err := e.elsewhere(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case x == nil:
		return e.Supervisor.AtRest(ctx, id)
	case x.rests():
		return &session.Description{Summary: x.sum}, nil
	}
	return nil, nil //nolint:nilnil // as the contract has it: its mirror tells it
}

// List gives a page of the sessions of all nodes.
func (e *Elsewhere) List(ctx context.Context, q supervisor.Query) (supervisor.Page, error) {
	e.refresh(ctx)
	page, err := e.Supervisor.List(ctx, q)
	page.Partial = e.reach.isPartial()
	return page, err
}

// Health tells of Core also what readers have found: a node whose sessions say nothing sends it nothing.
func (e *Elsewhere) Health() supervisor.Health {
	h := e.Supervisor.Health()
	if err := e.reach.failure(); err != nil && h.Core != nil && h.Core.Up {
		h.Core.Up, h.Core.Err = false, err
	}
	return h
}

// Refresh has the list as new as it can be had in a moment, and the named sessions in it, where they are anywhere.
func (e *Elsewhere) Refresh(ctx context.Context, named []string) {
	e.refresh(ctx)
	ctx, cancel := context.WithTimeout(ctx, lookTime) // for all of them
	defer cancel()
	list, left := e.Roster(), mostNamed
	for _, id := range named {
		if left == 0 {
			return
		}
		if list.Find(id) == nil {
			left--
			_, _ = e.elsewhere(ctx, id) // one that is nowhere is not in the list
		}
	}
}

// mostNamed bounds the questions to Core for sessions that nobody knows.
const mostNamed = 100

// refresh notes that somebody looks at the list. Where that has not been asked for lately, it waits a moment for Core.
func (e *Elsewhere) refresh(ctx context.Context) {
	e.asked.Store(e.cfg.Now().UnixMilli())
	wait := e.reach.stale(e.cfg.Now())
	if wait == nil {
		return
	}
	e.hasten()
	ctx, cancel := context.WithTimeout(ctx, refreshTime)
	defer cancel()
	select {
	case <-wait:
	case <-ctx.Done():
	}
}

// refreshTime is how long a list waits for Core at most.
const refreshTime = 500 * time.Millisecond

func (e *Elsewhere) hasten() {
	select {
	case e.hurry <- struct{}{}:
	default:
	}
}
