package elsewhere

import (
	"context"
	"crypto/sha256"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/core/cold"
	"github.com/ringmaster-agents/ringmaster/actors/disk"
	"github.com/ringmaster-agents/ringmaster/actors/mirror"
	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/actors/store"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/supervisor"
	"github.com/ringmaster-agents/ringmaster/supervisor/pictures"
	"github.com/ringmaster-agents/ringmaster/supervisor/roster"
)

// refusal is what whoever wants a change of a session is told that is not on this node.
func (x *entry) refusal(here string) error {
	switch {
	case x.left:
		return protocol.NewProblem(protocol.CodeUnavailable, "The session is on its way from this node to another: nothing was changed.",
			"Try again in a moment.")
	case x.sum.Node == roster.Nobody:
		return protocol.NewProblem(protocol.CodeUnavailable, "No node has the session: Core has its log, which can be read.",
			"Ask a node that has its workspace, "+x.in+": it takes the session then.")
	case x.sum.Node == here:
		return protocol.NewProblem(protocol.CodeUnavailable,
			"This node had the session, and its data folder does not have it: only what Core has of it can be read.",
			"The folder may have come out of a backup: put the session's folder back, and restart the daemon.")
	case x.sum.Unreachable:
		return protocol.NewProblem(protocol.CodeUnavailable,
			"The session is on another node, "+x.sum.Node+", which is gone or silent: what Core has of it can be read.",
			"Start that node again. Where it is gone for good: "+forgets+".")
	}
	return protocol.NewProblem(protocol.CodeUnavailable, "The session is on another node, "+x.sum.Node+", and this one only reads what Core has of it.",
		"Ask the node that has it.")
}

// forgets says how sessions go on whose node does not come back.
const forgets = "`ringmaster node forget`, and then `ringmaster node take` has the session go on at the node that is asked, also to be deleted there"

// notHere is what whoever wants something that Core does not have is told.
func (x *entry) notHere(what string) error {
	return protocol.NewProblem(protocol.CodeUnavailable, what+" is known on the node of the session alone, "+x.sum.Node+".", "Ask the node that has it.")
}

func isNotFound(err error) bool {
	var p *protocol.Problem
	return errors.As(err, &p) && p.Code == protocol.CodeSessionNotFound
}

// refused gives the error of a call that only the session's own node can carry out, or of something that only that one has; nil: that is this one, or the
// session is nowhere.
func (e *Elsewhere) refused(ctx context.Context, id, what string) error {
	x, err := e.elsewhere(ctx, id)
	switch {
	case err != nil || x == nil:
		return ignoreNotFound(err)
	case what != "":
		return x.notHere(what)
	}
	ctx, cancel := context.WithTimeout(ctx, takeTime)
	defer cancel()
	if x = anew(ctx, e, x); comes(e, x) {
		if err := e.cfg.Take(ctx, id, false); err != nil {
			return problem(err)
		}
		return nil
	}
	return x.refusal(e.Instance())
}

// ignoreNotFound leaves it to the supervisor to say that there is no such session.
func ignoreNotFound(err error) error {
	if isNotFound(err) {
		return nil
	}
	return err
}

// Create makes a session on this node. One that drains makes only such as work for those that it has still: they end with them, or go where these go.
func (e *Elsewhere) Create(ctx context.Context, n supervisor.NewSession) (supervisor.Created, error) {
	if n.ParentID != "" {
		if err := e.refused(ctx, n.ParentID, ""); err != nil {
			return supervisor.Created{}, err
		}
	} else if e.cfg.Drains != nil && e.cfg.Drains() {
		return supervisor.Created{}, protocol.NewProblem(protocol.CodeUnavailable, "This node is draining, and makes no sessions.",
			"Ask another node. `ringmaster node join` has this one take sessions again.")
	}
	return e.Supervisor.Create(ctx, n)
}

// Claim binds a key to a session of this node.
func (e *Elsewhere) Claim(ctx context.Context, n supervisor.NewSession, id string) (supervisor.Created, error) {
	if err := e.refused(ctx, id, ""); err != nil {
		return supervisor.Created{}, err
	}
	return e.Supervisor.Claim(ctx, n, id)
}

// Spending is known on the node that has a session.
func (e *Elsewhere) Spending(ctx context.Context, id string) (supervisor.TreeUse, error) {
	if err := e.refused(ctx, id, "What the family has used"); err != nil {
		return supervisor.TreeUse{}, err
	}
	return e.Supervisor.Spending(ctx, id)
}

// CheckFolder says whether an agent may work in a session's folder.
func (e *Elsewhere) CheckFolder(ctx context.Context, id string) error {
	if err := e.refused(ctx, id, ""); err != nil {
		return err
	}
	return e.Supervisor.CheckFolder(ctx, id)
}

// Delete removes a session of this node.
func (e *Elsewhere) Delete(ctx context.Context, id string) error {
	if err := e.refused(ctx, id, ""); err != nil {
		return err
	}
	return e.Supervisor.Delete(ctx, id)
}

// DeleteListed removes a session of this node that has not changed since it was listed.
func (e *Elsewhere) DeleteListed(ctx context.Context, listed *session.Summary) error {
	if err := e.refused(ctx, listed.ID, ""); err != nil {
		return err
	}
	return e.Supervisor.DeleteListed(ctx, listed)
}

// Retention is what need not be kept on this node.
type Retention struct {
	*supervisor.Retention
	of *Elsewhere
}

// Retention is that of this node's sessions.
func (e *Elsewhere) Retention() *Retention { return &Retention{e.Supervisor.Retention(), e} }

// Pin keeps a session of this node.
func (r *Retention) Pin(ctx context.Context, id string, pinned bool) error {
	if err := r.of.refused(ctx, id, ""); err != nil {
		return err
	}
	return r.Retention.Pin(ctx, id, pinned)
}

// Images is the folder of a session's pictures; of one that is not on this node, they come out of Core's object store, and none is put.
func (e *Elsewhere) Images(id string) session.Images {
	i := e.Supervisor.Images(id)
	if i.Files == nil {
		i.Files = disk.OS()
	}
	if x := e.known.get(id); x != nil && !e.isHere(id) {
		read := func(digest [sha256.Size]byte) ([]byte, error) { return e.picture(x, digest) }
		i.Files = pictures.Away(i.Files, read, func() error { return x.refusal(e.Instance()) })
	} else if e.cfg.Pictured != nil {
		i.Files = pictures.Noting(i.Files, func() { e.cfg.Pictured(id) })
	}
	return i
}

// picture reads one of a session that is not on this node.
func (e *Elsewhere) picture(x *entry, digest [sha256.Size]byte) ([]byte, error) {
	c := e.reach.core.Load()
	if err := e.reach.failure(); err != nil || c == nil {
		return nil, protocol.NewProblem(protocol.CodeUnavailable, "The session is not on this node, and Core does not answer.", "Try again in a moment.")
	}
	from, ok := (*c).(cold.Pictures)
	if !ok {
		return nil, x.notHere("A picture of a prompt")
	}
	ctx, cancel := context.WithTimeout(e.ctx, lookTime)
	defer cancel()
	data, ok, err := from.Picture(ctx, x.sum.ID, digest)
	var damaged *store.DamageError
	switch {
	case errors.As(err, &damaged):
		return nil, session.ErrImageDamaged
	case err != nil:
		return nil, mirror.Problem(err)
	case !ok:
		return nil, x.notHere("A picture that Core does not have")
	}
	return data, nil
}
