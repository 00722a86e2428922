package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/ringmaster-agents/ringmaster/actors/core"
	"github.com/ringmaster-agents/ringmaster/protocol"
)

// claiming is a claim under way.
type claiming struct {
	*state
	place *Place
	as    core.Owner
	want  core.Want
}

func (c *client) Claim(ctx context.Context, as core.Owner, want core.Want) (got core.Claims, err error) {
	err = c.as(ctx, "claim", &as, func(s *state) {
		want.Revive = want.Revive && len(want.Sessions) > 0
		g := &claiming{s, c.place, as, want}
		taken := map[string]bool{}
		for _, root := range g.roots() {
			for _, id := range slices.Sorted(maps.Keys(s.sessions)) {
				if one := s.sessions[id]; one.record.Root == root && g.why(id) == "" {
					got.Taken = append(got.Taken, g.take(one))
					taken[id] = true
				}
			}
		}
		for _, id := range want.Sessions {
			if !taken[id] {
				got.Others = append(got.Others, core.Refusal{Session: id, At: s.position(id), Why: g.why(id)})
			}
		}
	})
	if err != nil {
		return core.Claims{}, err
	}
	return got, nil
}

// why says why a session cannot be claimed; "": it can.
func (g *claiming) why(id string) core.Why {
	now, me := g.place.clock(), g.nodes[g.as.Node]
	standing := core.Standing{As: g.as, Revive: g.want.Revive}
	standing.Able = g.stands(g.as) == core.StateUp && me.beats && me.expires.After(now)
	if one := g.sessions[id]; one != nil {
		n := g.nodes[one.at.Owner.Node]
		standing.At, standing.Failover, standing.State, standing.Life = one.at, one.record.Failover, n.state, n.life
		standing.Steady = n.beats && n.expires.After(now) && n.steady.Before(now.Add(-n.told.Lease))
	}
	return standing.Why()
}

// roots are those of the wanted families.
func (g *claiming) roots() (list []string) {
	newest := map[string]*core.Record{}
	if len(g.want.Sessions) > 0 {
		for _, id := range g.want.Sessions {
			if one := g.sessions[id]; one != nil {
				newest[one.record.Root] = &one.record
			}
		}
	} else {
		for id, one := range g.sessions {
			r := &one.record
			if n := newest[r.Root]; g.why(id) == "" && g.fits(one) && (n == nil || n.Updated.Before(r.Updated)) {
				newest[r.Root] = r
			}
		}
	}
	list = slices.SortedFunc(maps.Keys(newest), func(a, b string) int {
		return cmp.Or(newest[b].Updated.Compare(newest[a].Updated), cmp.Compare(a, b))
	})
	if most := g.want.Families; len(g.want.Sessions) == 0 && most > 0 && len(list) > most {
		list = list[:most]
	}
	return list
}

func (g *claiming) fits(one *session) bool {
	r, works := &one.record, one.works && one.at.Owner != (core.Owner{})
	is := func(text string, of []string) bool { return len(of) == 0 || slices.Contains(of, text) }
	return is(r.Workspace, g.want.Workspaces) && is(r.Agent, g.want.Agents) && (works || is(r.State, g.want.States))
}

// take gives the session to who claims it.
func (g *claiming) take(one *session) core.Claimed {
	had := one.at.Owner
	if had != (core.Owner{}) {
		one.begin(g.place.next(one.at), one.at.Head+1)
	}
	one.at.Owner, one.at.Lease, one.noted = g.as, newLease(), time.Now()
	r := one.record.Kept()
	r.Epoch, r.First = 0, 0
	return core.Claimed{At: one.at, Record: r, Had: had, Lost: had != (core.Owner{})}
}

// next is the number of a new epoch of a session, which no claim has given to it, also where the state has gone back since.
func (p *Place) next(at core.Position) uint64 {
	if p.epochs == nil {
		p.epochs = map[string]uint64{}
	}
	epoch := max(at.Epoch+1, uint64(max(p.clock().UnixMilli(), 0)), min(p.epochs[at.Session]+1, protocol.MaxSeq))
	p.epochs[at.Session] = epoch
	return epoch
}

func (c *client) Release(ctx context.Context, as core.Owner, sessions []core.Handed) (answers []core.Answer, err error) {
	as.Node = core.Text(as.Node)
	err = c.do(ctx, "release", func(s *state) {
		seen := map[string]bool{}
		for _, h := range sessions {
			one := s.sessions[h.Session]
			taken := one != nil && !seen[h.Session] && one.at.Owner == as && as.IsLife() && one.at.Lease == h.Lease && one.at.Head == h.Head
			if seen[h.Session] = true; taken {
				one.at.Owner, one.at.Lease, one.noted = core.Owner{}, newLease(), time.Now()
			}
			answers = append(answers, core.Answer{Taken: taken})
		}
		for i, h := range sessions {
			answers[i].At = s.position(h.Session)
		}
	})
	return given(answers, err)
}
