package remote

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/actors/core/wire"
)

func (c *client) Join(ctx context.Context, node string) (core.Owner, error) {
	if node == "" {
		return core.Owner{}, &core.AccessError{Op: "join", Err: errors.New("a node without a name"), Hint: core.HintNode}
	}
	return call[wire.Join, core.Owner](ctx, c, "join", "join", wire.Join{Node: core.Text(node)})
}

// Take asks for each session once, and for so many at once as a request may have.
func (c *client) Take(ctx context.Context, as core.Owner, sessions []core.Record) ([]core.Position, error) {
	at := map[string]core.Position{}
	seen := map[string]bool{}
	var some parcel[core.Record]
	send := func() error {
		list, err := call[wire.Take, []core.Position](ctx, c, "take", "take", wire.Take{As: as, Sessions: some.take()})
		for _, p := range list {
			at[p.Session] = p
		}
		return err
	}
	as.Node = core.Text(as.Node)
	for i := range sessions {
		r := &sessions[i]
		if seen[r.Session] {
			continue
		}
		seen[r.Session] = true
		if some.add(r.Kept()) {
			if err := send(); err != nil {
				return nil, err
			}
		}
	}
	if len(some.list) > 0 || len(sessions) == 0 {
		if err := send(); err != nil {
			return nil, err
		}
	}
	answers := make([]core.Position, len(sessions))
	for i := range sessions {
		answers[i] = at[sessions[i].Session]
	}
	return answers, nil
}

// parcel are values that go together.
type parcel[T any] struct {
	list []T
	size int
}

// add says that it is time to send what there is.
func (p *parcel[T]) add(one T) (isFull bool) {
	p.list = append(p.list, one)
	if b, err := json.Marshal(one); err == nil { // else it fails when it is sent
		p.size += len(b)
	}
	return p.size >= wire.Full
}

// take gives what there is away.
func (p *parcel[T]) take() []T {
	list := p.list
	*p = parcel[T]{}
	return list
}

func (c *client) Positions(ctx context.Context, ids []string) ([]core.Position, error) {
	return call[wire.Positions, []core.Position](ctx, c, "positions", "positions", wire.Positions{Sessions: ids})
}

func (c *client) Held(ctx context.Context, node string) iter.Seq2[core.Position, error] {
	return list[wire.Named, core.Position](ctx, c, "held", "held", wire.Named{Node: core.Text(node)})
}

func (c *client) Remove(ctx context.Context, id string, lease core.Lease) (gone bool, err error) {
	is, err := call[wire.Remove, wire.Truth](ctx, c, "remove", "remove", wire.Remove{Session: id, Lease: lease})
	return is.Is, err
}

func (c *client) Note(ctx context.Context, notes []core.Note) error {
	var some parcel[core.Note]
	send := func() error {
		_, err := call[wire.Note, wire.Nothing](ctx, c, "note", "note", wire.Note{Notes: some.take()})
		return err
	}
	for i := range notes {
		n := core.Note{Lease: notes[i].Lease, Record: notes[i].Record.Kept()}
		if some.add(n) {
			if err := send(); err != nil {
				return err
			}
		}
	}
	if len(some.list) == 0 {
		return nil
	}
	return send()
}
