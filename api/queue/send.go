package queue

import (
	"context"
	"errors"

	"github.com/ringmaster-agents/ringmaster/actors/session"
	"github.com/ringmaster-agents/ringmaster/api/access"
	"github.com/ringmaster-agents/ringmaster/api/control"
	"github.com/ringmaster-agents/ringmaster/protocol"
	"github.com/ringmaster-agents/ringmaster/protocol/resource"
	"github.com/ringmaster-agents/ringmaster/supervisor"
)

// Send hands a checked prompt to the session.
func (q *Prompts) Send(ctx context.Context, id string, p *resource.NewPrompt, key string) (session.Receipt, error) {
	var refusal error
	if protocol.ValidSessionID(id) {
		refusal = q.sup.CheckFolder(ctx, id) // the agent may have to be started for it
	}
	if refusal != nil && key == "" {
		return session.Receipt{}, refusal
	}
	n := session.NewPrompt{Text: p.Text, Behavior: p.StreamingBehavior, ClientID: p.ClientID}
	if p.Notify != "" {
		var err error
		if n.Notify, err = q.notified(ctx, id); err != nil {
			return session.Receipt{}, err
		}
	}
	if len(p.Images) > 0 {
		return q.sendImages(ctx, id, p, &n, key, refusal)
	}
	r, err := q.door.Send(ctx, id, n, key, refusal)
	return r, shown(id, err)
}

// shown names what shows whether a prompt was taken of which that is not known.
func shown(id string, err error) error {
	var p *protocol.Problem
	if !errors.As(err, &p) || p.Code != protocol.CodeUncertain {
		return err
	}
	at := *p
	at.LookAt = "/sessions/" + id + "/log"
	return &at
}

// notified is the session that is told of a session's prompt: that of the agent who asks, or the one that the session works for.
func (q *Prompts) notified(ctx context.Context, id string) (string, error) {
	if who := access.Of(ctx); who.Scope == access.Agent {
		return who.Session, nil
	}
	parent, err := q.sup.Parent(ctx, id)
	if err == nil && parent == "" {
		err = control.NobodyToTell()
	}
	return parent, err
}

// sendImages stores the images of a checked prompt and hands it to the session. A refused one leaves nothing behind.
func (q *Prompts) sendImages(ctx context.Context, id string, p *resource.NewPrompt, n *session.NewPrompt, key string, refusal error) (session.Receipt, error) {
	if !protocol.ValidSessionID(id) {
		return session.Receipt{}, supervisor.NotFound()
	}
	store, err := q.sup.Images(ctx, id)
	if err != nil { // nothing is stored for a session that is not there
		return session.Receipt{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, control.Timeout)
	defer cancel()
	leave, err := q.storing.enter(ctx, id)
	if err != nil {
		return session.Receipt{}, err
	}
	defer leave()
	var fresh []string
	for i := range p.Images {
		ref, isNew, err := store.Put(p.Images[i].MediaType, p.Images[i].Data)
		if isNew {
			fresh = append(fresh, ref)
		}
		if err != nil {
			store.Remove(fresh)
			return session.Receipt{}, err
		}
		n.Images = append(n.Images, ref)
	}
	r, err := q.door.Send(ctx, id, *n, key, refusal)
	if notTaken(err) {
		store.Remove(fresh)
	}
	return r, shown(id, err)
}

// notTaken says that a session has refused a prompt. Of other errors nobody knows what became of it.
func notTaken(err error) bool {
	var p *protocol.Problem
	return errors.As(err, &p) && p.Code != protocol.CodeUnavailable && p.Code != protocol.CodeInternal
}
