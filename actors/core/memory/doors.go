package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
)

// Doors gives the credentials of the place. They do not go back with the rest.
func (p *Place) Doors() core.Doors { return &doors{client{place: p, closed: make(chan struct{})}} }

type doors struct{ c client }

func (d *doors) Close() { d.c.Close() }

func (d *doors) Admit(ctx context.Context, c core.Credential) error {
	return d.c.do(ctx, "admit", func(*state) {
		p := d.c.place
		if p.doors == nil {
			p.doors = map[string]core.Credential{}
		}
		if _, has := p.doors[c.ID]; !has {
			c.Made = time.Now().UTC().Truncate(time.Microsecond)
			p.doors[c.ID] = c
		}
	})
}

func (d *doors) Credentials(ctx context.Context) (list []core.Credential, err error) {
	err = d.c.do(ctx, "credentials", func(*state) { list = slices.Collect(maps.Values(d.c.place.doors)) })
	slices.SortFunc(list, func(a, b core.Credential) int { return cmp.Compare(a.ID, b.ID) })
	return given(list, err)
}

func (d *doors) Find(ctx context.Context, sum [sha256.Size]byte) (found core.Credential, ok bool, err error) {
	err = d.c.do(ctx, "find", func(*state) {
		for _, c := range d.c.place.doors {
			if c.Sum == sum {
				found, ok = c, true
			}
		}
	})
	return found, ok && err == nil, err
}

func (d *doors) Bind(ctx context.Context, id, node string) (ok bool, err error) {
	node = core.Text(node)
	err = d.c.do(ctx, "bind", func(s *state) {
		c, has := d.c.place.doors[id]
		_, known := s.nodes[node]
		for _, other := range d.c.place.doors {
			known = known || other.Node == node
		}
		if ok = has && node != "" && (c.Node == node || c.Node == "" && !known); ok {
			c.Node = node
			d.c.place.doors[id] = c
		}
	})
	return ok && err == nil, err
}

func (d *doors) Expel(ctx context.Context, id string) (gone bool, err error) {
	err = d.c.do(ctx, "expel", func(*state) {
		_, gone = d.c.place.doors[id]
		delete(d.c.place.doors, id)
	})
	return gone && err == nil, err
}
